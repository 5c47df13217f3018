import { describe, expect, test } from "vitest";
import { auditListSchema, extendAnswerSchema, lockListSchema, releaseAnswerSchema } from "@/lib/contract";
import { callApi, dataOf, errorOf } from "../support/api";
import { apiConsole, FINGERPRINT, NODE_TIMEOUT_MS, TOKEN } from "../support/api-console";
import { until } from "../support/until";

const { acquire, act, cluster, detail, holders, list, recordText, server, setByHand } = apiConsole(5);

describe("the cluster", () => {
  test("reads five voting nodes of which two may fail", async () => {
    const state = await cluster();
    expect(state).toMatchObject({ n: 5, quorum: 3, up: 5, voting: 5, canLose: 2, embedded: false, readOnly: false });
    expect(state.nodes.map(({ id }) => id)).toEqual(["a", "b", "c", "d", "e"]);
  });

  test("does not let an operator stop masters that are not its own", async () => {
    const refused = await errorOf(callApi("cluster/nodes/a/faults", { method: "POST", body: { fault: "stop" } }));
    expect(refused).toMatchObject({ status: 409, code: "not_embedded" });
  });
});

describe("acquire, extend, release", () => {
  test("puts one token on every node, shows it without the token, and takes it back", async () => {
    const answer = await acquire("orders:42", { note: "by hand" });
    expect(answer).toMatchObject({ outcome: "acquired", reason: null });
    const token = answer.lock?.token ?? "";
    expect(await holders("orders:42")).toEqual(Array(5).fill(token));
    expect(answer.votes.map(({ vote }) => vote)).toEqual(Array(5).fill("granted"));

    const response = await callApi("locks");
    const text = await response.text();
    expect(text).not.toContain(token);
    const { locks } = lockListSchema.parse(JSON.parse(text).data);
    const layout = { label: "this console", confidence: "certain" };
    expect(locks).toMatchObject([{ id: "orders%3A42", verdict: "held", margin: 3, votes: 5, layout }]);
    expect((await detail("orders:42")).ownedByConsole).toEqual({
      keepAlive: false,
      resources: ["orders:42"],
      note: "by hand",
    });

    const extended = await dataOf(act("orders:42", "extend", { token, ttlMs: 60_000 }), extendAnswerSchema);
    expect(extended.outcome).toBe("extended");
    expect(await server("a").client.pttl("orders:42")).toBeGreaterThan(30_000);
    await until(async () => (await detail("orders:42")).renewals === 1, "the renewal to be seen");

    const released = await dataOf(act("orders:42", "release", { token }), releaseAnswerSchema);
    expect(released.outcome).toBe("released");
    expect(await holders("orders:42")).toEqual(Array(5).fill(null));
    expect((await list()).locks).toEqual([]);
    expect((await detail("orders:42")).verdict).toBe("free");
  });

  test("answers a fencing token that rises from lock to lock, when asked for one", async () => {
    expect((await acquire("plain")).lock?.fencingToken).toBeNull();
    const fences: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const { lock } = await acquire("fenced", { fencing: true });
      fences.push(lock?.fencingToken ?? 0);
      await act("fenced", "release", { token: lock?.token });
    }
    expect(fences).toEqual([...new Set(fences)].sort((a, b) => a - b));
    expect(fences[0]).toBeGreaterThan(0);
    expect((await list("?q=fence")).locks).toEqual([]);
  });

  test("answers a refusal with the holder of every node", async () => {
    await setByHand("orders:42");
    const answer = await acquire("orders:42");
    expect(answer).toMatchObject({ outcome: "not_acquired", lock: null });
    expect(answer.reason).toContain(FINGERPRINT);
    expect(answer.votes).toHaveLength(5);
    expect(answer.votes[0]).toMatchObject({ vote: "refused", holder: FINGERPRINT });
  });

  test("keeps a lock alive until it is released", async () => {
    const answer = await acquire("kept", { ttlMs: 1500, keepAlive: true });
    const { client } = server("a");
    let renewed = 0;
    let before = await client.pttl("kept");
    await until(async () => {
      const now = await client.pttl("kept");
      if (now > before + 100) renewed += 1;
      before = now;
      return renewed >= 2;
    }, "two extensions");
    await act("kept", "release", { token: answer.lock?.token });
    expect(await client.exists("kept")).toBe(0);
  });

  test("releases nothing for a wrong token", async () => {
    await setByHand("orders:42");
    const answer = await dataOf(act("orders:42", "release", { token: "wrong" }), releaseAnswerSchema);
    expect(answer.outcome).toBe("lost");
    expect(await holders("orders:42")).toEqual(Array(5).fill(TOKEN));
  });

  test.each(["a/b", "100%", "a%2Fb", "~tilde", ".", "Zürich 🔒", "x y"])("works for the name %j", async (resource) => {
    const answer = await acquire(resource);
    expect(answer.lock?.resources).toEqual([resource]);
    expect(await detail(resource)).toMatchObject({ resource, verdict: "held" });
    const released = await dataOf(act(resource, "release", { token: answer.lock?.token }), releaseAnswerSchema);
    expect(released.outcome).toBe("released");
  });
});

test("a key on two of five nodes reads leftover", async () => {
  await setByHand("half", "ab");
  const listed = async () => (await list()).locks.map(({ resource }) => resource).join();
  await until(async () => (await listed()) === "half", "the leftover alone to be listed");
  expect((await list()).locks[0]).toMatchObject({ verdict: "leftover", votes: 2, freeFromMs: 0 });
  expect((await list("?verdict=held")).locks).toEqual([]);
  expect((await list("?q=verdict:leftover+node:b")).total).toBe(1);
});

test("every action is on record as intent and outcome, without a token", async () => {
  const answer = await acquire("on-record", { note: "for the record" });
  const { entries } = await dataOf(callApi("audit?resource=on-record"), auditListSchema);
  expect(entries.map(({ phase, outcome }) => [phase, outcome])).toEqual([
    ["outcome", "acquired"],
    ["intent", null],
  ]);
  expect(entries[0]?.correlationId).toBe(entries[1]?.correlationId);
  expect(recordText()).not.toContain(answer.lock?.token);
});

describe("with nodes missing", () => {
  test("a hung node delays no answer beyond its time limits, and reads unknown", async () => {
    await acquire("orders:42");
    server("e").pause();
    const startedAt = performance.now();
    const one = await detail("orders:42");
    expect(one.nodes.map(({ reading }) => reading)).toEqual(["token", "token", "token", "token", "unknown"]);
    expect((await acquire("orders:43")).outcome).toBe("acquired");
    await list();
    // Three answers, each of which may cost a few time limits at most; a hang would cost seconds.
    expect(performance.now() - startedAt).toBeLessThan(20 * NODE_TIMEOUT_MS);
    await until(async () => (await cluster()).up === 4, "the hung node to be noticed");
  });

  test("with two of five: refused with every node's vote, and what was held is possibly held", async () => {
    await acquire("orders:42");
    for (const name of "cde") await server(name).kill();
    await until(async () => (await cluster()).voting === 2, "three nodes to be missed");
    const answer = await acquire("orders:43");
    expect(answer.outcome).toBe("not_acquired");
    expect(answer.votes.map(({ vote }) => vote)).toEqual([
      "granted",
      "granted",
      "unreachable",
      "unreachable",
      "unreachable",
    ]);
    expect(await cluster()).toMatchObject({ canLose: -1 });
    await until(
      async () =>
        (await list()).locks.some((lock) => lock.resource === "orders:42" && lock.verdict === "possibly_held"),
      "the lock to read possibly held",
    );
    const unknown = await errorOf(act("other", "force-expire", { fingerprint: "00000000", reason: "no idea" }));
    expect(unknown).toMatchObject({ status: 503, code: "quorum_unreachable" });
    await Promise.all([..."cde"].map((name) => server(name).restart()));
  });
});
