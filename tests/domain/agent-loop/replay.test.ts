import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { next } from '../../../domain/agent-loop/next.ts';
import { INITIAL_STATE, evolve } from '../../../domain/agent-loop/state.ts';
import type { Decision, Fact } from '../../../domain/agent-loop/step.ts';
import { workflowOf, WORKFLOW_TYPES } from '../../../domain/agent-loop/workflows.ts';
import { assignment, LIMITS, passage, play, says } from '../../support/agent/loops.ts';

const NAMES = ['search', 'get_content', 'ask', 'crm__look_up', 'nothing'] as const;
const contents = fc.oneof(
  fc.constantFrom(
    'Done [1].',
    'See [2][9].',
    '',
    '{"rows": []}',
    '{"questions": ["a", "b"]}',
    '```json\n{}\n```',
  ),
  fc.string({ maxLength: 30 }),
);
const answers = fc.record({
  content: contents,
  calls: fc.array(fc.tuple(fc.constantFrom(...NAMES)), { maxLength: 3 }),
  finishReason: fc.oneof(
    { weight: 8, arbitrary: fc.constant('stop' as const) },
    { weight: 1, arbitrary: fc.constantFrom('length' as const, 'content_filter' as const) },
  ),
});
const scripts = fc.array(answers, { maxLength: 8 }).map((list) =>
  list.map(({ content, calls, finishReason }) => (place: number): Fact => {
    const fact = says(content, ...calls)(place);
    return fact.kind === 'answered' ? { ...fact, finishReason } : fact;
  }),
);
const results = fc.array(
  fc.oneof(
    fc.nat(9).map((n) => passage(n + 1)),
    fc.string({ maxLength: 20 }),
  ),
  {
    minLength: 1,
    maxLength: 5,
  },
);

/** Results without a call before them, and calls without a result behind them. */
const misplaced = (decision: Decision): readonly string[] => {
  if (decision.kind !== 'call_model') return [];
  const open = new Set<string>();
  const wrong: string[] = [];
  for (const message of decision.messages) {
    if (message.role === 'tool') {
      if (!open.delete(message.toolCallId)) wrong.push(`result of ${message.toolCallId}`);
    } else wrong.push(...open);
    if (message.role === 'assistant') for (const { id } of message.toolCalls ?? []) open.add(id);
  }
  return [...wrong, ...open];
};

const FEW = { ...LIMITS, steps: 6, toolCalls: 12 };

describe('a run', () => {
  it('is decided again as it was, from what is kept of it, at every step', () => {
    const reached = new Set<string>();
    fc.assert(
      fc.property(
        fc.constantFrom(...WORKFLOW_TYPES),
        fc.boolean(),
        scripts,
        results,
        (type, toolUse, script, returned) => {
          const workflow = workflowOf(type)!;
          const input = { ...assignment().input, schema: { type: 'object' } };
          const of = assignment({ input, model: { ...assignment().model, toolUse } });
          let calls = 0;
          const tool = (): string => returned.slice(0, (calls++ % returned.length) + 1).join('\n');
          const played = play(workflow, of, script, tool, FEW);
          // What is kept is JSON: nothing else may matter.
          const kept = JSON.parse(JSON.stringify(played.facts)) as readonly Fact[];
          const again: Decision[] = [next(workflow, FEW, of, INITIAL_STATE, 0)];
          let state = INITIAL_STATE;
          for (const fact of kept) {
            state = evolve(state, fact);
            again.push(next(workflow, FEW, of, state, 0));
          }
          // Between the results of calls that are made together, the rest of these calls is pending work.
          const known = again.map((one) => JSON.stringify(one));
          let from = 0;
          for (const decision of played.decisions) {
            from = known.indexOf(JSON.stringify(decision), from);
            expect(from).toBeGreaterThanOrEqual(0);
          }
          expect(known.at(-1)).toBe(JSON.stringify(played.decisions.at(-1)));
          const last = played.decisions.at(-1)!;
          reached.add(`${type} ${last.kind === 'fail' ? last.code : last.kind}`);
        },
      ),
      { numRuns: 1_500 },
    );
    expect([...reached]).toEqual(
      expect.arrayContaining([
        'chat finish',
        'chat empty_answer',
        'chat content_filter',
        'chat answer_cut',
        'chat step_limit',
        'research finish',
        'research citations_unresolved',
        'extract finish',
      ]),
    );
  });

  it('asks the model for nothing while a call that it asked for has no result', () => {
    fc.assert(
      fc.property(scripts, (script) => {
        const { decisions } = play(workflowOf('chat')!, assignment(), script);
        expect(decisions.flatMap(misplaced)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
