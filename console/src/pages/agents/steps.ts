import type { AgentRunEvent, Usage } from 'knowledger-client';

export interface ToolCall {
  readonly id: string;
  readonly tool: string;
  readonly readOnly: boolean;
  /** JSON, as the model gave it. */
  readonly given: string;
  readonly calledAt: number;
  readonly answer?: string;
  readonly isError?: boolean;
  readonly isCut?: boolean;
  readonly answeredAt?: number;
}

/** One request to the model, with what came of it. Moments are Unix milliseconds. */
export interface Step {
  readonly number: number;
  readonly startedAt: number;
  readonly model?: string;
  /** What the model was sent, as JSON. */
  readonly request?: unknown;
  readonly thought: string;
  readonly text: string;
  readonly notes: readonly string[];
  readonly tools: readonly ToolCall[];
  readonly usage?: Usage;
  readonly answeredAt?: number;
}

const textOf = (body: AgentRunEvent['body'], ...path: readonly string[]): string => {
  let value: unknown = body;
  for (const name of path) value = (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];
  return typeof value === 'string' ? value : '';
};

/** The steps of a run, as they were after these events of it. */
export const stepsOf = (events: readonly AgentRunEvent[]): readonly Step[] => {
  const steps: Step[] = [];
  const change = (number: number, at: number, how: (step: Step) => Partial<Step>): void => {
    let index = steps.findIndex((step) => step.number === number);
    if (index < 0)
      index = steps.push({ number, startedAt: at, thought: '', text: '', notes: [], tools: [] }) - 1;
    steps[index] = { ...steps[index]!, ...how(steps[index]!) };
  };
  for (const { type, data, body, time } of events) {
    if (type !== 'RunEmitted') continue;
    const at = Date.parse(time);
    const { emission } = data;
    switch (emission.kind) {
      case 'step':
        change(emission.step, at, () => ({}));
        break;
      case 'model_called':
        change(emission.step, at, () => ({ model: emission.model, request: body?.['request'] }));
        break;
      case 'reasoning':
        change(emission.step, at, ({ thought }) => ({ thought: thought + textOf(body, 'delta') }));
        break;
      case 'text':
        change(emission.step, at, ({ text }) => ({ text: text + textOf(body, 'delta') }));
        break;
      case 'model_answered':
        change(emission.step, at, ({ text }) => ({
          // An answer that was not streamed comes whole.
          text: text === '' ? textOf(body, 'message', 'content') : text,
          answeredAt: at,
          ...(emission.usage !== null && { usage: emission.usage }),
        }));
        break;
      case 'tool_called': {
        const call: ToolCall = {
          id: emission.call_id,
          tool: emission.tool,
          readOnly: emission.read_only,
          given: textOf(body, 'arguments'),
          calledAt: at,
        };
        change(emission.step, at, ({ tools }) => ({ tools: [...tools, call] }));
        break;
      }
      case 'tool_answered': {
        const answer = {
          answer: textOf(body, 'message', 'content'),
          isError: emission.is_error,
          isCut: emission.truncated,
          answeredAt: at,
        };
        change(emission.step, at, ({ tools }) => ({
          tools: tools.map((call) => (call.id === emission.call_id ? { ...call, ...answer } : call)),
        }));
        break;
      }
      case 'note':
        change(steps.at(-1)?.number ?? 0, at, ({ notes }) => ({
          notes: [...notes, textOf(body, 'message') || emission.code.replaceAll('_', ' ')],
        }));
        break;
      case 'citations':
        break;
    }
  }
  return steps;
};

/** Of all requests to the model together. */
export const tokensOf = (steps: readonly Step[]): Usage => ({
  input_tokens: steps.reduce((sum, { usage }) => sum + (usage?.input_tokens ?? 0), 0),
  output_tokens: steps.reduce((sum, { usage }) => sum + (usage?.output_tokens ?? 0), 0),
});
