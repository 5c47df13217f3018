import { Field, inputLook } from "./field";

/** The server's own limits, `reasonSchema`. */
const REASON_LENGTH_MIN = 3;
const REASON_LENGTH_MAX = 500;

type Props = {
  readonly value: string;
  readonly onChange: (reason: string) => void;
  /** Where the reason goes. */
  readonly hint: string;
};

/** Why an operator acts. Every action that takes something away from somebody asks for it. */
export function ReasonField({ value, onChange, hint }: Props) {
  return (
    <Field label="Reason" hint={hint}>
      {(control) => (
        <input
          {...control}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          maxLength={REASON_LENGTH_MAX}
          required
          className={inputLook()}
        />
      )}
    </Field>
  );
}

/** Why the reason will not do yet; null when it will. */
export function reasonProblem(reason: string): string | null {
  return reason.trim().length < REASON_LENGTH_MIN ? "say why first" : null;
}
