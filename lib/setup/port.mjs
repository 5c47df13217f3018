import { createServer } from "node:net";
import { SetupError } from "./sentences.mjs";

/**
 * Fails early, before anything is installed or built, when nobody could listen there anyway.
 *
 * @param {{ host: string, port: number }} place port 0: any free one
 * @param {string} verb the npm script, for the advice
 * @returns {Promise<void>}
 * @throws {SetupError} taken, forbidden, or no such address
 */
export async function requireFreePort(place, verb) {
  const probe = createServer();
  await listen(probe, place, verb);
  await new Promise((resolve) => probe.close(resolve));
}

/**
 * Listens, or says in a sentence why that is impossible.
 *
 * @param {import("node:net").Server} server
 * @param {{ host: string, port: number }} place
 * @param {string} verb
 * @returns {Promise<number>} the port, which differs from the one asked for when that was 0
 */
export function listen(server, { host, port }, verb) {
  return new Promise((resolve, reject) => {
    const fail = (error) => reject(new SetupError(portSentence(error.code, { host, port }, verb)));
    server.once("error", fail);
    server.listen({ host: host.replace(/^\[|\]$/g, ""), port }, () => {
      server.off("error", fail);
      resolve(server.address().port);
    });
  });
}

/**
 * @param {string} code of the failed listen
 * @param {{ host: string, port: number }} place
 * @param {string} verb
 * @returns {string}
 */
export function portSentence(code, { host, port }, verb) {
  const command = verb === "start" ? "npm start" : `npm run ${verb}`;
  const other = `PORT=${port < 1024 || port > 65_000 ? 3001 : port + 1} ${command}`;
  switch (code) {
    case "EADDRINUSE":
      return `Port ${port} is taken: another program listens there. Stop it, or use another port: ${other}`;
    case "EACCES":
      return `Port ${port} is not allowed for this user (ports below 1024 belong to root). Use another port: ${other}`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `HOST is ${host}, which is no address of this machine. Leave it out for 127.0.0.1.`;
    default:
      return `Cannot listen on ${host}, port ${port} (${code}). Use another port: ${other}`;
  }
}

/**
 * The address to open in a browser on this machine.
 *
 * @param {{ host: string, port: number }} place
 * @returns {string}
 */
export function consoleUrl({ host, port }) {
  const bare = host.replace(/^\[|\]$/g, "");
  if (bare === "0.0.0.0" || bare === "::") return `http://127.0.0.1:${port}`; // every address, this one among them
  return `http://${bare.includes(":") ? `[${bare}]` : bare}:${port}`;
}
