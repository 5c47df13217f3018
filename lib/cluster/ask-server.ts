import { connect } from "node:net";

const ANSWER_WITHIN_MS = 500;
const ANSWER_BYTES_MAX = 64 * 1024;

/** What is needed to tell whether our server is ready. */
export interface ServerAnswer {
  readonly pid: number;
  readonly isLoading: boolean;
}

/** Asks whatever listens on the port for INFO; null when nothing does, or it is no Redis that answers. */
export function askServer(port: number): Promise<ServerAnswer | null> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" });
    let text = "";
    const end = (answer: ServerAnswer | null) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(ANSWER_WITHIN_MS, () => end(null));
    socket.on("error", () => end(null));
    socket.on("close", () => end(null));
    socket.on("data", (bytes) => {
      text += bytes.toString("latin1");
      const pid = /process_id:(\d+)\r/.exec(text)?.[1];
      const loading = /\nloading:(\d)\r/.exec(text)?.[1];
      if (pid !== undefined && loading !== undefined) end({ pid: Number(pid), isLoading: loading === "1" });
      else if (text.startsWith("-") || text.length > ANSWER_BYTES_MAX) end(null);
    });
    socket.write("INFO\r\n");
  });
}
