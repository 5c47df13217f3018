import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ensureBuild, fingerprintOf } from "@/lib/setup/build.mjs";

let root: string;

function write(path: string, text: string) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** What `next build` does, as far as anybody looks at it. */
const build = vi.fn(async () => {
  write(".next/BUILD_ID", "a-build");
  return { code: 0, output: "" };
});

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "redlock-console-build-"));
  vi.spyOn(console, "log").mockImplementation(() => undefined);
  build.mockClear();
  write("package.json", "{}");
  write("app/page.tsx", "one");
  write("lib/redis/index.ts", "two");
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(root, { recursive: true });
});

describe("building when needed", () => {
  it("builds once, and not again while nothing changed", async () => {
    await ensureBuild(root, { build });
    await ensureBuild(root, { build });
    expect(build).toHaveBeenCalledOnce();
  });

  it.each([
    ["a source changed", () => write("app/page.tsx", "changed")],
    ["a source was added", () => write("components/a.tsx", "new")],
    ["a source was removed", () => rmSync(join(root, "lib/redis/index.ts"))],
    ["other packages are locked", () => write("package-lock.json", "{}")],
    ["the build was made by somebody else", () => rmSync(join(root, ".next/setup-sources-sha256"))],
    ["the build is gone", () => rmSync(join(root, ".next/BUILD_ID"))],
  ])("builds again when %s", async (_, change) => {
    await ensureBuild(root, { build });
    change();
    await ensureBuild(root, { build });
    expect(build).toHaveBeenCalledTimes(2);
  });

  it("does not build again for a test, a document or an editor's leftovers", async () => {
    const before = fingerprintOf(root);
    write("test/unit/a.test.ts", "new");
    write("README.md", "new");
    write("app/.page.tsx.swp", "new");
    expect(fingerprintOf(root)).toBe(before);
  });

  it("builds again after an edit during the build", async () => {
    build.mockImplementationOnce(async () => {
      write("app/page.tsx", "edited meanwhile");
      write(".next/BUILD_ID", "a-build");
      return { code: 0, output: "" };
    });
    await ensureBuild(root, { build });
    await ensureBuild(root, { build });
    expect(build).toHaveBeenCalledTimes(2);
  });

  it("builds on demand even when nothing changed", async () => {
    await ensureBuild(root, { build });
    await ensureBuild(root, { build, force: true });
    expect(build).toHaveBeenCalledTimes(2);
  });
});

describe("a build that failed", () => {
  const failing = async () => {
    write(".next/BUILD_ID", "half a build");
    return { code: 1, output: "app/page.tsx:1 is wrong" };
  };

  it("shows its last words and leaves nothing that passes for a build", async () => {
    await expect(ensureBuild(root, { build: failing })).rejects.toThrow("app/page.tsx:1 is wrong");
    expect(existsSync(join(root, ".next/BUILD_ID"))).toBe(false);
  });

  it("takes the former build away before it begins, in case it is cut off", async () => {
    await ensureBuild(root, { build });
    write("app/page.tsx", "changed");
    await ensureBuild(root, {
      build: async () => {
        expect(readdirSync(join(root, ".next"))).toEqual([]);
        return build();
      },
    });
  });
});
