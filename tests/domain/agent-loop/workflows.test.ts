import { describe, expect, it } from 'vitest';
import type { Decision } from '../../../domain/agent-loop/step.ts';
import { workflowOf } from '../../../domain/agent-loop/workflows.ts';
import { assignment, passage, play, says } from '../../support/agent/loops.ts';

const rolesOf = (decision: Decision | undefined): readonly string[] =>
  decision?.kind === 'call_model' ? decision.messages.map(({ role }) => role) : [];
const textOf = (decision: Decision | undefined): string =>
  decision?.kind === 'call_model' ? decision.messages.map(({ content }) => content).join('\n') : '';

describe('chat', () => {
  const chat = workflowOf('chat')!;
  it('calls the tools that the model asks for, shows it the results in its order, and cites what they showed', () => {
    const { decisions, state } = play(
      chat,
      assignment(),
      [says('Let me see.', ['search', { query: 'a' }], ['crm__find']), says('Birds [2], and [7].')],
      (name) => (name === 'search' ? `${passage(1)}\n${passage(2)}` : passage(7)),
    );
    expect(decisions.map(({ kind }) => kind)).toEqual(['call_model', 'call_tools', 'call_model', 'finish']);
    expect(rolesOf(decisions[2])).toEqual(['system', 'user', 'assistant', 'tool', 'tool']);
    // A server that is not the knowledge base shows no passage, whatever it writes.
    expect(decisions.at(-1)).toMatchObject({
      message: 'Birds [2], and [7].',
      citations: [{ contentId: 'content-2' }],
      messages: state.transcript,
    });
  });

  it('is answered from one search by a model that knows no tools', () => {
    const of = assignment({ model: { toolUse: false, structuredOutput: false, contextWindow: 8_000 } });
    const { decisions } = play(chat, of, [says('Birds [1].')], () => passage(1));
    expect(decisions[0]).toMatchObject({ kind: 'call_tools', calls: [{ name: 'search' }] });
    expect(decisions[1]).toMatchObject({ offersTools: false, passages: [{ contentId: 'content-1' }] });
    expect(rolesOf(decisions[1])).toEqual(['system', 'data', 'user']);
    expect(decisions[2]).toMatchObject({ kind: 'finish', citations: [{ number: 1 }] });
    expect(decisions[2]).toMatchObject({ messages: [{ role: 'assistant', content: 'Birds [1].' }] });
  });

  it('does not call tools for an answer that was cut or withheld', () => {
    for (const [finishReason, code] of [
      ['length', 'answer_cut'],
      ['content_filter', 'content_filter'],
    ] as const) {
      const cut = (place: number) => ({ ...says('', ['search'])(place), finishReason }) as never;
      expect(play(chat, assignment(), [cut]).decisions.at(-1)).toMatchObject({ kind: 'fail', code });
    }
  });
});

describe('research', () => {
  const research = workflowOf('research')!;
  const plan = says('{"questions": ["falcons", "owls", "unicorns"]}');
  const tool = (_name: string, given: string): string =>
    given.includes('falcons') ? passage(1) : given.includes('owls') ? passage(2) : 'Nothing was found.';

  it('plans, searches for each question, and answers with citations and gaps', () => {
    const answer = 'They hunt [1], and listen [2].\n\nGaps:\n- their age\n- none';
    const { decisions } = play(research, assignment(), [plan, says(answer)], tool);
    expect(decisions[0]).toMatchObject({ kind: 'call_model', offersTools: false });
    expect(decisions[1]).toMatchObject({ kind: 'call_tools', calls: [{}, {}, {}] });
    expect(rolesOf(decisions[2])).toEqual(['system', 'user', 'data']);
    expect(textOf(decisions[2])).toContain(passage(2));
    expect(decisions[3]).toMatchObject({
      kind: 'finish',
      citations: [{ contentId: 'content-1' }, { contentId: 'content-2' }],
      gaps: ['their age', 'unicorns'],
      messages: [{ role: 'assistant', content: answer }],
    });
  });

  it('reads on with tools where the model wants to', () => {
    const script = [plan, says('', ['get_content', { id: 'x' }]), says('So [3].\nGaps:\n- none')];
    const more = (name: string, given: string): string =>
      name === 'get_content' ? passage(3) : tool(name, given);
    const { decisions } = play(research, assignment(), script, more);
    expect(decisions.at(-1)).toMatchObject({ citations: [{ contentId: 'content-3' }], gaps: ['unicorns'] });
    expect(decisions.at(-1)).toMatchObject({ messages: [{}, { role: 'tool' }, { role: 'assistant' }] });
  });

  it('sends an answer back whose numbers lead nowhere, and gives up after the third', () => {
    const good = play(research, assignment(), [plan, says('So [8].'), says('So [1].')], tool);
    expect(textOf(good.decisions[3])).toContain('no passage that you were shown: 8');
    expect(good.decisions.at(-1)).toMatchObject({ kind: 'finish', message: 'So [1].' });
    expect(good.decisions.at(-1)).toMatchObject({ messages: [{ content: 'So [1].' }] });
    const late = play(research, assignment(), [plan, says('So [8].'), says('So.'), says('So [1].')], tool);
    expect(late.decisions.at(-1)).toMatchObject({ kind: 'finish', message: 'So [1].' });
    const bad = play(research, assignment(), [plan, says('So [8].'), says('So.'), says('So [9].')], tool);
    expect(bad.decisions.at(-1)).toMatchObject({ kind: 'fail', code: 'citations_unresolved' });
  });

  it('searches for the question itself where the plan cannot be read', () => {
    const { decisions } = play(research, assignment(), [says('I would look around.')], () => passage(1));
    expect(JSON.stringify(decisions[1])).toContain('What do falcons hunt?');
  });
});

describe('extract', () => {
  const extract = workflowOf('extract')!;
  const of = assignment({
    input: { ...assignment().input, schema: { type: 'object', required: ['name'] } },
    problemsOf: (row) =>
      typeof (row as { name?: unknown }).name === 'string' ? [] : ['(root) must have name'],
  });
  const found = (): string => [1, 2, 3].map((n) => passage(n)).join('\n');
  const rows = (...list: readonly object[]) => says(JSON.stringify({ rows: list }));

  it('reads each source by itself, and each row names its source and its passages', () => {
    const { decisions } = play(
      extract,
      of,
      [rows({ data: { name: 'a' }, passages: [2, 9] }, { data: { name: 'b' }, passages: [1] }), rows()],
      found,
    );
    expect(textOf(decisions[1])).not.toContain('source-2');
    expect(textOf(decisions[2])).toContain('source-2');
    expect(decisions.at(-1)).toMatchObject({
      kind: 'finish',
      gaps: [],
      rows: [
        { data: { name: 'a' }, sourceId: 'source-1', contentIds: ['content-2'] },
        { data: { name: 'b' }, sourceId: 'source-1', contentIds: ['content-1'] },
      ],
    });
  });

  it('sends rows back once that do not fit, and names the source as a gap where they do not fit then', () => {
    const bad = rows({ data: { nom: 'a' }, passages: [1] });
    const good = rows({ data: { name: 'c' }, passages: [3] });
    const { decisions } = play(extract, of, [bad, says('no JSON'), good], found);
    expect(textOf(decisions[2])).toContain('rows/0/data (root) must have name');
    expect(decisions.at(-1)).toMatchObject({
      gaps: ['Title 1: its rows do not fit the schema: the answer must be JSON: {"rows": […]}'],
      rows: [{ data: { name: 'c' }, sourceId: 'source-2' }],
    });
  });

  it('wants a schema, and few enough sources', () => {
    const { messages } = assignment().input;
    expect(extract.problemsOf({ messages })).toHaveLength(1);
    expect(extract.problemsOf({ messages, schema: {}, max_sources: 26 })).toHaveLength(1);
    expect(extract.problemsOf({ messages, schema: {}, max_sources: 25 })).toEqual([]);
    const few = { ...of, input: { ...of.input, max_sources: 1 } };
    const { decisions } = play(extract, few, [rows()], found);
    expect(decisions.at(-1)).toMatchObject({
      message:
        '0 rows from 1 sources. Title 1: it holds no such rows. Found and not read, by max_sources: 1 documents.',
    });
  });

  it('says why there are no rows', () => {
    const bad = rows({ data: { nom: 'a' }, passages: [1] });
    const unfit = play(extract, of, [bad, bad, rows()], found).decisions.at(-1);
    expect(unfit).toMatchObject({
      kind: 'finish',
      rows: [],
      gaps: [
        'Title 1: its rows do not fit the schema: rows/0/data (root) must have name',
        'Title 3: it holds no such rows',
      ],
    });
    const four = [1, 3, 5, 7].map((n) => passage(n)).join('\n');
    const none = play(extract, of, [rows(), rows(), rows(), rows()], () => four).decisions.at(-1);
    expect(none).toMatchObject({
      message:
        '0 rows from 4 sources. Title 1: it holds no such rows. Title 3: it holds no such rows. Title 5: it holds no such rows.',
      gaps: [1, 3, 5, 7].map((n) => `Title ${n}: it holds no such rows`),
    });
    const nothing = play(extract, of, [], () => 'Nothing was found.').decisions.at(-1);
    expect(nothing).toMatchObject({ rows: [], gaps: ['No document was found: ask in other words'] });
  });
});
