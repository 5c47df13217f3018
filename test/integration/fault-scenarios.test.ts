import { expect, test } from "vitest";
import { SCENARIOS } from "../fault/scenario-run";
import { runFault } from "../support/run-fault";

test("the engine stays green in every scripted fault", async () => {
  const { code, output, lastLine } = await runFault("--scenario", "all", "--client", "engine");
  expect(lastLine, output).toMatch(new RegExp(`^violations 0, grants \\d+, faults ${SCENARIOS.length}, seed \\d+$`));
  expect(code, output).toBe(0);
}, 240_000);

// What is known of the libraries is the proof that each theme sees.
test.each([
  ["redlock-5", "late third vote", "while another holds it"],
  ["redlock-4", "late release of an earlier try", "**V** "],
  ["sesamecare", "the holder falls into a black hole", "never told"],
  ["redlock-5", "a voter is flushed", "**V** "],
  ["redlock-4", "two clients with different lists", "**V** "],
  ["sesamecare", "three nodes are dead, the client gives up", "**L** blocked"],
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
