import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentRunEvent } from '../../clients/typescript/src/index.ts';
import { placedRuns, type RunNode } from '../../console/src/pages/agents/placed-runs.ts';
import { stepsOf, tokensOf } from '../../console/src/pages/agents/steps.ts';
import { inWords } from '../../console/src/ui/format.ts';

/** Runs whose parents are earlier ones, or none. */
const threads = fc.array(fc.nat({ max: 1_000 }), { minLength: 8, maxLength: 40 }).map((picks) =>
  picks.map((pick, i): RunNode => {
    const parent = i === 0 ? 0 : pick % (i + 1);
    return {
      run_id: `run ${i}`,
      parent_run_id: parent === 0 ? null : `run ${parent - 1}`,
      status: 'SUCCEEDED',
      title: null,
      created_at: '2026-01-01T00:00:00.000Z',
    };
  }),
);

describe('the runs of a thread as a graph', () => {
  it('have a row each, below their parents, and no line passes through another run', () => {
    let branches = 0;
    fc.assert(
      fc.property(threads, (runs) => {
        const rows = placedRuns(runs);
        expect(rows.map(({ run }) => run.run_id).toSorted()).toEqual(
          runs.map(({ run_id: id }) => id).toSorted(),
        );
        expect(new Set(rows.filter(({ from }) => from === null).map(({ lane }) => lane))).toEqual(
          new Set([0]),
        );
        rows.forEach(({ run, lane, from }, row) => {
          expect(from === null ? null : rows[from.row]!.run.run_id).toBe(run.parent_run_id);
          if (from === null) return;
          expect(from.row).toBeLessThan(row);
          if (from.lane !== lane) branches += 1;
          const passed = rows.slice(from.row + 1, row).map((other) => other.lane);
          expect(passed).not.toContain(lane);
        });
      }),
    );
    expect(branches).toBeGreaterThan(100);
  });

  it('go on in the lane of their parent where nothing branches, however many they are', () => {
    const runs = Array.from({ length: 20_000 }, (_, i): RunNode => ({
      run_id: String(i),
      parent_run_id: i === 0 ? null : String(i - 1),
      status: 'SUCCEEDED',
      title: null,
      created_at: '2026-01-01T00:00:00.000Z',
    }));
    expect(new Set(placedRuns(runs).map(({ lane }) => lane))).toEqual(new Set([0]));
  });
});

describe('the steps of a run', () => {
  const emitted = (seconds: number, emission: object, body: object | null = null): AgentRunEvent =>
    ({
      type: 'RunEmitted',
      time: new Date(seconds * 1_000).toISOString(),
      data: { emission },
      body,
    }) as unknown as AgentRunEvent;
  const events = [
    emitted(1, { kind: 'step', step: 1 }),
    emitted(
      1,
      { kind: 'model_called', step: 1, model: 'm', message_count: 2 },
      { request: { messages: [] } },
    ),
    emitted(2, { kind: 'reasoning', step: 1 }, { delta: 'I look ' }),
    emitted(2, { kind: 'reasoning', step: 1 }, { delta: 'it up.' }),
    emitted(
      3,
      { kind: 'model_answered', step: 1, usage: { input_tokens: 7, output_tokens: 2 } },
      { message: { content: '' } },
    ),
    emitted(
      3,
      { kind: 'tool_called', step: 1, call_id: 'a', tool: 'search', read_only: true },
      { arguments: '{}' },
    ),
    emitted(
      3,
      { kind: 'tool_called', step: 1, call_id: 'b', tool: 'wait', read_only: false },
      { arguments: '1' },
    ),
    emitted(
      5,
      { kind: 'tool_answered', step: 1, call_id: 'b', is_error: true, truncated: false },
      { message: { content: 'no' } },
    ),
    emitted(
      6,
      { kind: 'tool_answered', step: 1, call_id: 'a', is_error: false, truncated: true },
      { message: { content: 'yes' } },
    ),
    emitted(7, { kind: 'step', step: 2 }),
    emitted(7, { kind: 'note', code: 'provider_retry' }, { message: 'again in 1 s' }),
    emitted(8, { kind: 'text', step: 2 }, { delta: 'A heron ' }),
    emitted(9, { kind: 'text', step: 2 }, { delta: 'stands.' }),
    emitted(
      9,
      { kind: 'model_answered', step: 2, usage: { input_tokens: 9, output_tokens: 4 } },
      { message: { content: 'A heron stands.' } },
    ),
  ];

  it('hold what was thought, called, answered and said, each with its time', () => {
    const steps = stepsOf(events);
    expect(steps).toMatchObject([
      {
        number: 1,
        model: 'm',
        startedAt: 1_000,
        answeredAt: 3_000,
        thought: 'I look it up.',
        text: '',
        tools: [
          {
            tool: 'search',
            given: '{}',
            calledAt: 3_000,
            answer: 'yes',
            isError: false,
            isCut: true,
            answeredAt: 6_000,
          },
          { tool: 'wait', readOnly: false, answer: 'no', isError: true, isCut: false, answeredAt: 5_000 },
        ],
      },
      { number: 2, text: 'A heron stands.', notes: ['again in 1 s'], answeredAt: 9_000 },
    ]);
    expect(tokensOf(steps)).toEqual({ input_tokens: 16, output_tokens: 6 });
  });

  it('are those that had begun at any event of a replay', () => {
    expect(stepsOf(events.slice(0, 0))).toEqual([]);
    const [step, ...others] = stepsOf(events.slice(0, 8));
    expect(others).toEqual([]);
    expect(step!.tools.map(({ answer }) => answer)).toEqual([undefined, 'no']);
  });

  it('have the text of an answer that was not streamed', () => {
    const whole = emitted(
      2,
      { kind: 'model_answered', step: 1, usage: null },
      { message: { content: 'All.' } },
    );
    expect(stepsOf([emitted(1, { kind: 'step', step: 1 }), whole])[0]!.text).toBe('All.');
  });
});

describe('a state in the history of a record', () => {
  it.each([
    ['QUEUED', 'Waiting'],
    ['SUCCEEDED', 'Succeeded'],
    ['success', 'Succeeded'],
    ['of nobody', 'of nobody'],
  ])('has the words of the pages: %s', (status, said) => {
    expect(inWords('run.status', status)).toBe(said);
  });
});
