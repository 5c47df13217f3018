import { describe, expect, test } from "vitest";
import { maskUrl, parseNodeUrl } from "@/lib/redis";

describe("parseNodeUrl", () => {
  test.each([
    ["redis://127.0.0.1:7001", { id: "127.0.0.1:7001", address: "127.0.0.1:7001", database: 0 }],
    ["redis://cache.internal", { id: "cache.internal:6379", address: "cache.internal:6379", database: 0 }],
    ["redis://127.0.0.1:7001/3#a", { id: "a", address: "127.0.0.1:7001", database: 3 }],
    ["redis://127.0.0.1:7001/?db=4#rack%201", { id: "rack 1", address: "127.0.0.1:7001", database: 4 }],
    ["redis://[::1]:7001#six", { id: "six", address: "[::1]:7001", database: 0 }],
    ["redis+unix:///run/redis.sock?db=2#u", { id: "u", address: "/run/redis.sock", database: 2 }],
    ["redis+unix://user:secret@/run/my%20redis.sock", { id: "/run/my redis.sock", address: "/run/my redis.sock" }],
  ])("reads %s", (url, expected) => {
    expect(parseNodeUrl(url)).toMatchObject(expected);
  });

  test("takes user and password, with their escapes undone, and shows them nowhere else", () => {
    const endpoint = parseNodeUrl("redis://loc%40l:p%3Ass%2Fword@h:1/2#a");
    expect(endpoint.connect).toEqual({ host: "h", port: 1, db: 2, username: "loc@l", password: "p:ss/word" });
    expect(JSON.stringify({ ...endpoint, connect: null })).not.toMatch(/loc@l|p:ss/);
    expect(parseNodeUrl("redis://:secret@h:1").connect).toEqual({ host: "h", port: 1, db: 0, password: "secret" });
  });

  test("rediss:// asks for TLS, and names the host to it only when it is a name", () => {
    expect(parseNodeUrl("rediss://h:1").connect).toMatchObject({ tls: { servername: "h" } });
    expect(parseNodeUrl("rediss://10.0.0.1:1").connect).toMatchObject({ tls: {} });
    expect(parseNodeUrl("redis://h:1").connect).not.toHaveProperty("tls");
  });

  test.each([
    ["redis+sentinel://user:secret@h:26379/mymaster", /not supported yet/],
    ["redis+cluster://user:secret@h:7000", /not supported yet/],
    ["http://user:secret@h:7000", /unknown kind of address/],
    ["redis://user:secret@h:7000/x", /"x" is not a database number/],
    ["redis://user:secret@h:7000/-1", /not a database number/],
    ["redis://user:secret@h:7000?pool=5", /unknown option "pool"/],
    ["redis://user:secret@h:70000", /not a URL/],
    ["redis://user:secret%zz@h:1", /%25/],
    ["redis+unix://user:secret@run/redis.sock", /full path/],
    ["user:secret@h:7000", /unknown kind of address|not a URL/],
    ["", /not a URL/],
  ])("refuses %s with a sentence that does not contain the password", (url, message) => {
    expect(() => parseNodeUrl(url)).toThrow(RangeError);
    expect(() => parseNodeUrl(url)).toThrow(message);
    try {
      parseNodeUrl(url);
    } catch (error) {
      expect(String(error)).not.toContain("secret");
      expect(error).not.toHaveProperty("cause");
    }
  });
});

describe("maskUrl", () => {
  test.each([
    ["redis://user:secret@h:1/2#a", "redis://***@h:1/2#a"],
    ["redis://:secret@h:1", "redis://***@h:1"],
    ["redis://user:sec@ret@h:1", "redis://***@h:1"],
    ["redis://user:sec/ret@h:1/3", "redis://***@h:1/3"],
    ["redis+unix://user:secret@/run/s", "redis+unix://***@/run/s"],
    ["redis://h:1/2#a", "redis://h:1/2#a"],
    ["secret@h", "***@h"],
  ])("%s becomes %s", (url, masked) => {
    expect(maskUrl(url)).toBe(masked);
  });
});
