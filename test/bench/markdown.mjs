// Rows of a benchmark as Markdown, ready for the README: one table for all rows that have the same figures.

const UNITS = [
  ["PerSecondPerNode", " per second and node"],
  ["PerSecond", " per second"],
  ["PercentPerNode", " per node, %"],
  ["PerLock", " per lock"],
  ["Percent", ", %"],
  ["Seconds", ", s"],
  ["UsPerCycle", ", µs per cycle"],
  ["Ms", ", ms"],
  ["Mb", ", MB"],
];

/** `otherClientP99Ms` as `other client p99, ms`. */
function heading(key) {
  const unit = UNITS.find(([end]) => key.endsWith(end));
  const name = unit === undefined ? key : key.slice(0, -unit[0].length);
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  return `${words.replace("cpu", "CPU")}${unit?.[1] ?? ""}`;
}

function cell(value) {
  // Of nothing there is no percentile, and no share.
  if (typeof value === "number") return Number.isFinite(value) ? value.toLocaleString("en-US") : "–";
  return value ?? "–";
}
const line = (cells) => `| ${cells.join(" | ")} |`;

/** @param rows objects; others are passed over @returns tables with a blank line between them */
export function markdownOf(rows) {
  const tables = new Map();
  for (const row of rows) {
    if (typeof row !== "object" || row === null) continue;
    const keys = Object.keys(row);
    const table = tables.get(keys.join()) ?? [line(keys.map(heading)), line(keys.map(() => "---"))];
    table.push(line(Object.values(row).map(cell)));
    tables.set(keys.join(), table);
  }
  return [...tables.values()].map((table) => table.join("\n")).join("\n\n");
}
