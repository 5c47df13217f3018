// The two commands as their user meets them: the real program in a process of its own.

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { until } from "../support/until";

const MAIN = "lib/setup/main.mjs";

/** Without what the shell that runs the tests says about the console. */
const cleanEnvironment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(REDLOCK_|HOST$|PORT$)/.test(name)),
);

function run(args: readonly string[], env: Record<string, string> = {}) {
  const options = {
    encoding: "utf8",
    env: { ...cleanEnvironment, NODE_ENV: "test", ...env },
    timeout: 25_000,
  } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
  return { status, stdout, stderr };
}

async function inFolder<Result>(work: (folder: string) => Result | Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "redlock-console-setup-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const STACK_TRACE = /^\s+at /m;

describe("npm start on a machine where it cannot work", () => {
  it("says that the port is taken and how to use another, before it installs or builds anything", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    const { status, stdout, stderr } = run([MAIN, "start"], { PORT: String(port) });
    other.close();
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr.trim()).toMatch(new RegExp(`^Port ${port} is taken: .* PORT=\\d+ npm start$`));
  });

  it("says that Node is too old, before it loads anything an old Node cannot read", async () => {
    await inFolder((folder) => {
      const stub = join(folder, "old-node.cjs");
      writeFileSync(
        stub,
        'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.4" } });',
      );
      const { status, stdout, stderr } = run(["--require", stub, MAIN, "start"]);
      expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
      expect(stderr.trim()).toMatch(/^Redlock Console needs Node 20\.19 or newer; this is Node 18\.20\.4\..*$/);
    });
  });

  it("says that HOST is no address of this machine", () => {
    const { status, stderr } = run([MAIN, "start"], { HOST: "192.0.2.1", PORT: "0", REDLOCK_ALLOW_INSECURE: "1" });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^HOST is 192\.0\.2\.1, which is no address of this machine/m);
    expect(stderr).not.toMatch(STACK_TRACE);
  });

  it("says what is wrong with the configuration", () => {
    const { status, stderr } = run([MAIN, "start"], { PORT: "eighty" });
    expect(status).toBe(1);
    expect(stderr).toContain("PORT");
    expect(stderr).not.toMatch(STACK_TRACE);
  });

  it("names the commands there are when asked for another", () => {
    const { status, stderr } = run([MAIN, "strat"]);
    expect(status).toBe(1);
    expect(stderr).toContain("start, dev, test");
  });
});

describe("npm run config", () => {
  it("shows the effective values with passwords masked", () => {
    const { status, stdout, stderr } = run([MAIN, "config"], {
      REDLOCK_NODES: "redis://ada:hunter2@node-a:6379,redis://node-b:6379,redis://node-c:6379",
      PORT: "4000",
    });
    expect(status).toBe(0);
    expect(stdout).toContain("PORT=4000");
    expect(stdout).toContain("node-a:6379");
    expect(stdout + stderr).not.toContain("hunter2");
  });

  it("ends with an error when a value is wrong", () => {
    const { status, stderr } = run([MAIN, "config"], { REDLOCK_NODE_TIMEOUT_MS: "soon" });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^Error: REDLOCK_NODE_TIMEOUT_MS/m);
  });
});

describe("what setup starts", () => {
  it("ends with it when it is told to stop", async () => {
    await inFolder(async (folder) => {
      const children = join(process.cwd(), "lib/setup/children.mjs");
      const script = join(folder, "preparing.mjs");
      // A program that starts another one, as npm does; both must end.
      const inner = 'require("child_process").spawn("sleep", ["600"], { stdio: "inherit" })';
      writeFileSync(
        script,
        `import { endWithSignals, runProgram } from ${JSON.stringify(children)};
         endWithSignals();
         console.log("begun");
         await runProgram(process.execPath, ["-e", ${JSON.stringify(`${inner}; console.log("begun inside")`)}], { output: "show" });
         console.log("gone on");`,
      );
      const child = spawn(process.execPath, [script], { stdio: ["ignore", "pipe", "inherit"] });
      let output = "";
      let isClosed = false;
      child.stdout.on("data", (chunk) => {
        output += chunk;
      });
      // Closed only when every process that holds the pipe has ended, the innermost one too.
      child.on("close", () => {
        isClosed = true;
      });
      await until(() => output.includes("begun inside"), "the inner program");
      child.kill("SIGTERM");
      await until(() => isClosed, "both programs to end");
      expect(child.exitCode).toBe(143);
      expect(output).not.toContain("gone on");
    });
  });
});
