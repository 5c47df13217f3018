import { expect, it } from "vitest";
import { redisCliCommand } from "@/components/locks/redis-cli";

it.each([
  ["127.0.0.1:7001", "orders:42", "string", "redis-cli -p 7001 GET 'orders:42'; redis-cli -p 7001 PTTL 'orders:42'"],
  ["10.0.0.7:6379", "a", "hash", "redis-cli -h 10.0.0.7 -p 6379 HGETALL 'a'; redis-cli -h 10.0.0.7 -p 6379 PTTL 'a'"],
  ["[::1]:6379", "a", null, "redis-cli -h ::1 -p 6379 GET 'a'; redis-cli -h ::1 -p 6379 PTTL 'a'"],
  [
    "/run/redis.sock",
    "a",
    "stream",
    "redis-cli -s '/run/redis.sock' TYPE 'a'; redis-cli -s '/run/redis.sock' PTTL 'a'",
  ],
])("shows %s %s %s", (address, resource, type, command) => {
  expect(redisCliCommand(address, resource, type)).toBe(command);
});

it("lets no resource break out of the shell's quotes", () => {
  expect(redisCliCommand("127.0.0.1:1", "a'; rm -rf ~ #", null)).toContain(`GET 'a'\\''; rm -rf ~ #'`);
});
