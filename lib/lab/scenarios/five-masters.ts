import { LAB_NODES_MAX } from "@/lib/contract";
import { quorumOf } from "@/lib/redlock";
import { of, type Scenario } from "../scenario";
import { DOOR } from "../stage";
import { ask } from "../tries";

const TTL_MS = 5000;

/** How many nodes may be missing, and that one more is too many. */
export const fiveMasters: Scenario = {
  id: "five-masters",
  title: "Five masters, fewer and fewer",
  question: "How many masters may be down before nobody gets the lock, and what does an even number of them buy?",
  steps: [
    "A client takes the lock with all masters up, and gives it back.",
    "One master is killed, by the seed; the client tries again. And so on.",
    "One master more than allowed is killed: the client is refused.",
  ],
  expected:
    "Granted as long as a majority of the configured masters is up, refused with one fewer. 6 masters bear no more than 5.",
  n: { least: 1, most: LAB_NODES_MAX, usual: 5 },

  questions: [
    {
      id: "how-many",
      before: "killed (SIGKILL)",
      ask: "Masters are killed one by one. With how many of them down is A refused for the first time?",
      options: ["1", "2", "3", "4"],
      answer(events) {
        // The last one: before it a busy machine may have been too slow to answer, see `ask`.
        const refused = of(events, "refused").at(-1);
        if (refused === undefined) return null;
        return of(events, "fault").filter(({ atMs }) => atMs < refused.askedMs).length - 1;
      },
    },
  ],

  async play(stage) {
    const { nodes, quorum } = stage;
    const client = await stage.enter("A", "takes the lock and gives it back, again and again");
    const victims = stage.pick(nodes.length - quorum + 1);
    for (let down = 0; down <= victims.length; down += 1) {
      const up = nodes.length - down;
      const outcome = await (up < quorum ? client.acquire(DOOR, TTL_MS) : ask(client, DOOR, TTL_MS));
      if (outcome.kind === "granted") {
        stage.tell(`With ${up} of ${nodes.length} up the lock is granted: ${quorum} votes are needed.`);
        await client.release(outcome.id);
      } else {
        stage.tell(
          `With ${up} of ${nodes.length} up it is refused: ${quorum} votes are needed, so nobody can have it.`,
        );
      }
      const victim = victims[down];
      if (victim === undefined) break;
      await stage.machines.kill(victim);
      await stage.until((sights) => sights.get(victim)?.state === "down", `node ${victim} to be down`);
    }
    stage.tell(
      `${nodes.length} masters bear ${nodes.length - quorum} down${nodes.length % 2 === 0 ? `, as ${nodes.length - 1} do` : ""}.`,
    );
  },

  check(events, n) {
    const quorum = quorumOf(n);
    const tries = events.filter((event) => event.kind === "granted" || event.kind === "refused");
    // Counted from what was observed of the nodes, not from what was done to them.
    const upAt = (atMs: number): number => {
      const down = new Map(
        of(events, "node")
          .filter((event) => event.atMs <= atMs)
          .map(({ node, state }) => [node, state]),
      );
      return [...down.values()].filter((state) => state === "up").length;
    };
    return Array.from({ length: n - quorum + 2 }, (_, down) => {
      const up = n - down;
      const kinds = tries.filter(({ askedMs }) => upAt(askedMs) === up).map(({ kind }) => kind);
      const wanted = up >= quorum ? "granted" : "refused";
      return { says: `${wanted} with ${up} of ${n} up`, isMet: kinds.at(-1) === wanted };
    });
  },
};
