import { describe, expect, it } from 'vitest';
import { next } from '../../../domain/agent-loop/next.ts';
import { BEGUN } from '../../../domain/agent-loop/state.ts';
import { workflowOf } from '../../../domain/agent-loop/workflows.ts';
import { assignment, LIMITS, play, says } from '../../support/agent/loops.ts';

const chat = workflowOf('chat')!;
const forever = Array.from({ length: 50 }, () => says('', ['search', { query: 'x' }]));
const end = (limits: Partial<typeof LIMITS>, script = forever) =>
  play(chat, assignment(), script, undefined, { ...LIMITS, ...limits }).decisions.at(-1);

describe('a limit of a run', () => {
  it.each([
    ['step_limit', { steps: 3 }, '3 times'],
    ['tool_call_limit', { toolCalls: 2 }, 'may call 2'],
    ['token_limit', { tokens: 25 }, 'used 30 tokens'],
    ['cost_limit', { cost: 12 }, 'may cost 0.0000'],
  ] as const)('ends it with %s', (code, limits, words) => {
    expect(end(limits)).toMatchObject({
      kind: 'fail',
      code,
      message: expect.stringContaining(words) as string,
    });
  });

  it('of time ends it before the next call, whatever that is', () => {
    expect(next(chat, LIMITS, assignment(), BEGUN, 60_000)).toMatchObject({ code: 'time_limit' });
    expect(next(chat, LIMITS, assignment(), BEGUN, 59_999)).toMatchObject({ kind: 'call_model' });
    const { state } = play(chat, assignment(), []);
    const owing = { ...state, owed: [{ id: 'a', name: 'search', arguments: '{}' }] };
    expect(next(chat, LIMITS, assignment(), owing, 60_000)).toMatchObject({ code: 'time_limit' });
  });

  it('that is just kept ends nothing', () => {
    const script = [says('', ['search']), says('', ['search']), says('Done.')];
    expect(end({ steps: 3, toolCalls: 2, tokens: 21, cost: 11 }, script)).toMatchObject({ kind: 'finish' });
  });
});
