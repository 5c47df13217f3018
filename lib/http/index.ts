// lib/http: what every API route is wrapped in: input, origin, errors, the envelope; and the event stream.
// Promises: one envelope for success and one for failure, a request id on both; nothing private in an error; other sites cannot write.
export { eventStream, labStream } from "./event-stream";
export { streamHead } from "./event-writer";
export { liveness, readiness } from "./health";
export { notFound, type RouteHandler, refuseOthers, route } from "./route";
