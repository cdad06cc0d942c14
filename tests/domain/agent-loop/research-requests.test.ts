import { describe, expect, it } from 'vitest';
import type { Decision } from '../../../domain/agent-loop/step.ts';
import { workflowOf } from '../../../domain/agent-loop/workflows.ts';
import {
  assignment,
  assistant,
  HISTORY,
  messagesOf,
  passage,
  play,
  says,
  user,
} from '../../support/agent/loops.ts';

const system = { role: 'system', content: expect.stringMatching(/\w/) as string };
const two = (): string => `${passage(1)}\n${passage(2)}`;
/** Its last character is two units long. */
const long = `${'q'.repeat(3_999)}😀`;

describe('what research asks', () => {
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
