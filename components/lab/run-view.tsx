import { Download } from "lucide-react";
import { useMemo, useState } from "react";
import { isRunOn } from "@/lib/client";
import type { LabRun, LabScenario } from "@/lib/contract";
import { Button } from "../ui/button";
import { download } from "../ui/download";
import { Panel } from "../ui/panel";
import { ContestTable } from "./contest-table";
import { EventLog } from "./event-log";
import { ForkButton } from "./fork-button";
import { recordFile, timelineFile } from "./lab-export";
import { LabPicture } from "./lab-picture";
import { LabScene } from "./lab-scene";
import { seconds, stateWords, wordsOf } from "./lab-words";
import { PlaybackBar } from "./playback-bar";
import { type Predictions, QuestionCard, Score } from "./question-card";
import { gateOf, runAt } from "./run-at";
import { SandboxPanel } from "./sandbox-panel";
import { usePlayhead } from "./use-playhead";
import { usePresenterKeys } from "./use-presenter-keys";
import { Verdict } from "./verdict";

type Props = {
  readonly run: LabRun;
  /** Monotonic milliseconds of the page when `run.tookMs` was true. */
  readonly heardAtMs: number;
  readonly scenario: LabScenario;
  /** Another page drives it. */
  readonly isOthers: boolean;
  readonly isPredicting: boolean;
  /** Only what is to be seen from afar; the arrow keys step. */
  readonly isPresenting: boolean;
  /** Plays the scenario again with another seed. @param atMs where the drawing stood */
  readonly onFork: (atMs: number) => Promise<void>;
};

/** One run as it stands at the playhead: what just happened, the pictures, the verdict, and the record in words. */
export function RunView({ run, heardAtMs, scenario, isOthers, isPredicting, isPresenting, onFork }: Props) {
  const [predictions, setPredictions] = useState<Predictions>(new Map());
  const gate = isPredicting ? gateOf(run.events, scenario.questions, (id) => predictions.has(id)) : null;
  const playback = usePlayhead(run, heardAtMs, gate?.atMs ?? Number.POSITIVE_INFINITY);
  const { head, atMs, edgeMs, isAtGate, setHead } = playback;
  const shown = useMemo(() => runAt(run, atMs), [run, atMs]);
  usePresenterKeys(isPresenting, run, playback);
  const told = shown.events.findLast((event) => event.kind === "told");
  const isEnd = !isRunOn(shown);
  const answer = (question: string, option: number | null) => {
    setPredictions((before) => new Map([...before, [question, option]]));
    setHead({ ...head, mode: "playing", atMs });
  };
  return (
    <Panel title={`${scenario.title}: ${run.n} masters, seed ${run.seed}`} aside={<code>{seconds(atMs)}</code>}>
      <p role="status" className={`min-h-6 font-semibold ${isPresenting ? "text-[20px]" : "text-[15px]"}`}>
        {told === undefined || shown.state === "starting" ? stateWords(shown) : wordsOf(told)}
      </p>
      {gate !== null && isAtGate && (
        <QuestionCard question={gate.question} onAnswer={(option) => answer(gate.question.id, option)} />
      )}
      <div className="mt-3 grid gap-4">
        <LabScene run={run} atMs={atMs} />
        <PlaybackBar run={run} playback={playback} />
        <LabPicture run={shown} edgeMs={edgeMs} isOn={isRunOn(run)} />
      </div>
      <ContestTable events={shown.events} />
      {!isPresenting && <Legend />}
      {run.scenario === "sandbox" && isRunOn(run) && !isPresenting && (
        <SandboxPanel run={run} blocked={isOthers ? "another page drives this run: take over first" : null} />
      )}
      <Verdict run={shown} scenario={scenario} />
      {isEnd && <Score questions={scenario.questions} predictions={predictions} answers={run.answers} />}
      {!isPresenting && (
        <div className="mt-4 flex flex-wrap items-center gap-2">
          <ForkButton run={run} atMs={atMs} onFork={() => onFork(atMs)} />
          <Button size="small" onClick={() => download(recordFile(run))}>
            <Download aria-hidden className="size-3.5" />
            Record as JSON
          </Button>
          <Button size="small" onClick={() => download(timelineFile(run, scenario))}>
            <Download aria-hidden className="size-3.5" />
            Timeline as SVG
          </Button>
        </div>
      )}
      {!isPresenting && <EventLog run={shown} />}
    </Panel>
  );
}

function Legend() {
  return (
    <p className="mt-2 text-[13px] text-mute">
      A bar of a client: how long it believes to hold the lock. ✕: refused. A bar of a node: whose key it has, by
      fingerprint of the token. Solid line: up; dashed: paused; none: down. Hatched: two clients believe to hold it.
      Every fault is real (signal, process, socket) unless the record says otherwise.
    </p>
  );
}
