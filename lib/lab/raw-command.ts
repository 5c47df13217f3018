import { connect } from "node:net";

const REPLY_BYTES_MAX = 4096;

/**
 * Sends one command as a careless client does: over a connection of its own, without any script, and gives up when the answer is
 * late. What was sent stays sent.
 *
 * @returns the first line of the reply; null when there was none in time, or no connection
 */
export function sendRaw(port: number, words: readonly string[], withinMs: number): Promise<string | null> {
  const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
  return sendText(port, `*${words.length}\r\n${parts.join("")}`, withinMs);
}

/** As `sendRaw`, for something that does not speak the protocol of Redis but answers in lines. */
export function sendText(port: number, text: string, withinMs: number): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    let reply = "";
    const end = (answer: string | null): void => {
      clearTimeout(timer);
      // In order, so that what was written still arrives.
      socket.end();
      socket.unref();
      resolve(answer);
    };
    const timer = setTimeout(() => end(null), withinMs);
    socket.on("error", () => end(null));
    socket.on("data", (bytes) => {
      reply += bytes.toString("latin1");
      const at = reply.indexOf("\r\n");
      if (at >= 0) end(reply.slice(0, at));
      else if (reply.length > REPLY_BYTES_MAX) end(null);
    });
    socket.write(text);
  });
}
