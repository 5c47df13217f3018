"use client";

import { type FormEvent, useState } from "react";
import { type ApiError, formatDuration, parseDuration } from "@/lib/client";
import type { AcquireBody } from "@/lib/contract";
import { TTL_MS_MAX, TTL_MS_MIN } from "@/lib/redlock";
import { Button } from "../ui/button";
import { Choice } from "../ui/choice";
import { DialogActions } from "../ui/dialog";
import { Field, inputLook } from "../ui/field";

type Props = {
  readonly resource: string;
  readonly isWaiting: boolean;
  readonly error: ApiError | null;
  readonly onSubmit: (body: AcquireBody) => void;
  readonly onCancel: () => void;
};

const WAIT_MS_MAX = 60_000;

/** What to lock, for how long, and how patiently. */
export function AcquireForm({ resource, isWaiting, error, onSubmit, onCancel }: Props) {
  const [resources, setResources] = useState(resource);
  const [ttl, setTtl] = useState("30s");
  const [wait, setWait] = useState("0s");
  const [keepAlive, setKeepAlive] = useState(false);
  const [fencing, setFencing] = useState(false);
  const [note, setNote] = useState("");
  const [isChecked, setIsChecked] = useState(false);
  const names = namesIn(resources);
  const ttlMs = parseDuration(ttl);
  const waitMs = parseDuration(wait);
  const problems = {
    resources: names.length === 0 ? "Name at least one resource." : null,
    ttl: ttlProblem(ttlMs),
    wait: waitMs === null || waitMs > WAIT_MS_MAX ? "A time up to one minute, with its unit: 0s, 5s." : null,
  };
  const shown = isChecked ? problems : { resources: null, ttl: null, wait: null };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (ttlMs === null || waitMs === null || Object.values(problems).some((problem) => problem !== null)) return;
    onSubmit({
      resources: names,
      ttlMs,
      waitMs,
      keepAlive,
      fencing,
      ...(note.trim() === "" ? {} : { note: note.trim() }),
    });
  };
  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      <Field label="Resources" hint="One name per line; several become one lock, all or none." error={shown.resources}>
        {(control) => (
          <textarea
            {...control}
            rows={Math.min(5, Math.max(1, resources.split("\n").length))}
            value={resources}
            onChange={(event) => setResources(event.target.value)}
            placeholder="orders:42"
            spellCheck={false}
            className={inputLook("resize-y font-mono")}
          />
        )}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Time to live" hint="The nodes forget the lock after it: 500ms, 30s, 5m." error={shown.ttl}>
          {(control) => (
            <input {...control} value={ttl} onChange={(event) => setTtl(event.target.value)} className={inputLook()} />
          )}
        </Field>
        <Field label="Wait up to" hint="Keep trying while somebody else holds it; 0s tries once." error={shown.wait}>
          {(control) => (
            <input
              {...control}
              value={wait}
              onChange={(event) => setWait(event.target.value)}
              className={inputLook()}
            />
          )}
        </Field>
      </div>
      <Choice
        label="Keep alive"
        hint="The console extends it by itself until it is released."
        isChosen={keepAlive}
        onChange={setKeepAlive}
      />
      <Choice
        label="Fencing token"
        hint="A number higher than that of every earlier lock, for resources that check it."
        isChosen={fencing}
        onChange={setFencing}
      />
      <Field label="Note" hint="Optional: why you take it. Goes into the record.">
        {(control) => (
          <input {...control} value={note} onChange={(event) => setNote(event.target.value)} className={inputLook()} />
        )}
      </Field>
      {error !== null && (
        <p role="alert" className="rounded-lg bg-bad-soft px-3 py-2">
          <span className="font-semibold text-bad">{error.message}</span> {error.nextStep}
        </p>
      )}
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button look="primary" type="submit" disabledReason={isWaiting ? "the nodes are being asked" : null}>
          {isWaiting ? "Asking the nodes…" : "Acquire"}
        </Button>
      </DialogActions>
    </form>
  );
}

function namesIn(text: string): string[] {
  return [...new Set(text.split("\n").map((line) => line.trim()))].filter((line) => line !== "");
}

function ttlProblem(ttlMs: number | null): string | null {
  if (ttlMs === null) return "A time with its unit: 500ms, 30s, 5m, 2h.";
  if (ttlMs < TTL_MS_MIN) return `At least ${TTL_MS_MIN} ms.`;
  return ttlMs > TTL_MS_MAX ? `At most ${formatDuration(TTL_MS_MAX)}.` : null;
}
