// lib/lab: clients made for showing (later the Quorum Lab): real ones, on the console's own cluster only.
// Promises: what they leave behind is what such clients leave behind; stopping takes bounded time and gives back what they hold.
export { Demonstration, type DemonstrationOptions } from "./demonstration";
