import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { MasterWorld, RELEASE, request, TOKEN, untilState } from "../support/test-master";
import { until } from "../support/until";

const world = new MasterWorld();
afterEach(() => world.clear());

describe("logging in", () => {
  test("with a wrong password: down, with the server's words and the next step, and never the password", async () => {
    const server = await world.server();
    await server.client.call("ACL", "SETUSER", "locker", "on", ">right", "~*", "+@all");
    const node = world.master(`redis://locker:wrong@127.0.0.1:${server.port}#a`);
    await until(() => node.status().faults.join().includes("WRONGPASS"), "the refusal");
    expect(node.status()).toMatchObject({ state: "down", condition: "unreachable" });
    expect(node.status().faults.join()).toContain("correct user and password");
    expect(JSON.stringify([node.status(), node.address])).not.toMatch(/wrong"|:wrong/);
    expect((await node.acquire(request())).kind).toBe("unreachable");
  });

  test("with user and password; what the user may not ask is unknown, and the vote counts", async () => {
    const server = await world.server();
    const rights = "+eval +evalsha +script|load +get +set +del +pexpire +pttl +type +strlen +getrange".split(" ");
    await server.client.call("ACL", "SETUSER", "locker", "on", ">p@ss", "~*", ...rights);
    const node = world.master(`redis://locker:p%40ss@127.0.0.1:${server.port}#a`);
    await until(() => node.status().state !== "down", "the node to be up");
    expect(await node.acquire(request())).toEqual({ kind: "granted" });
    expect(await node.extend(request())).toEqual({ kind: "extended" });
    expect(await node.release(RELEASE)).toEqual({ kind: "released" });
    expect(node.status()).toMatchObject({ condition: "degraded", role: null, runId: null });
    expect(node.status().faults.join()).toMatch(/NOPERM.*grant the user \+info/);
  });

  test("without the right to run scripts: unsafe before the first vote, with the server's words and the next step", async () => {
    const server = await world.server();
    await server.client.call("ACL", "SETUSER", "locker", "on", ">secret", "~*", "+@all", "-@scripting");
    const node = world.master(`redis://locker:secret@127.0.0.1:${server.port}#a`);
    await untilState(node, "up");
    expect(node.status().condition).toBe("unsafe");
    expect(node.status().faults.join()).toMatch(/may not run scripts \(NOPERM.*grant \+eval/);
    expect(await node.acquire(request())).toMatchObject({ kind: "error", reason: expect.stringContaining("NOPERM") });
  });

  test("without the right to a command of the scripts: named, and in use once it is granted", async () => {
    const server = await world.server();
    const user = ["ACL", "SETUSER", "locker", "on", ">secret", "~r", "+@all"] as const;
    await server.client.call(...user, "-pexpire", "-strlen");
    const node = world.master(`redis://locker:secret@127.0.0.1:${server.port}#a`);
    await untilState(node, "up");
    expect(node.status().condition).toBe("unsafe");
    expect(node.status().faults.join()).toMatch(/may not run strlen, pexpire in a script: grant \+strlen \+pexpire/);
    expect((await node.acquire(request())).kind).toBe("error");
    expect(await server.client.exists("r")).toBe(0);
    await server.client.call(...user);
    await until(() => node.status().condition === "admitted", "the right to be noticed");
    expect(await node.acquire(request())).toEqual({ kind: "granted" });
    expect(await server.client.keys("*")).toEqual(["r"]);
  });

  test.each([
    [["resetchannels"], /^Tells nobody that a fair lock was handed .*grant its user &redlock:\{guard\}:handed:\*\.$/],
    [["-publish"], /^Tells nobody that a fair lock was handed .*grant its user \+publish\.$/],
    [["-zadd", "-hset"], /^Keeps no queues for fair locks; other locks work: .*grant its user \+zadd \+hset\.$/],
    [["resetkeys", "~r"], /^Keeps no queues for fair locks; .*grant its user ~redlock:\{guard\}:\*\.$/],
  ])(
    "without what only fair locks need, %j: said before anybody asks for one, and no fault of the node",
    async (less, words) => {
      const server = await world.server();
      const user = ["ACL", "SETUSER", "locker", "on", ">secret", "~*", "&*", "+@all"] as const;
      await server.client.call(...user, ...less);
      const node = world.master(`redis://locker:secret@127.0.0.1:${server.port}#a`);
      await untilState(node, "up");
      expect(node.status()).toMatchObject({ condition: "admitted", faults: [expect.stringMatching(words)] });
      expect(await node.acquire(request())).toEqual({ kind: "granted" });
      expect(await server.client.keys("*")).toEqual(["r"]);
      await server.client.call(...user);
      await until(() => node.status().faults.length === 0, "the right to be noticed");
    },
  );

  test("to a server without scripts: unsafe, with its words and without the token", async () => {
    const server = await world.server("--rename-command", "EVALSHA", "", "--rename-command", "EVAL", "");
    const node = world.master(server.url);
    await untilState(node, "up");
    expect(node.status().condition).toBe("unsafe");
    const vote = await node.acquire(request());
    expect(vote).toMatchObject({ kind: "error", reason: expect.stringMatching(/ERR unknown command/) });
    expect(JSON.stringify(vote)).not.toContain(TOKEN.slice(0, 8));
  });

  test("to a database that does not exist: never falls back to database 0", async () => {
    const server = await world.server("--databases", "4");
    const node = world.master(`${server.url}/9#a`);
    await until(() => node.status().faults.join().includes("database could not be selected"), "the refusal");
    expect((await node.acquire(request())).kind).toBe("unreachable");
    expect(node.status().state).toBe("down");
    expect(await server.client.dbsize()).toBe(0);
  });

  test("through a Unix socket, in the database of the URL", async () => {
    const server = await world.server();
    const [, folder = ""] = (await server.client.config("GET", "dir")) as string[];
    const path = join(folder, "s.sock");
    const socketServer = await world.server("--unixsocket", path);
    const node = world.master(`redis+unix://${path}?db=2#unix`);
    await untilState(node, "up");
    expect(node).toMatchObject({ id: "unix", address: path, database: 2 });
    expect(await node.acquire(request())).toEqual({ kind: "granted" });
    await socketServer.client.select(2);
    expect(await socketServer.client.get("r")).toBe(TOKEN);
  });
});
