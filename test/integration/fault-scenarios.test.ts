import { expect, test } from "vitest";
import { runFault } from "../support/run-fault";

test("the engine stays green in every scripted fault", async () => {
  const { code, output, lastLine } = await runFault("--scenario", "all", "--client", "engine");
  expect(lastLine, output).toMatch(/^violations 0, grants \d+, faults 9, seed \d+$/);
  expect(code, output).toBe(0);
}, 120_000);

test.each([
  ["redlock-5", "late third vote", "while another holds it"],
  ["redlock-4", "late release of an earlier try", "overlap of"],
  ["sesamecare", "holder in a black hole", "never aborted"],
])(
  "%s goes red: %s",
  async (client, scenario, words) => {
    const { code, output, lastLine } = await runFault("--scenario", scenario, "--client", client);
    expect(output).toContain(words);
    expect(lastLine).toMatch(/^violations 1, /);
    expect(code).toBe(1);
  },
  60_000,
);
