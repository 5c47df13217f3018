import { describe, expect, test } from "vitest";
import { isLoopback, maskedLines, readEnvironment } from "@/lib/setup/environment.mjs";

describe("the environment", () => {
  test("has a default for everything", () => {
    const { config, warnings, errors } = readEnvironment({});
    expect(config).toEqual({
      nodes: null,
      keyPatterns: null,
      layouts: [],
      host: "127.0.0.1",
      port: 3000,
      nodeTimeoutMs: 50,
      maxTtlMs: 60_000,
      clockErrorMs: 0,
      refusesLongerTtl: false,
      guard: "full",
      isGuardChosen: false,
      readOnly: false,
      lab: true,
      environment: null,
      allowInsecure: false,
      dataDir: "./data",
      logLevel: "info",
      logFormat: "json",
    });
    expect([warnings, errors]).toEqual([[], []]);
    expect(readEnvironment({}, { isTerminal: true }).config.logFormat).toBe("pretty");
  });

  test("splits node URLs at commas, spaces and lines, but not inside one", () => {
    const { config } = readEnvironment({ REDLOCK_NODES: "redis://a:1#a, redis://b:1\nrediss://c:1#c" });
    expect(config.nodes).toEqual(["redis://a:1#a", "redis://b:1", "rediss://c:1#c"]);
  });

  test("reads a secret from a file, and refuses both at once", () => {
    const readFile = () => "redis://:secret@a:1#a\n";
    expect(readEnvironment({ REDLOCK_NODES_FILE: "/run/nodes" }, { readFile }).config.nodes).toEqual([
      "redis://:secret@a:1#a",
    ]);
    const both = readEnvironment({ REDLOCK_NODES_FILE: "/run/nodes", REDLOCK_NODES: "redis://a:1" }, { readFile });
    expect(both.errors[0]).toContain("both set");
    expect(readEnvironment({ REDLOCK_NODES_FILE: "/does/not/exist" }).errors[0]).toContain("ENOENT");
  });

  test.each([
    [{ PORT: "http" }, "PORT"],
    [{ PORT: "70000" }, "PORT"],
    [{ REDLOCK_NODE_TIMEOUT_MS: "0" }, "REDLOCK_NODE_TIMEOUT_MS"],
    [{ REDLOCK_NODE_TIMEOUT_MS: "5.5" }, "REDLOCK_NODE_TIMEOUT_MS"],
    [{ REDLOCK_CLOCK_ERROR_MS: "-1" }, "REDLOCK_CLOCK_ERROR_MS"],
    [{ REDLOCK_CLOCK_ERROR_MS: "30000" }, "nothing would be left of one of 60000 ms"],
    [{ REDLOCK_CLOCK_ERROR_MS: "500", REDLOCK_MAX_TTL_MS: "1000" }, "(REDLOCK_MAX_TTL_MS)"],
    [{ REDLOCK_READ_ONLY: "maybe" }, "REDLOCK_READ_ONLY"],
    [{ REDLOCK_LAB: "maybe" }, "REDLOCK_LAB"],
    [{ REDLOCK_LOG_LEVEL: "loud" }, "REDLOCK_LOG_LEVEL"],
    [{ REDLOCK_NODES: "memcached://a:1" }, "entry 1"],
    [{ REDLOCK_NODES: "redis+sentinel://a:1/x" }, "not available yet"],
    [{ REDLOCK_NODES: "redis://a:1#x redis://b:1#x" }, "used twice"],
    [{ REDLOCK_NODES: "redis://a:1#x redis://a:1/3#y" }, "listed twice"],
    [{ REDLOCK_NODES: "redis://a redis://u:p@a:6379#y" }, "listed twice"],
    [{ REDLOCK_USERS: "admin" }, "REDLOCK_USERS"],
    [{ REDLOCK_OIDC_ISSUER: "https://id" }, "REDLOCK_OIDC_ISSUER"],
    [{ HOST: "0.0.0.0" }, "REDLOCK_ALLOW_INSECURE"],
  ])("refuses %j with a sentence", (env, part) => {
    const { errors } = readEnvironment(env);
    expect(errors.join("\n")).toContain(part);
  });

  test("opens up to other machines only when told to", () => {
    expect(readEnvironment({ HOST: "0.0.0.0", REDLOCK_ALLOW_INSECURE: "1" }).errors).toEqual([]);
  });

  test("guards the embedded cluster, other masters only when told to", () => {
    const nodes = "redis://a:1#a";
    expect(readEnvironment({ REDLOCK_NODES: nodes }).config).toMatchObject({ guard: "off", isGuardChosen: false });
    expect(readEnvironment({ REDLOCK_NODES: nodes, REDLOCK_GUARD: "full" }).config.guard).toBe("full");
    expect(readEnvironment({ REDLOCK_GUARD: "connection" }).config.guard).toBe("connection");
    expect(readEnvironment({ REDLOCK_GUARD: "maybe" }).errors[0]).toContain("one of full, connection, off");
    expect(readEnvironment({ REDLOCK_MAX_TTL_MS: "5000" }).config).toMatchObject({
      maxTtlMs: 5000,
      refusesLongerTtl: true,
    });
  });

  test("takes the error of the nodes' clocks, and shows it", () => {
    const result = readEnvironment({ REDLOCK_CLOCK_ERROR_MS: "250" });
    expect([result.config.clockErrorMs, result.errors]).toEqual([250, []]);
    expect(maskedLines(result)).toContain("REDLOCK_CLOCK_ERROR_MS=250");
  });

  test("warns of a name that does nothing, with the nearest one", () => {
    const { warnings, errors } = readEnvironment({ REDLOCK_NODE: "redis://a:1", REDLOCK_DATABASE_URL: "x" });
    expect(warnings).toEqual([
      expect.stringContaining("nearest name is REDLOCK_NODES"),
      expect.stringContaining("REDLOCK_DATABASE_URL is not available yet"),
    ]);
    expect(errors).toEqual([]);
  });

  test.each(["redis://user:secret@a:1#a", "redis://:se/cr@et@a:1", "redis://a:1 x:secret@b", "redis://user:secret@"])(
    "never shows the password of %s",
    (url) => {
      const result = readEnvironment({ REDLOCK_NODES: url });
      const shown = [...maskedLines(result), ...result.errors].join("\n");
      expect(shown).not.toMatch(/secret|cr@et/);
    },
  );

  test.each([
    ["localhost", true],
    ["127.8.8.8", true],
    ["[::1]", true],
    ["console.localhost", true],
    ["0.0.0.0", false],
    ["127.0.0.1.evil.example", false],
    ["evil.example", false],
  ])("%s is this machine: %s", (host, isOwn) => {
    expect(isLoopback(host)).toBe(isOwn);
  });
});
