import { useState } from "react";
import { LAB_CROWD, type LabCrowd } from "@/lib/contract";
import { Field, inputLook } from "../ui/field";

type Props = { readonly crowd: LabCrowd; readonly onChange: (crowd: LabCrowd) => void };

/** How many clients want one lock, and how they ask. */
export function CrowdControls({ crowd, onChange }: Props) {
  return (
    <fieldset className="mt-3 flex min-w-0 flex-wrap items-center gap-x-5 gap-y-2">
      <legend className="sr-only">The crowd</legend>
      <Clients clients={crowd.clients} onChange={(clients) => onChange({ ...crowd, clients })} />
      <Switch
        label="Pauses by chance (jitter)"
        isOn={crowd.isJittered}
        onChange={(isJittered) => onChange({ ...crowd, isJittered })}
      />
      <Switch
        label="Ask one master after the other"
        isOn={crowd.isInTurn}
        onChange={(isInTurn) => onChange({ ...crowd, isInTurn })}
      />
      <p className="basis-full text-[13px] text-mute">
        Real: every client has connections of its own, in one of five processes; its distance from a master is a delay
        on that link.
      </p>
    </fieldset>
  );
}

type ClientsProps = { readonly clients: number; readonly onChange: (clients: number) => void };

/** Takes the number once it can be played; what is only half typed stays as it is until the field is left. */
function Clients({ clients, onChange }: ClientsProps) {
  const { least, most } = LAB_CROWD;
  const [draft, setDraft] = useState<string | null>(null);
  const typed = draft ?? String(clients);
  const isSound = (value: number) => Number.isInteger(value) && value >= least && value <= most;
  return (
    <Field label="Clients" error={isSound(Number(typed)) ? null : `From ${least} to ${most}.`}>
      {(control) => (
        <input
          {...control}
          type="number"
          min={least}
          max={most}
          value={typed}
          onChange={(event) => {
            setDraft(event.target.value);
            if (isSound(Number(event.target.value))) onChange(Number(event.target.value));
          }}
          onBlur={() => setDraft(null)}
          className={inputLook("w-24")}
        />
      )}
    </Field>
  );
}

type SwitchProps = { readonly label: string; readonly isOn: boolean; readonly onChange: (isOn: boolean) => void };

function Switch({ label, isOn, onChange }: SwitchProps) {
  return (
    <label className="flex items-center gap-2">
      <input
        type="checkbox"
        checked={isOn}
        onChange={(event) => onChange(event.target.checked)}
        className="size-4 accent-accent"
      />
      {label}
    </label>
  );
}
