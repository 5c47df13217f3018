import { expect, test } from "vitest";
import { releaseAnswerSchema } from "@/lib/contract";
import { dataOf } from "../support/api";
import { apiConsole } from "../support/api-console";

const { acquire, act, cluster, detail, holders } = apiConsole(1);

test("a membership of one can lose nobody, and its locks say so", async () => {
  expect(await cluster()).toMatchObject({ n: 1, quorum: 1, canLose: 0 });
  const { lock } = await acquire("orders:42");
  expect(await detail("orders:42")).toMatchObject({ verdict: "at_risk", margin: 1 });
  const released = await dataOf(act("orders:42", "release", { token: lock?.token }), releaseAnswerSchema);
  expect(released.outcome).toBe("released");
  expect(await holders("orders:42")).toEqual([null]);
});
