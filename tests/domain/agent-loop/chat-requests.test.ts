import { describe, expect, it } from 'vitest';
import { workflowOf } from '../../../domain/agent-loop/workflows.ts';
import { assignment, HISTORY, messagesOf, passage, play, says, user } from '../../support/agent/loops.ts';

const system = { role: 'system', content: expect.stringMatching(/\w/) as string };
const two = (): string => `${passage(1)}\n${passage(2)}`;
/** Its last character is two units long. */
const long = `${'q'.repeat(3_999)}😀`;

describe('chat with a model that knows no tools', () => {
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
