import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  closedPart,
  type Context,
  emptyContext,
  grow,
  type Turn,
} from '../../../domain/agent-run/context.ts';
import type { AgentMessage } from '../../../domain/agent-run/message.ts';

const said = (role: 'user' | 'assistant', content: string): AgentMessage => ({ role, content });
const turn = (runId: string, tokens: number, more: Partial<Turn> = {}): Turn => ({
  runId,
  inputHistoryMode: 'delta_v1',
  messages: [said('user', `q ${runId}`), said('assistant', `a ${runId}`)],
  tokens,
  ...more,
});
/** From the root to the parent, as a path is written. */
const contextOf = (path: readonly Turn[], budget: number): Context =>
  path.toReversed().reduce(grow, emptyContext(budget));
const facts = ({ startRunId, truncated, messages }: Context) => [startRunId, truncated, messages.length];

describe('the context of a run', () => {
  it.each([
    ['nothing was said', [], 100, [null, false, 0]],
    ['all of it fits', [turn('a', 40), turn('b', 60)], 100, ['a', false, 4]],
    ['one token is missing', [turn('a', 41), turn('b', 60)], 100, ['b', true, 2]],
    ['the newest turn alone is too long', [turn('a', 1), turn('b', 101)], 100, [null, true, 0]],
    ['there is no room at all', [turn('a', 1)], 0, [null, true, 0]],
    [
      'a turn holds the whole history',
      [turn('a', 1), turn('b', 1, { inputHistoryMode: 'legacy_full' }), turn('c', 1)],
      100,
      ['b', false, 4],
    ],
    [
      'the turn that holds the whole history is too long',
      [turn('a', 1), turn('b', 100, { inputHistoryMode: 'legacy_full' }), turn('c', 1)],
      100,
      ['c', true, 2],
    ],
  ] as const)('when %s', (_, path, budget, expected) => {
    expect(facts(contextOf(path, budget))).toEqual(expected);
  });

  it('is the longest end of the path that fits, turn by turn, and parts no call of a tool from its answer', () => {
    const calls = fc.array(fc.nat(3), { maxLength: 3 });
    const pathOf = fc.array(fc.record({ tokens: fc.nat(60), full: fc.nat(9), calls }), { maxLength: 12 });
    let truncated = 0;
    fc.assert(
      fc.property(pathOf, fc.nat(200), (generated, budget) => {
        const path = generated.map(({ tokens, full, calls: ids }, i) =>
          turn(`r${i}`, tokens, {
            inputHistoryMode: full === 0 ? 'legacy_full' : 'delta_v1',
            messages: [said('user', `q${i}`), ...ids.flatMap((_n, j) => answeredCall(`c${i}-${j}`))],
          }),
        );
        const context = contextOf(path, budget);
        const start = path.findIndex(({ runId }) => runId === context.startRunId);
        const suffix = start === -1 ? [] : path.slice(start);
        expect(context.messages).toEqual(suffix.flatMap(({ messages }) => messages));
        expect(suffix.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(budget);
        const next = path[(start === -1 ? path.length : start) - 1];
        const isWhole = next === undefined || suffix[0]?.inputHistoryMode === 'legacy_full';
        expect(context.truncated).toBe(!isWhole);
        const withNext = suffix.reduce((sum, { tokens }) => sum + tokens, next?.tokens ?? 0);
        expect(isWhole || withNext > budget).toBe(true);
        expect(closedPart(context.messages)).toEqual(context.messages);
        truncated += context.truncated ? 1 : 0;
      }),
      { numRuns: 2_000 },
    );
    expect(truncated).toBeGreaterThan(200);
  });
});

const answeredCall = (id: string): readonly AgentMessage[] => [
  { role: 'assistant', content: '', toolCalls: [{ id, name: 'search', arguments: '{}' }] },
  { role: 'tool', toolCallId: id, content: 'found' },
];

describe('what is left of a run that did not succeed', () => {
  const first = said('assistant', 'let me see');
  const [asked, found] = answeredCall('c1') as [AgentMessage, AgentMessage];
  it.each([
    ['nothing of nothing', [], 0],
    ['an answer', [first], 1],
    ['no call without its answer', [first, asked], 1],
    ['a call with its answer', [first, asked, found], 3],
    ['all before a second call', [asked, found, ...answeredCall('c2').slice(0, 1)], 2],
  ] as const)('is %s', (_, messages, count) => {
    expect(closedPart(messages)).toEqual(messages.slice(0, count));
  });
});
