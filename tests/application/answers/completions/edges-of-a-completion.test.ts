import { describe, expect, it } from 'vitest';
import { createComplete } from '../../../../application/answers/completions/complete.ts';
import type { CompletionRequest } from '../../../../application/answers/completions/completion.ts';
import { EventStoreUnavailable, OutcomeUnknown } from '../../../../application/ports/event-store.ts';
import { type ModelEvent } from '../../../../application/ports/language-model.ts';
import { CALLER, completions, request, scripted } from '../../../support/completions.ts';

const never = new AbortController().signal;
const TOOL: ModelEvent = { kind: 'tool_call', id: 'c', name: 'x', arguments: '{}' };
const answered = async (open: ReturnType<typeof completions>, asked = request()) => {
  const running = await open.complete(CALLER, asked, never);
  return { running, events: await Array.fromAsync(running.events) };
};

describe('an answer', () => {
  it('that does not say that it is whole is a failure', async () => {
    const open = completions(scripted('One', TOOL));
    await expect(answered(open)).rejects.toThrow('the model ended without a finish');
    expect(open.recorded).toEqual([['failed', 'internal_error']]);
  });

  it('that fails is told by why, though even that could not be recorded', async () => {
    const { deps, warned } = completions(scripted('A bit', new TypeError('oops')));
    const turns = {
      ...deps.turns,
      fail: async () => {
        throw new Error('the store is away');
      },
    };
    const running = await createComplete({ ...deps, turns })(CALLER, request(), never);
    await expect(Array.fromAsync(running.events)).rejects.toThrow('oops');
    const { conversationId } = running;
    expect(warned).toEqual([
      ['a failed answer could not be recorded', { conversationId, error: 'the store is away' }],
    ]);
  });

  it.each([new EventStoreUnavailable('away'), new OutcomeUnknown('lost')])(
    'that fails with the store is recorded as such: %s',
    async (error) => {
      const { deps, recorded } = completions(scripted('never asked'));
      const search = async () => {
        throw error;
      };
      await expect(createComplete({ ...deps, search })(CALLER, request(), never)).rejects.toBe(error);
      expect(recorded).toEqual([['failed', 'unavailable']]);
    },
  );
});

describe('a question', () => {
  const refused: readonly (readonly [Partial<CompletionRequest>, string, string])[] = [
    [{ messages: [] }, 'invalid_request', 'the last message must be from the user'],
    [
      { messages: [{ role: 'assistant', content: 'x' }] },
      'invalid_request',
      'the last message must be from the user',
    ],
    [{ messages: [{ role: 'user', content: ' ' }] }, 'invalid_request', 'the last message must not be blank'],
    [
      { regenerate: true },
      'invalid_request',
      'parent_message_id and regenerate go with the conversation_id that they belong to',
    ],
    [
      { parentMessageId: 'm' },
      'invalid_request',
      'parent_message_id and regenerate go with the conversation_id that they belong to',
    ],
    [{ grounding: true }, 'not_configured', 'no web search provider is set up: leave grounding out'],
  ];
  it.each(refused)('%j is refused, and nothing recorded', async (more, code, message) => {
    const open = completions(scripted('x'));
    await expect(answered(open, request(more))).rejects.toMatchObject({ code, message });
    expect([open.recorded, open.queries]).toEqual([[], []]);
  });

  it('whose text is not there any more is searched for nowhere', async () => {
    const model = scripted('So.');
    const open = completions(model, 3, { history: [] });
    const { running } = await answered(open);
    expect([running.contents, open.queries]).toEqual([[], []]);
    expect(running.web).toEqual({ results: [], queries: [], suggestion: '' });
    expect(model.asked).toMatchObject([{ question: '', passages: [] }]);
    expect(model.asked[0]!.messages.at(-1)).toEqual({ role: 'user', content: '' });
  });
});
