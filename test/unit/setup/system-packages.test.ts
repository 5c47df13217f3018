import { describe, expect, it } from "vitest";
import { redisSentence } from "@/lib/setup/redis.mjs";
import { isDebian, packageManagerOf } from "@/lib/setup/system-packages.mjs";

const DEBIAN = 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\n';
const UBUNTU = "ID=ubuntu\nID_LIKE=debian\n";

describe("which package manager a machine has", () => {
  it.each([
    ["apt", DEBIAN],
    ["apt", UBUNTU],
    ["dnf", "ID=fedora\n"],
    ["dnf", 'ID="rocky"\nID_LIKE="rhel centos fedora"\n'],
    ["apk", "ID=alpine\n"],
    ["apt", ""],
  ])("says %s for %j", (manager, osRelease) => {
    expect(packageManagerOf({ platform: "linux", osRelease })).toBe(manager);
  });

  it("says brew on a Mac", () => {
    expect(packageManagerOf({ platform: "darwin", osRelease: "" })).toBe("brew");
  });

  it("tells Debian, where chromium is a package, from Ubuntu, where it is a snap", () => {
    expect([isDebian(DEBIAN), isDebian(UBUNTU)]).toEqual([true, false]);
  });
});

describe("what is said when there is no redis-server", () => {
  it("names the one command for this machine first, and those for all others", () => {
    const lines = redisSentence(null, { manager: "apk", root: false }).split("\n");
    expect(lines[1]).toBe("  sudo apk add redis");
    expect(lines).toEqual(
      expect.arrayContaining([
        "  sudo apt-get install -y redis-server",
        "  sudo dnf install -y redis",
        "  brew install redis",
      ]),
    );
  });

  it("leaves sudo out for root, who may not have it", () => {
    expect(redisSentence(null, { manager: "dnf", root: true })).toContain("\n  dnf install -y redis\n");
  });

  it("repeats apt's last words when apt was tried", () => {
    expect(redisSentence("E: Unable to locate package", { manager: "apt", root: true })).toContain(
      "E: Unable to locate",
    );
  });
});
