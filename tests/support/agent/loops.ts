import type { AgentMessage } from '../../../domain/agent-run/message.ts';
import { INITIAL_STATE, evolve, type LoopState } from '../../../domain/agent-loop/state.ts';
import type { LoopLimits } from '../../../domain/agent-loop/limits.ts';
import { type Assignment, type Workflow, next } from '../../../domain/agent-loop/next.ts';
import { passageLine } from '../../../domain/agent-loop/passages.ts';
import type { Decision, Fact, LoopMessage } from '../../../domain/agent-loop/step.ts';

export const LIMITS: LoopLimits = { steps: 30, toolCalls: 100, ms: 60_000, tokens: 1_000_000, cost: null };

export const assignment = (more: Partial<Assignment> = {}): Assignment => ({
  history: [],
  input: { messages: [{ role: 'user', content: 'What do falcons hunt?' }] },
  model: { toolUse: true, structuredOutput: true, contextWindow: 32_000 },
  problemsOf: () => [],
  ...more,
});

export const passage = (number: number, more: object = {}): string =>
  passageLine({
    number,
    contentId: `content-${number}`,
    sourceId: `source-${Math.ceil(number / 2)}`,
    title: `Title ${number}`,
    url: `https://docs.example/${number}`,
    text: `Fact ${number}.`,
    ...more,
  });

export const user = (content: string): AgentMessage => ({ role: 'user', content });
export const assistant = (content: string): AgentMessage => ({ role: 'assistant', content });

export const messagesOf = (decision: Decision | undefined): readonly LoopMessage[] =>
  decision?.kind === 'call_model' ? decision.messages : [];

/** An answer of a model. */
export const says =
  (content: string, ...calls: readonly (readonly [name: string, given?: object | string])[]) =>
  (place: number): Fact => ({
    kind: 'answered',
    message: {
      role: 'assistant',
      content,
      ...(calls.length > 0 && {
        toolCalls: calls.map(([name, given = {}], i) => ({
          id: `${place}-${i}`,
          name,
          arguments: typeof given === 'string' ? given : JSON.stringify(given),
        })),
      }),
    },
    finishReason: 'stop',
    tokens: 10,
    cost: 5,
  });

export interface Played {
  readonly decisions: readonly Decision[];
  readonly facts: readonly Fact[];
  readonly state: LoopState;
}

/**
 * Plays a run to its end, or to as many decisions as `most`: the model answers by the script, tools by `tool`.
 */
export const play = (
  workflow: Workflow,
  of: Assignment,
  script: readonly ((place: number) => Fact)[],
  tool: (name: string, given: string) => string = () => 'nothing',
  limits: LoopLimits = LIMITS,
): Played => {
  const facts: Fact[] = [];
  const decisions: Decision[] = [];
  let state = INITIAL_STATE;
  let answers = 0;
  const learn = (fact: Fact): void => {
    facts.push(fact);
    state = evolve(state, fact);
  };
  for (;;) {
    const decision = next(workflow, limits, of, state, 0);
    decisions.push(decision);
    if (decision.kind === 'finish' || decision.kind === 'fail') return { decisions, facts, state };
    if (decision.kind === 'call_model') {
      const answer = script[answers] ?? says('I am done.');
      learn(answer((answers += 1)));
      continue;
    }
    for (const { id, name, arguments: given } of decision.calls)
      learn({ kind: 'returned', callId: id, tool: name, isError: false, content: tool(name, given) });
  }
};
