import { describe, expect, it } from "vitest";
import { csvCell, type ExportedList, exportedFile } from "@/lib/client/export-locks";
import { HELD_SPECS, lockView, scanOf } from "../../support/view-fixtures";

const held = lockView("held", HELD_SPECS, { resource: "orders:42" });
const list: ExportedList = {
  locks: [held],
  scan: scanOf(5),
  at: Date.UTC(2026, 10, 30, 3, 4, 5),
  isWhole: true,
  filter: { q: "orders", show: "all", sort: "verdict" },
};

describe("a cell of a CSV file", () => {
  it.each([
    ["plain", "plain"],
    ['say "no", please', '"say ""no"", please"'],
    ["two\nlines", '"two\nlines"'],
    [" padded ", '" padded "'],
    ["half;half", '"half;half"'],
    [-1, "-1"],
    [null, ""],
    [true, "true"],
  ])("holds %j as %s", (value, cell) => {
    expect(csvCell(value)).toBe(cell);
  });

  it.each(["=1+1", "+1", "-1", "@SUM(A1)", " =1", "\t=1", "\r=1"])("never begins a formula: %j", (text) => {
    expect(csvCell(text).replace(/^"|"$/g, "")).toBe(`'${text}`);
  });

  it("quotes a formula that needs it after its guard", () => {
    expect(csvCell('=HYPERLINK("http://x","y")')).toBe(`"'=HYPERLINK(""http://x"",""y"")"`);
  });
});

describe("the file of a list", () => {
  it("is named by the server's time, and says when it is not the whole truth", () => {
    expect(exportedFile(list, "csv").name).toBe("locks-2026-11-30T03-04-05Z.csv");
    expect(exportedFile({ ...list, scan: scanOf(3) }, "json").name).toBe("locks-2026-11-30T03-04-05Z-partial.json");
    expect(exportedFile({ ...list, scan: { ...scanOf(5), unjudged: 7 } }, "json").name).toContain("-partial");
    expect(exportedFile({ ...list, isWhole: false }, "csv").name).toContain("-partial");
  });

  it("has one head and one line per lock as CSV", () => {
    const [head, row, end] = exportedFile(list, "csv").text.split("\r\n");
    expect(head?.split(",").slice(0, 3)).toEqual(["resource", "verdict", "holderFingerprint"]);
    expect(row?.startsWith("orders:42,held,8f3a91c2,")).toBe(true);
    expect(row?.endsWith("a=8f3a91c2 b=8f3a91c2 c=8f3a91c2 d=8f3a91c2 e=8f3a91c2")).toBe(true);
    expect(end).toBe("");
  });

  it("has the filter, the completeness and every node as JSON", () => {
    const { filter, complete, locks } = JSON.parse(exportedFile(list, "json").text);
    expect(filter).toEqual(list.filter);
    expect(complete).toEqual({ nodesRead: 5, nodes: 5, wholeList: true });
    expect(locks[0]).toMatchObject({ resource: "orders:42", verdict: "held", holderFingerprint: "8f3a91c2" });
    expect(locks[0].nodes[0]).toEqual({ node: "a", reading: "token", fingerprint: "8f3a91c2", remainingMs: 20_400 });
  });

  it("holds only the fields that were chosen for it, whatever an answer brings along", () => {
    const leaky = {
      ...held,
      token: "0123456789abcdef",
      nodes: held.nodes.map((node) => ({ ...node, value: "0123456789abcdef" })),
    };
    for (const format of ["csv", "json"] as const) {
      expect(exportedFile({ ...list, locks: [leaky] }, format).text).not.toContain("0123456789abcdef");
    }
  });
});
