import { describe, expect, it } from 'vitest';
import { unusable } from '../../../domain/agent-loop/answers.ts';
import { overLimit, overToolLimit } from '../../../domain/agent-loop/limits.ts';
import { next, questionOf } from '../../../domain/agent-loop/next.ts';
import { BEGUN, evolve, type LoopState } from '../../../domain/agent-loop/state.ts';
import { workflowOf } from '../../../domain/agent-loop/workflows.ts';
import { assignment, LIMITS, passage, says } from '../../support/agent/loops.ts';

const returned = (callId: string, isError = false) =>
  ({ kind: 'returned', callId, tool: 'search', isError, content: passage(1) }) as const;
const asked = evolve(BEGUN, says('', ['search'], ['search'])(1));

describe('what a run has come to', () => {
  it('owes each call until its result is there', () => {
    expect(asked.owed.map(({ id }) => id)).toEqual(['1-0', '1-1']);
    const half = evolve(asked, returned('1-1'));
    expect(half.owed.map(({ id }) => id)).toEqual(['1-0']);
    expect(half.transcript.slice(1)).toEqual([{ role: 'tool', toolCallId: '1-1', content: passage(1) }]);
    expect(next(workflowOf('chat')!, LIMITS, assignment(), half, 0)).toEqual({
      kind: 'call_tools',
      calls: half.owed,
      shown: 'together',
    });
    expect(evolve(half, returned('1-0')).transcript).toMatchObject([
      {},
      { toolCallId: '1-0' },
      { toolCallId: '1-1' },
    ]);
  });

  it('has no passage from a call that failed', () => {
    expect(evolve(asked, returned('1-0', true)).passages).toEqual([]);
    expect(evolve(asked, returned('1-0')).passages).toMatchObject([{ number: 1 }]);
  });

  it('is no answer where the model says nothing but blanks', () => {
    const blank = { message: { role: 'assistant', content: ' \n' }, finishReason: 'stop', place: 0 } as const;
    expect(unusable(blank)).toEqual({
      kind: 'fail',
      code: 'empty_answer',
      message: 'the model ended without saying anything',
    });
  });
});

describe('the question of a run', () => {
  it('is the last thing that the user said, and empty where that is nothing', () => {
    const user = (content: string) => ({ role: 'user' as const, content });
    const messages = [user('First?'), user('Second?'), { role: 'assistant' as const, content: 'Yes.' }];
    expect(questionOf({ input: { messages } })).toBe('Second?');
    expect(questionOf({ input: { messages: messages.slice(2) } })).toBe('');
  });
});

describe('a limit', () => {
  const limits = { ...LIMITS, steps: 3, toolCalls: 4, tokens: 25, cost: 1_500_000 };
  const answersOf = (count: number) => Array.from({ length: count }, () => asked.answers[0]!);
  const reached = (state: Partial<LoopState>) => overLimit(limits, { ...BEGUN, ...state }, 0);
  it.each([
    [
      { answers: answersOf(3) },
      'the run has asked the model 3 times, which is the most: ask for less at once',
    ],
    [{ tokens: 25 }, 'the run has used 25 tokens, and may use 25: ask for less at once'],
    [{ cost: 1_500_000 }, 'the run has cost 1.5000, and may cost 1.5000'],
  ])('is reached when all of it is used: %#', (state, message) => {
    expect(reached(state)).toMatchObject({ kind: 'fail', message });
  });

  it('is not reached one below', () => {
    expect(reached({ answers: answersOf(2), tokens: 24, cost: 1_499_999 })).toBeNull();
  });

  it('of calls counts those that are asked for', () => {
    expect(overToolLimit(limits, { ...BEGUN, toolCalls: 2 }, 2, 0)).toBeNull();
    expect(overToolLimit(limits, { ...BEGUN, toolCalls: 2 }, 3, 0)).toMatchObject({
      message: 'the run has called 2 tools and asks for 3 more, and may call 4',
    });
  });

  it('of time is told in seconds', () => {
    expect(overLimit(limits, BEGUN, 60_000)).toMatchObject({ message: 'the run took longer than 60 s' });
  });
});
