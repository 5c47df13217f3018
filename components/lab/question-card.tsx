import type { LabQuestion, LabRun } from "@/lib/contract";
import { Button } from "../ui/button";

/** What a viewer foresaw, by question: the option; null = did not want to say. */
export type Predictions = ReadonlyMap<string, number | null>;

type CardProps = { readonly question: LabQuestion; readonly onAnswer: (option: number | null) => void };

/** Asked while the drawing waits, right before it happens. */
export function QuestionCard({ question, onAnswer }: CardProps) {
  return (
    <section aria-label="Prediction" className="mt-3 rounded-lg border border-accent bg-accent-soft p-3">
      <p className="font-semibold text-[15px]">{question.ask}</p>
      <p className="text-[13px] text-mute">The drawing waits for your answer; the run has gone on.</p>
      <div className="mt-2 flex flex-wrap gap-2">
        {question.options.map((option, index) => (
          <Button key={option} className="whitespace-normal text-left" onClick={() => onAnswer(index)}>
            {option}
          </Button>
        ))}
        <Button look="quiet" onClick={() => onAnswer(null)}>
          Show me
        </Button>
      </div>
    </section>
  );
}

type ScoreProps = {
  readonly questions: readonly LabQuestion[];
  readonly predictions: Predictions;
  readonly answers: LabRun["answers"];
};

/** What was foreseen against what the record shows. Nothing is counted that the record does not tell. */
export function Score({ questions, predictions, answers }: ScoreProps) {
  const rows = questions.flatMap((question) => {
    const option = answers.find((answer) => answer.question === question.id)?.option ?? null;
    const said = predictions.get(question.id);
    return said === undefined || option === null ? [] : [{ question, option, said }];
  });
  if (rows.length === 0) return null;
  const right = rows.filter(({ option, said }) => option === said).length;
  return (
    <section aria-label="Score" className="mt-4 rounded-lg border border-line p-3">
      <p className="font-semibold">
        You foresaw {right} of {rows.length}
      </p>
      <ul className="mt-1 grid gap-1">
        {rows.map(({ question, option, said }) => (
          <li key={question.id}>
            {question.ask} <b>{question.options[option]}</b>
            <span className={said === option ? "text-ok" : "text-mute"}>
              {said === null
                ? " (you did not say)"
                : said === option
                  ? " (as you said)"
                  : ` (you said: ${question.options[said]})`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
