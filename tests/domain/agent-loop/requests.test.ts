import { describe, expect, it } from 'vitest';
import { workflowOf } from '../../../domain/agent-loop/workflows.ts';
import {
  assignment,
  HISTORY,
  messagesOf,
  passage,
  play,
  says,
  user,
  assistant,
} from '../../support/agent/loops.ts';
import { answerSchema } from '../../../domain/agent-loop/workflows/extract.ts';
import type { Decision } from '../../../domain/agent-loop/step.ts';

describe('chat with a model that knows no tools', () => {
  const system = { role: 'system', content: expect.stringMatching(/\w/) as string };
  const two = (): string => `${passage(1)}\n${passage(2)}`;
  /** Its last character is two units long. */
  const long = `${'q'.repeat(3_999)}😀`;

  const chat = workflowOf('chat')!;
  const model = { toolUse: false, structuredOutput: false, contextWindow: 8_000 };

  it('searches for as much of the question as a search takes', () => {
    const { decisions } = play(chat, assignment({ model, input: { messages: [user(long)] } }), []);
    expect(decisions[0]).toEqual({
      kind: 'call_tools',
      calls: [
        {
          id: 'search-1',
          name: 'search',
          arguments: JSON.stringify({ query: `${'q'.repeat(3_999)}\uFFFD`, limit: 8 }),
        },
      ],
      shown: 'together',
    });
  });

  it('puts what was found before the last message, and nothing where nothing was', () => {
    const of = assignment({
      model,
      history: HISTORY,
      input: { messages: [user('First?'), user('Second?')] },
    });
    const found = play(chat, of, [says('[1]')], two).decisions[1];
    expect(messagesOf(found)).toEqual([
      system,
      ...HISTORY,
      user('First?'),
      { role: 'data', content: two() },
      user('Second?'),
    ]);
    const nothing = play(chat, of, [says('No.')]).decisions[1];
    expect(messagesOf(nothing)).toEqual([system, ...HISTORY, user('First?'), user('Second?')]);
  });

  it('takes any input', () => {
    expect(chat.problemsOf(assignment().input)).toEqual([]);
  });
});

describe('what an extraction asks', () => {
  const system = { role: 'system', content: expect.stringMatching(/\w/) as string };
  const two = (): string => `${passage(1)}\n${passage(2)}`;
  /** Its last character is two units long. */
  const long = `${'q'.repeat(3_999)}😀`;

  const extract = workflowOf('extract')!;
  const schema = { type: 'object', required: ['name'] };
  const problemsOf = (row: unknown): readonly string[] =>
    typeof (row as { name?: unknown }).name === 'string' ? [] : ['must have name'];
  const input = { ...assignment().input, schema };
  const rows = (...list: readonly object[]) => says(JSON.stringify({ rows: list }));
  const bad = { data: {}, passages: [1] };

  it('takes one to 25 sources, counted whole', () => {
    for (const max_sources of [1, 25]) expect(extract.problemsOf({ ...input, max_sources })).toEqual([]);
    for (const max_sources of [0, 1.5, -1, 26, '3'])
      expect(extract.problemsOf({ ...input, max_sources })).toEqual([
        'input.max_sources takes a whole number from 1 to 25',
      ]);
    expect(extract.problemsOf({ ...input, schema: null })).toEqual([
      'input.schema takes the JSON Schema of a row',
    ]);
  });

  it('is one search, whose results are read apart', () => {
    const { decisions } = play(extract, assignment({ input: { ...input, messages: [user(long)] } }), []);
    const query = `${'q'.repeat(3_999)}\uFFFD`;
    expect(decisions[0]).toEqual({
      kind: 'call_tools',
      calls: [{ id: 'search-1', name: 'search', arguments: JSON.stringify({ query, limit: 50 }) }],
      shown: 'apart',
    });
  });

  it('is the rows of one source, and once more where they do not fit', () => {
    const good = rows({ data: { name: 'a' }, passages: [2] }, { data: { name: 'b' }, passages: [2, 1] });
    const { decisions } = play(extract, assignment({ input, problemsOf }), [rows(bad, bad), good], two);
    const asked = {
      kind: 'call_model',
      messages: [
        system,
        { role: 'data', content: two() },
        user('What do falcons hunt?'),
        assistant(JSON.stringify({ rows: [bad, bad] })),
        user(
          'That does not fit the schema:\n- rows/0/data must have name\n- rows/1/data must have name\nAnswer again, with the whole mended JSON alone.',
        ),
      ],
      offersTools: false,
      responseSchema: answerSchema(schema),
    };
    expect(decisions[1]).toEqual({ ...asked, messages: asked.messages.slice(0, 3) });
    expect(decisions[2]).toEqual(asked);
    expect(messagesOf(decisions[1])[0]!.content.split('\n')).toEqual([
      expect.stringContaining('make nothing up'),
      expect.stringContaining('"passages"'),
      expect.stringContaining('JSON alone'),
      JSON.stringify(answerSchema(schema)),
    ]);
    const message = '2 rows from 1 sources.';
    expect(decisions[3]).toMatchObject({
      kind: 'finish',
      message,
      finishReason: 'stop',
      messages: [assistant(message)],
      citations: [{ number: 2 }, { number: 1 }],
    });
    expect(decisions[3]).toHaveProperty('citations.length', 2);
  });

  it('cites nothing for rows that do not fit', () => {
    const { decisions } = play(extract, assignment({ input, problemsOf }), [rows(bad), rows(bad)], two);
    expect(decisions.at(-1)).toMatchObject({ rows: [], citations: [] });
  });

  it('is nothing more where the answer was withheld', () => {
    const withheld = (place: number) => ({ ...says('no')(place), finishReason: 'content_filter' }) as never;
    const { decisions } = play(extract, assignment({ input }), [withheld], two);
    expect(decisions.slice(2)).toMatchObject([{ kind: 'fail', code: 'content_filter' }]);
  });

  it.each([
    ['as many as fit', 2, 2],
    ['the first in any case', 0, 1],
  ])('shows of a source %s', (_, room, count) => {
    const lines = [1, 2, 3].map((n) => passage(n, { sourceId: 's' }));
    const contextWindow = (room * lines[0]!.length + 0.1) / 1.5;
    const of = assignment({ input, model: { ...assignment().model, contextWindow } });
    const { decisions } = play(extract, of, [], () => lines.join('\n'));
    expect(messagesOf(decisions[1])[1]).toEqual({ role: 'data', content: lines.slice(0, count).join('\n') });
  });
});

describe('what research asks', () => {
  const system = { role: 'system', content: expect.stringMatching(/\w/) as string };
  const two = (): string => `${passage(1)}\n${passage(2)}`;
  /** Its last character is two units long. */
  const long = `${'q'.repeat(3_999)}😀`;

  const research = workflowOf('research')!;
  const planned = (plan: string, tool = two) => play(research, assignment(), [says(plan)], tool).decisions;
  const searches = (decision: Decision | undefined) =>
    decision?.kind === 'call_tools'
      ? decision.calls.map(({ id, arguments: given }) => [id, (JSON.parse(given) as { query: string }).query])
      : [];

  it('takes any input', () => {
    expect(research.problemsOf(assignment().input)).toEqual([]);
  });

  it('is a plan first, from what was said without calls of tools', () => {
    const { decisions } = play(research, assignment({ history: HISTORY }), []);
    expect(messagesOf(decisions[0])).toEqual([
      system,
      user('Hello?'),
      assistant('Hello.'),
      ...assignment().input.messages,
    ]);
  });

  it('is one search for each question of the plan, and six at most', () => {
    expect(searches(planned('{"questions": ["a", 3, " ", "b"]}')[1])).toEqual([
      ['search-1', 'a'],
      ['search-2', 'b'],
    ]);
    expect(planned('{"questions": ["a"]}')[1]).toEqual({
      kind: 'call_tools',
      calls: [{ id: 'search-1', name: 'search', arguments: '{"query":"a","limit":6}' }],
      shown: 'together',
    });
    const many = JSON.stringify({ questions: Array.from('abcdefgh') });
    expect(searches(planned(many)[1]).map(([, query]) => query)).toEqual(Array.from('abcdef'));
    const [[, query = ''] = []] = searches(planned(JSON.stringify({ questions: [long] }))[1]);
    expect(query).toHaveLength(1_000);
  });

  it.each(['{"questions": []}', '{"questions": "a"}', '{"questions": [" "]}', 'none'])(
    'is the question itself where the plan is %s',
    (plan) => {
      expect(searches(planned(plan)[1])).toEqual([['search-1', 'What do falcons hunt?']]);
    },
  );

  it('is the model, with its tools, also where nothing was found', () => {
    expect(planned('{"questions": ["a"]}', () => 'Nothing.')[2]).toMatchObject({
      kind: 'call_model',
      offersTools: true,
      messages: [{}, {}, { role: 'data', content: 'Nothing.' }],
    });
  });

  it('is nothing more where the plan was withheld', () => {
    const withheld = (place: number) =>
      ({ ...says('{"questions": ["a"]}')(place), finishReason: 'content_filter' }) as never;
    const { decisions } = play(research, assignment(), [withheld]);
    expect(decisions.slice(1)).toMatchObject([{ kind: 'fail', code: 'content_filter' }]);
  });

  it('is the whole answer again, with what is wrong with it, as often as two times', () => {
    const plan = says('{"questions": ["a", "b"]}');
    const script = [plan, says('', ['get_content']), says('So [8][9].'), says('So.'), says('So [7].')];
    const tool = (name: string, given: string): string =>
      name === 'get_content' ? passage(3) : given.includes('"a"') ? passage(1) : passage(2);
    const { decisions } = play(research, assignment(), script, tool);
    const again = 'Write the whole answer again, with numbers of passages that you were shown.';
    expect(messagesOf(decisions.at(-2))).toEqual([
      system,
      ...assignment().input.messages,
      { role: 'data', content: two() },
      expect.objectContaining({ role: 'assistant', content: '' }),
      expect.objectContaining({ role: 'tool', content: passage(3) }),
      assistant('So [8][9].'),
      user(`These numbers are of no passage that you were shown: 8, 9. ${again}`),
      assistant('So.'),
      user(`The answer names no passage that it rests on. ${again}`),
    ]);
    expect(decisions.at(-1)).toEqual({
      kind: 'fail',
      code: 'citations_unresolved',
      message: 'the model cites what it was not shown, and did so when asked again',
    });
    const read = [plan, says('So [3].'), says('', ['get_content']), says('So [3].')];
    const mended = play(research, assignment(), read, tool).decisions;
    expect(messagesOf(mended.at(-2))).toContainEqual(user(again));
    expect(mended.at(-1)).toMatchObject({ kind: 'finish', message: 'So [3].' });
  });

  it.each([
    ['Gaps:\n- age', ['age']],
    ['So.\nGaps:\n- age', ['age']],
    ['So.\n\n## Gaps\n* age \n-  size', ['age', 'size']],
    ['So.\n**Gaps:**\n  - none of the owls\nall else - found', ['none of the owls']],
    ['So.\ngaps: \n- None.\n- or none', ['or none']],
    ['So: - no gaps', []],
  ])('is found wanting by what it names: %j', (answer, gaps) => {
    const script = [says('{"questions": ["a"]}'), says(answer)];
    const { decisions } = play(research, assignment(), script, () => 'Nothing.');
    expect(decisions.at(-1)).toMatchObject({ kind: 'finish', gaps: [...gaps, 'a'] });
  });
});
