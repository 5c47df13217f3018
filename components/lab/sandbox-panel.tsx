import { useState } from "react";
import { commandLabRun } from "@/lib/client";
import type { LabCommandBody, LabRun } from "@/lib/contract";
import { Button } from "../ui/button";
import { sceneOf } from "./scene";
import { useAct } from "./use-act";

type Props = {
  readonly run: LabRun;
  /** Why nothing can be commanded. */
  readonly blocked: string | null;
};

type Act = { readonly label: string; readonly body: LabCommandBody };

/** Any fault, on anything, at any time. The answer says what was done; the record says what came of it. */
export function SandboxPanel({ run, blocked }: Props) {
  const { isBusy, problem, act } = useAct();
  const [said, setSaid] = useState<string | null>(null);
  const { nodes, clients } = sceneOf(run, run.tookMs);
  const reason = blocked ?? (isBusy ? "in progress" : null);
  const send = (body: LabCommandBody) => act(async () => setSaid(await commandLabRun(run.id, body)));
  const nodeNames = nodes.map(({ name }) => name);
  return (
    <section aria-label="Commands" className="mt-4 grid gap-3 rounded-lg border border-line p-3">
      <p className="text-[13px] text-mute">
        Real: signals to processes, held connections, the operator's own actions. A clock is the wall clock of a real
        process, through a preloaded library; where no C compiler is there to make it, clocks are emulated, and the
        record says so.
      </p>
      {nodes.map(({ name }) => (
        <Row key={name} title={`node ${name}`} acts={nodeActs(name)} reason={reason} onSend={send} />
      ))}
      {clients.map(({ name }) => (
        <div key={name} className="grid gap-1.5">
          <Row title={`client ${name}`} acts={clientActs(name)} reason={reason} onSend={send} />
          <Links client={name} nodes={nodeNames} reason={reason} onSend={send} />
        </div>
      ))}
      <Row title="all" acts={RUN_ACTS} reason={reason} onSend={send} />
      <p role="status" className="min-h-5">
        {said}
      </p>
      {problem !== null && (
        <p role="alert" className="text-bad">
          {problem}
        </p>
      )}
    </section>
  );
}

const NODE_ACTS = ["kill", "pause", "resume", "restart"] as const;
const CLIENT_ACTS = ["pause", "resume", "kill"] as const;
const WORKS = {
  idle: "do nothing",
  short: "take and give back",
  forget: "take and forget",
  long: "keep alive",
} as const;
const LINK_ACTS = { cut: "black hole", refuse: "refuse", deafen: "lose replies", mend: "mend" } as const;
/** Felt, and within the time limit of a node. */
const FAR_MS = 200;
const CLOCK_STEP_MS = 10_000;

const RUN_ACTS: readonly Act[] = [
  { label: "New client without guard", body: { on: "entrance", isGuarded: false } },
  { label: "New client with guard", body: { on: "entrance", isGuarded: true } },
  { label: "Force-expire the lock", body: { on: "lock", act: "force-expire" } },
  { label: "Revoke the lock", body: { on: "lock", act: "revoke" } },
  { label: "Heal everything", body: { on: "run", act: "heal" } },
  { label: "End and judge", body: { on: "run", act: "end" } },
];

function nodeActs(node: string): readonly Act[] {
  return [
    ...NODE_ACTS.map((act): Act => ({ label: act, body: { on: "node", node, act } })),
    { label: "clock +10 s", body: { on: "clock", node, aheadMs: CLOCK_STEP_MS } },
    { label: "clock right", body: { on: "clock", node, aheadMs: 0 } },
  ];
}

function clientActs(client: string): readonly Act[] {
  return [
    ...CLIENT_ACTS.map((act): Act => ({ label: act, body: { on: "client", client, act } })),
    ...(Object.keys(WORKS) as (keyof typeof WORKS)[]).map(
      (act): Act => ({ label: WORKS[act], body: { on: "work", client, act } }),
    ),
  ];
}

type RowProps = {
  readonly title: string;
  readonly acts: readonly Act[];
  readonly reason: string | null;
  readonly onSend: (body: LabCommandBody) => void;
};

function Row({ title, acts, reason, onSend }: RowProps) {
  return (
    <fieldset className="flex min-w-0 flex-wrap items-center gap-1.5">
      <legend className="float-left mr-2 w-20 font-semibold">{title}</legend>
      {acts.map(({ label, body }) => (
        <Button key={label} size="small" disabledReason={reason} onClick={() => onSend(body)}>
          {label}
        </Button>
      ))}
    </fieldset>
  );
}

type LinksProps = Omit<RowProps, "title" | "acts"> & { readonly client: string; readonly nodes: readonly string[] };

function Links({ client, nodes, reason, onSend }: LinksProps) {
  const [node, setNode] = useState(nodes[0] ?? "");
  const acts: readonly Act[] = [
    ...(Object.keys(LINK_ACTS) as (keyof typeof LINK_ACTS)[]).map(
      (act): Act => ({ label: LINK_ACTS[act], body: { on: "link", client, node, act } }),
    ),
    { label: `+${FAR_MS} ms`, body: { on: "distance", client, node, ms: FAR_MS } },
    { label: "no delay", body: { on: "distance", client, node, ms: 0 } },
  ];
  return (
    <div className="flex flex-wrap items-center gap-1.5 sm:pl-22">
      <label className="text-[13px] text-mute">
        its link to{" "}
        <select
          value={node}
          onChange={(event) => setNode(event.target.value)}
          className="min-h-7 rounded-lg border border-edge bg-panel px-1.5 text-ink"
        >
          {nodes.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      {acts.map(({ label, body }) => (
        <Button key={label} size="small" disabledReason={reason} onClick={() => onSend(body)}>
          {label}
        </Button>
      ))}
    </div>
  );
}
