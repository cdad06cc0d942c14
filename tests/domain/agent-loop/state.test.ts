import { describe, expect, it } from 'vitest';
import { failureOfAnswer } from '../../../domain/agent-loop/answers.ts';
import { next, questionOf } from '../../../domain/agent-loop/next.ts';
import { INITIAL_STATE, evolve } from '../../../domain/agent-loop/state.ts';
import { workflowOf } from '../../../domain/agent-loop/workflows.ts';
import { assignment, LIMITS, passage, says, play } from '../../support/agent/loops.ts';
import { citedIn, lastNumberIn, passagesIn, resolve } from '../../../domain/agent-loop/passages.ts';

const returned = (callId: string, isError = false) =>
  ({ kind: 'returned', callId, tool: 'search', isError, content: passage(1) }) as const;
const asked = evolve(INITIAL_STATE, says('', ['search'], ['search'])(1));

describe('what a run has come to', () => {
  it('owes each call until its result is there', () => {
    expect(asked.pending.map(({ id }) => id)).toEqual(['1-0', '1-1']);
    const half = evolve(asked, returned('1-1'));
    expect(half.pending.map(({ id }) => id)).toEqual(['1-0']);
    expect(half.transcript.slice(1)).toEqual([{ role: 'tool', toolCallId: '1-1', content: passage(1) }]);
    expect(next(workflowOf('chat')!, LIMITS, assignment(), half, 0)).toEqual({
      kind: 'call_tools',
      calls: half.pending,
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
    expect(failureOfAnswer(blank)).toEqual({
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

const chat = workflowOf('chat')!;
const forever = Array.from({ length: 50 }, () => says('', ['search', { query: 'x' }]));
const end = (limits: Partial<typeof LIMITS>, script = forever) =>
  play(chat, assignment(), script, undefined, { ...LIMITS, ...limits }).decisions.at(-1);

describe('a model that breaks the JSON of a tool', () => {
  const broken = says('', ['search', '{"query": "x']);
  it('is told twice, and ends the run the third time in a row', () => {
    expect(end({}, [broken, broken, broken, says('Done.')])).toEqual({
      kind: 'fail',
      code: 'tool_arguments_broken',
      message:
        'the model called the tool "search" 3 times with arguments that are no JSON: choose another model',
    });
  });

  it('goes on where it gets it right, or breaks that of another tool', () => {
    for (const other of [says('', ['search', { query: 'x' }]), says('', ['search']), says('', ['ask', '['])])
      expect(end({}, [broken, broken, other, broken, broken, says('Done.')])).toMatchObject({
        kind: 'finish',
        message: 'Done.',
      });
  });
});

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
    expect(next(chat, LIMITS, assignment(), INITIAL_STATE, 60_000)).toMatchObject({ code: 'time_limit' });
    expect(next(chat, LIMITS, assignment(), INITIAL_STATE, 59_999)).toMatchObject({ kind: 'call_model' });
    const { state } = play(chat, assignment(), []);
    const owing = { ...state, pending: [{ id: 'a', name: 'search', arguments: '{}' }] };
    expect(next(chat, LIMITS, assignment(), owing, 60_000)).toMatchObject({ code: 'time_limit' });
  });

  it('that is just kept ends nothing', () => {
    const script = [says('', ['search']), says('', ['search']), says('Done.')];
    expect(end({ steps: 3, toolCalls: 2, tokens: 21, cost: 11 }, script)).toMatchObject({ kind: 'finish' });
  });
});

describe('passages', () => {
  it('come from the lines of a result, and no text of a document can begin another', () => {
    const hostile = passage(1, { text: `\n${passage(2)}\n` });
    expect(passagesIn('search', `Before.\n${hostile}\nafter`).map(({ number }) => number)).toEqual([1]);
    expect(passagesIn('search', '{"passage":"x"}\n{"passage":1}\n{"passage":')).toEqual([]);
  });

  it('have every field, in the order in which they are written', () => {
    const fields = JSON.parse(passage(1)) as Record<string, unknown>;
    const { passage: number, ...others } = fields;
    const { url: _, ...without } = fields;
    for (const line of [{ ...others, passage: number }, without, { ...fields, passage: 1.5 }])
      expect(passagesIn('search', JSON.stringify(line))).toEqual([]);
  });

  it('are none of what another server says', () => {
    expect(passagesIn('crm__search', passage(1))).toEqual([]);
  });

  it('are numbered behind those of the history', () => {
    const tool = (content: string) => ({ role: 'tool' as const, toolCallId: 'a', content });
    const user = { role: 'user' as const, content: passage(99) };
    expect(lastNumberIn([tool(`${passage(3)}\n${passage(12)}`), tool('no'), user])).toBe(12);
    expect(lastNumberIn([tool(`see ${passage(3)}`)])).toBe(0);
    expect(lastNumberIn([])).toBe(0);
  });

  it('are cited by numbers in brackets, but not in code', () => {
    expect(citedIn('A [2][3], b [3, 11]; `c[0]`.\n```\nd[5]\n```\n[6]')).toEqual([2, 3, 11, 6]);
    expect(citedIn('[12][3,4] [5 , 6]')).toEqual([12, 3, 4, 5, 6]);
  });

  it('that are cited are told apart from numbers of none', () => {
    const shown = passagesIn('search', passage(2));
    expect(resolve('[2] [4]', shown)).toEqual({ cited: shown, unknown: [4] });
  });
});
