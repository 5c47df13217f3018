import { Field, inputLook } from "../ui/field";

type Props = {
  readonly tokens: readonly string[];
  readonly chosen: string;
  readonly onChoose: (fingerprint: string) => void;
};

/** Which token is meant: the one that was seen, or one of several. */
export function TokenChoice({ tokens, chosen, onChoose }: Props) {
  if (tokens.length < 2) {
    return (
      <p>
        Token <code className="rounded bg-track px-1 py-0.5">{chosen}</code>, and no other: a lock that changes hands
        meanwhile is left alone.
      </p>
    );
  }
  return (
    <Field label="Token" hint="Several tokens share the nodes; only the chosen one is touched.">
      {(control) => (
        <select
          {...control}
          value={chosen}
          onChange={(event) => onChoose(event.target.value)}
          className={inputLook("font-mono")}
        >
          {tokens.map((token) => (
            <option key={token}>{token}</option>
          ))}
        </select>
      )}
    </Field>
  );
}
