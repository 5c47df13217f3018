// `npm start` and `npm run dev`: Next inside this very process, so that one signal handler sees everything that has to end.
// Booting the nodes is the runtime's business: Next calls instrumentation.ts, which leaves its handle on globalThis.

import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { readEnvironment } from "./environment.mjs";
import { consoleUrl, listen } from "./port.mjs";
import { complain, SetupError, say } from "./sentences.mjs";

/** Longest orderly end, milliseconds. */
const STOP_MS_MAX = 4500;
/** npm passes the terminal's Ctrl-C on to us, so the same one arrives twice; a person's second one comes later than this. */
const SAME_SIGNAL_MS = 500;
const PEER_GONE_CODES = ["ECONNRESET", "ECONNABORTED", "EPIPE", "ERR_STREAM_PREMATURE_CLOSE", "ABORT_ERR"];

/**
 * The configuration, or the sentences that say what is wrong with it. Warnings are shown.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {import("./environment.d.mts").EnvironmentConfig}
 * @throws {SetupError}
 */
export function requireConfig(env) {
  const { config, warnings, errors } = readEnvironment(env);
  for (const warning of warnings) console.error(`Warning: ${warning}`);
  if (errors.length > 0) throw new SetupError(errors.join("\n"));
  return config;
}

/**
 * Serves the console until a signal.
 *
 * @param {string} root the project's folder, built
 * @param {{ dev: boolean, host: string, port: number }} options
 * @returns {Promise<void>} once it answers
 */
export async function serve(root, { dev, host, port }) {
  const server = createServer();
  const stop = endInOrder(server);
  // In development Next shows such errors in the page and lives on, which is what one wants between two edits.
  if (!dev) endOnCrash(stop);
  try {
    const actualPort = await listen(server, { host, port }, dev ? "dev" : "start");
    // Requests that come before Next is ready wait for it instead of being turned away.
    const ready = prepareNext(root, { dev, host, port: actualPort, server });
    server.on("request", (request, response) => {
      if (refuseMalformed(request, response)) return;
      ready.then((handle) => handle(request, response)).catch(() => response.destroy());
    });
    await ready;
    await globalThis.__redlockConsole?.ready;
    say(`Redlock Console: ${consoleUrl({ host, port: actualPort })}`);
  } catch (error) {
    complain(error);
    await stop(1);
  }
}

/**
 * Answers paths that cannot be percent-decoded: Next would call them its own failure (500) before any route is asked.
 *
 * @returns {boolean} whether it was one
 */
function refuseMalformed(request, response) {
  try {
    decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    return false;
  } catch {
    const requestId = randomUUID();
    const message = "The path is not valid percent-encoding: write a percent sign as %25.";
    response.writeHead(400, {
      "content-type": "application/json",
      "cache-control": "no-store",
      "x-request-id": requestId,
    });
    response.end(JSON.stringify({ error: { code: "invalid_request", message, requestId } }));
    return true;
  }
}

async function prepareNext(root, { dev, host, port, server }) {
  process.env.NODE_ENV = dev ? "development" : "production";
  process.env.NEXT_TELEMETRY_DISABLED = "1";
  const { default: next } = await import("next");
  const app = next({ dev, dir: root, hostname: host, port, httpServer: server });
  await app.prepare();
  return app.getRequestHandler();
}

/**
 * Ends with a signal: no new requests, then everything the runtime started, then us. A second signal ends at once.
 *
 * @param {import("node:http").Server} server
 * @returns {(code: number) => Promise<void>} ends now
 */
function endInOrder(server) {
  let firstAt = null;
  const stop = async (code) => {
    if (firstAt !== null) {
      if (performance.now() - firstAt > SAME_SIGNAL_MS) process.exit(code || 130);
      return;
    }
    firstAt = performance.now();
    setTimeout(() => process.exit(1), STOP_MS_MAX);
    server.close();
    try {
      await globalThis.__redlockConsole?.shutdown();
    } catch (error) {
      complain(error);
    }
    server.closeAllConnections();
    process.exit(code);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stop(0));
  return stop;
}

/** After an error nobody expected nothing in memory can be relied on, least of all who holds which lock. */
function endOnCrash(stop) {
  const onError = (error) => {
    complain(error);
    if (!isPeerGone(error)) stop(1);
  };
  process.on("uncaughtException", onError);
  process.on("unhandledRejection", onError);
}

/** A browser that closed its tab in the middle of an answer is no reason to stop the console for everybody else. */
function isPeerGone(error) {
  const { name, code } = error ?? {};
  return name === "AbortError" || name === "ResponseAborted" || PEER_GONE_CODES.includes(code);
}
