import { describe, expect, it } from "vitest";
import { consoleUrl, portSentence } from "@/lib/setup/port.mjs";

describe("the address that is printed", () => {
  it.each([
    ["127.0.0.1", "http://127.0.0.1:3000"],
    ["localhost", "http://localhost:3000"],
    ["::1", "http://[::1]:3000"],
    ["[::1]", "http://[::1]:3000"],
    ["0.0.0.0", "http://127.0.0.1:3000"],
    ["::", "http://127.0.0.1:3000"],
  ])("can be opened for HOST=%s", (host, url) => {
    expect(consoleUrl({ host, port: 3000 })).toBe(url);
  });
});

describe("a port nobody can listen on", () => {
  const place = { host: "127.0.0.1", port: 3000 };

  it.each([
    ["EADDRINUSE", "start", /^Port 3000 is taken.*PORT=3001 npm start$/],
    ["EADDRINUSE", "dev", /PORT=3001 npm run dev$/],
    ["EACCES", "start", /^Port 3000 is not allowed.*PORT=3001 npm start$/],
    ["EADDRNOTAVAIL", "start", /^HOST is 127\.0\.0\.1, which is no address of this machine/],
    ["EMFILE", "start", /EMFILE/],
  ])("is explained: %s", (code, verb, expected) => {
    expect(portSentence(code, place, verb)).toMatch(expected);
  });

  it("is never answered with another port that is not allowed", () => {
    expect(portSentence("EACCES", { ...place, port: 80 }, "start")).toContain("PORT=3001");
    expect(portSentence("EADDRINUSE", { ...place, port: 65_535 }, "start")).toContain("PORT=3001");
  });
});
