// Stands for a console: starts an embedded cluster of two, says its process ids in one line, and waits to be killed.
import { startEmbeddedCluster } from "@/lib/cluster";

const cluster = await startEmbeddedCluster({ folder: process.argv[2] ?? "", size: 2 });
const [first] = cluster.nodes;
// A stopped process ignores everything but SIGKILL: the keeper must end it as well.
if (first !== undefined) await cluster.apply(first.id, "pause");
process.stdout.write(`${JSON.stringify(cluster.nodes.map((node) => node.process().pid))}\n`);
setInterval(() => {}, 1000);
