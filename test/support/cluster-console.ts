// Stands for a console: starts an embedded cluster of two and a lab client, says their process ids in one line, and waits to be killed.
import { startEmbeddedCluster } from "@/lib/cluster";

const [, , folder = "", clientProgram = ""] = process.argv;
const cluster = await startEmbeddedCluster({ folder, size: 2 });
const [first] = cluster.nodes;
const client = cluster.startClient(clientProgram, {}, { onMessage: () => {}, onEnd: () => {} });
// A stopped process ignores everything but SIGKILL: the keeper must end it as well.
if (first !== undefined) await cluster.apply(first.id, "pause");
client.pause();
process.stdout.write(`${JSON.stringify([...cluster.nodes.map((node) => node.process().pid), client.pid])}\n`);
setInterval(() => {}, 1000);
