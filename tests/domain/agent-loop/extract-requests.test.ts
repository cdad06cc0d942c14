import { describe, expect, it } from 'vitest';
import { workflowOf } from '../../../domain/agent-loop/workflows.ts';
import { answerSchema } from '../../../domain/agent-loop/workflows/extract.ts';
import { assignment, assistant, messagesOf, passage, play, says, user } from '../../support/agent/loops.ts';

const system = { role: 'system', content: expect.stringMatching(/\w/) as string };
const two = (): string => `${passage(1)}\n${passage(2)}`;
/** Its last character is two units long. */
const long = `${'q'.repeat(3_999)}😀`;

describe('what an extraction asks', () => {
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
