import Markdown from 'react-markdown';
import { duration } from '../../ui/format.ts';
import { words } from '../../words.ts';
import type { Step, ToolCall } from './steps.ts';

/** @param now of the newest event that is shown, in Unix milliseconds */
export const Steps = ({
  steps,
  isOver,
  now,
}: {
  readonly steps: readonly Step[];
  readonly isOver: boolean;
  readonly now: number;
}) => {
  if (steps.length === 0) return <p className="faint">{words.agents.noSteps}</p>;
  return (
    <ol className="steps">
      {steps.map((step) => (
        <li key={step.number}>
          <div className="step-head">
            <strong>{words.agents.step(step.number)}</strong>
            <span className="faint">
              {[
                step.model,
                duration((step.answeredAt ?? now) - step.startedAt),
                step.usage && words.agents.tokens(step.usage.input_tokens, step.usage.output_tokens),
              ]
                .filter((part) => part !== undefined)
                .join(', ')}
            </span>
          </div>
          {step.thought !== '' && (
            <div className="step-part thought">
              <span className="faint">{words.agents.thought}</span>
              <p className="pre-line">{step.thought}</p>
            </div>
          )}
          {step.text !== '' && (
            <div className="step-part">
              <span className="faint">{words.agents.said}</span>
              <div className="answer-text">
                <Markdown>{step.text}</Markdown>
              </div>
            </div>
          )}
          {step.tools.map((call) => (
            <Call key={call.id} call={call} isOver={isOver} />
          ))}
          {step.notes.map((note) => (
            <p key={note} className="note">
              {note}
            </p>
          ))}
          {step.request !== undefined && (
            <details>
              <summary>{words.agents.request}</summary>
              <pre className="json">{JSON.stringify(step.request, null, 2)}</pre>
            </details>
          )}
        </li>
      ))}
    </ol>
  );
};

const Call = ({ call, isOver }: { readonly call: ToolCall; readonly isOver: boolean }) => (
  <div className={`step-part call${call.isError ? ' bad' : ''}`}>
    <span>
      <span className="faint">{words.agents.called}</span> <code>{call.tool}</code>{' '}
      <span className="faint">
        {call.answeredAt !== undefined
          ? duration(call.answeredAt - call.calledAt)
          : isOver
            ? ''
            : words.agents.waits}
      </span>
    </span>
    <pre className="json">{pretty(call.given)}</pre>
    {call.answer !== undefined && (
      <details open={call.isError}>
        <summary>{call.isError ? words.agents.refused : words.agents.answered}</summary>
        <pre className="json">{pretty(call.answer)}</pre>
        {call.isCut && <small>{words.agents.cut}</small>}
      </details>
    )}
  </div>
);

/** JSON with indents, also where each line is JSON of its own; what is none as it is. */
const pretty = (text: string): string => {
  const indented = (json: string): string => JSON.stringify(JSON.parse(json), null, 2);
  try {
    return indented(text);
  } catch {
    try {
      return text.trim().split('\n').map(indented).join('\n');
    } catch {
      return text;
    }
  }
};
