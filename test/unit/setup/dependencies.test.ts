import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { installSentence, isInstalled, npmEnvironment } from "@/lib/setup/dependencies.mjs";

describe("whether the locked packages are there", () => {
  let root: string;

  function install(packages: Record<string, string>) {
    for (const [path, version] of Object.entries(packages)) {
      mkdirSync(join(root, path), { recursive: true });
      writeFileSync(join(root, path, "package.json"), "{}");
      packages[path] = version;
    }
    const entries = Object.entries(packages).map(([path, version]) => [path, { version }]);
    writeFileSync(
      join(root, "node_modules/.package-lock.json"),
      JSON.stringify({ packages: Object.fromEntries(entries) }),
    );
  }

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "redlock-console-install-"));
    const packages = {
      "": { version: "0.1.0" },
      "node_modules/next": { version: "16.0.0" },
      "node_modules/vitest": { version: "4.0.0", dev: true },
      "node_modules/swc-of-another-platform": { version: "1.0.0", optional: true },
    };
    writeFileSync(join(root, "package-lock.json"), JSON.stringify({ packages }));
  });

  afterEach(() => rmSync(root, { recursive: true }));

  it("is so when every package has its version, those for other platforms aside", () => {
    install({ "node_modules/next": "16.0.0", "node_modules/vitest": "4.0.0" });
    expect(isInstalled(root)).toBe(true);
  });

  it.each([
    ["nothing is installed", () => undefined],
    ["a version differs", () => install({ "node_modules/next": "15.0.0", "node_modules/vitest": "4.0.0" })],
    ["the development packages were left out", () => install({ "node_modules/next": "16.0.0" })],
    [
      "a package's folder was removed",
      () => {
        install({ "node_modules/next": "16.0.0", "node_modules/vitest": "4.0.0" });
        rmSync(join(root, "node_modules/next"), { recursive: true });
      },
    ],
  ])("is not so when %s", (_, prepare) => {
    prepare();
    expect(isInstalled(root)).toBe(false);
  });
});

describe("the environment of npm ci", () => {
  it("drops what the npm around us has set, and keeps how to reach the registry", () => {
    const kept = { PATH: "/bin", npm_config_registry: "https://mirror", npm_config_https_proxy: "http://proxy" };
    const dropped = { npm_config_omit: "dev", npm_config_dry_run: "true", npm_lifecycle_event: "start" };
    expect(npmEnvironment({ ...kept, ...dropped })).toEqual(kept);
  });
});

describe("what is said when npm ci failed", () => {
  const log = "npm error A complete log of this run can be found in: /home/ada/.npm/_logs/1-debug-0.log";

  it.each([
    [
      "no network",
      "npm error code ENOTFOUND\nnpm error network getaddrinfo ENOTFOUND registry.example",
      /cannot be reached/,
    ],
    ["no permission", "npm error code EACCES\nnpm error EACCES: permission denied, mkdir", /may not write/],
    ["a full disk", "npm error code ENOSPC\nnpm error nospc ENOSPC: no space left", /disk is full/],
    ["anything else", "npm error code EUSAGE\nnpm error the lock file does not match", /does not match/],
  ])("names the cause and the next step: %s", (_, output, expected) => {
    const sentence = installSentence(`${output}\n${log}`);
    expect(sentence).toMatch(expected);
    expect(sentence).toContain("start again");
    expect(sentence).toContain("npm's log: /home/ada/.npm/_logs/1-debug-0.log");
  });
});
