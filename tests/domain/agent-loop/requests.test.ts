import { describe, expect, it } from 'vitest';
import { workflowOf } from '../../../domain/agent-loop/workflows.ts';
import { assignment, passage, play, says, user } from '../../support/agent/loops.ts';
import type { Decision } from '../../../domain/agent-loop/step.ts';

describe('chat with a model that knows no tools', () => {
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

  it('takes any input', () => {
    expect(chat.problemsOf(assignment().input)).toEqual([]);
  });
});

describe('what research asks', () => {
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

  it('is nothing more where the plan was withheld', () => {
    const withheld = (place: number) =>
      ({ ...says('{"questions": ["a"]}')(place), finishReason: 'content_filter' }) as never;
    const { decisions } = play(research, assignment(), [withheld]);
    expect(decisions.slice(1)).toMatchObject([{ kind: 'fail', code: 'content_filter' }]);
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
