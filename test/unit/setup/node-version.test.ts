import { describe, expect, it } from "vitest";
import { oldNodeSentence } from "@/lib/setup/node-version.mjs";

describe("the oldest Node", () => {
  it.each(["20.19.0", "20.20.2", "22.0.0", "v24.1.0", "100.0.0"])("takes %s", (version) => {
    expect(oldNodeSentence(version)).toBeNull();
  });

  it.each(["20.18.9", "18.20.4", "v16.0.0", "12.22.12", "9.0.0"])(
    "refuses %s in one sentence with the next step",
    (version) => {
      expect(oldNodeSentence(version)).toMatch(/needs Node 20\.19 or newer; this is Node .+\. Install .+\.$/);
    },
  );
});
