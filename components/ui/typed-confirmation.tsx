import { Field, inputLook } from "./field";

type Props = {
  /** What must be typed, letter for letter. */
  readonly expected: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
};

/** Friction on purpose: typing the name of what is about to be changed. */
export function TypedConfirmation({ expected, value, onChange }: Props) {
  return (
    <Field
      label={
        <>
          Type <code className="break-all rounded bg-track px-1 py-0.5">{expected}</code> to confirm
        </>
      }
    >
      {(control) => (
        <input
          {...control}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          autoComplete="off"
          spellCheck={false}
          className={inputLook("font-mono")}
        />
      )}
    </Field>
  );
}
