import { expect, test } from "vitest";
import { apiConsole } from "../support/api-console";
import { until } from "../support/until";

const { acquire, cluster, list, setByHand } = apiConsole(4);

test("an even membership needs three of four, and an even split loses at once", async () => {
  expect(await cluster()).toMatchObject({ n: 4, quorum: 3, canLose: 1 });
  await setByHand("split", "ab", "a".repeat(32));
  await setByHand("split", "cd", "b".repeat(32));
  const answer = await acquire("split");
  expect(answer).toMatchObject({ outcome: "not_acquired", attempts: 1 });
  await until(async () => (await list()).locks[0]?.verdict === "split", "the split to be listed");
});
