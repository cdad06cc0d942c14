import { describe, expect, it } from 'vitest';
import { createComplete } from '../../../../application/answers/completions/complete.ts';
import type { CompletionRequest } from '../../../../application/answers/completions/completion.ts';
import { EventStoreUnavailable, OutcomeUnknown } from '../../../../application/ports/event-store.ts';
import { type ModelEvent, ProviderError } from '../../../../application/ports/language-model.ts';
import { CALLER, completions, contentOf, request, scripted } from '../../../support/completions.ts';

const never = new AbortController().signal;
const TOOL: ModelEvent = { kind: 'tool_call', id: 'c', name: 'x', arguments: '{}' };
const FINISH: ModelEvent = { kind: 'finish', reason: 'stop', usage: null };
const answered = async (open: ReturnType<typeof completions>, asked = request()) => {
  const running = await open.complete(CALLER, asked, never);
  return { running, events: await Array.fromAsync(running.events) };
};

describe('an answer', () => {
  it('is no call of a tool, as none was offered', async () => {
    const { deps } = completions(scripted('One', TOOL, ' two.', FINISH));
    const flushed: string[] = [];
    const redactor = {
      push: (piece: string) => (flushed.length > 0 ? 'too late' : piece),
      flush: () => {
        flushed.push('');
        return '';
      },
    };
    const complete = createComplete({ ...deps, redactorFor: async () => redactor });
    const events = await Array.fromAsync((await complete(CALLER, request(), never)).events);
    expect(events.map((event) => (event.kind === 'delta' ? event.text : event.kind))).toEqual([
      'One',
      ' two.',
      'finished',
    ]);
    expect(flushed).toHaveLength(1);
  });

  it('that does not say that it is whole is a failure', async () => {
    const open = completions(scripted('One', TOOL));
    await expect(answered(open)).rejects.toThrow('the model ended without a finish');
    expect(open.recorded).toEqual([['failed', 'internal_error']]);
  });

  it('that fails once nobody waits for it is not complained of', async () => {
    const gone = new AbortController();
    const model = scripted();
    const { complete, warned, recorded } = completions({
      ...model,
      async *stream() {
        gone.abort();
        yield { kind: 'delta', text: 'One' };
        throw new ProviderError('gone', { retryable: false });
      },
    });
    const running = await complete(CALLER, request(), gone.signal);
    await expect(Array.fromAsync(running.events)).rejects.toThrow('gone');
    expect([warned, recorded]).toEqual([[], [['failed', 'client_gone']]]);
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

  it('may be asked again, blank, in the conversation that it belongs to', async () => {
    const messages = [{ role: 'user', content: ' ' }] as const;
    const again = { conversationId: 'c', regenerate: true, parentMessageId: 'm', messages };
    const history = [{ role: 'user', content: 'What are the facts?' }] as const;
    const open = completions(scripted('So.'), 3, { history });
    expect((await answered(open, request(again))).events.at(-1)?.kind).toBe('finished');
    expect(open.queries).toEqual(['What are the facts?']);
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

  it('stands behind instructions alone, and marks that are random', async () => {
    const model = scripted('So.');
    const messages = [
      { role: 'user', content: 'Hello.' },
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'What are the facts?' },
    ] as const;
    await answered(completions(model), request({ messages }));
    const [rules] = model.asked[0]!.messages;
    expect(rules!.content).toMatch(/^Be brief\.\n\nAnswer/);
    expect(rules!.content).not.toContain('Hello.');
    expect(/<passage (\w+)>/.exec(rules!.content)![1]).toMatch(/^0{10}\d\d$/);
  });

  it('is answered from what the model has room for, and cites no more', async () => {
    const model = { ...scripted('So [1][3].'), contextWindow: 700 };
    const open = completions(model, 40);
    const { running, events } = await answered(open);
    expect(running.contents.length).toBeGreaterThan(2);
    expect(running.contents.length).toBeLessThan(40);
    expect(model.asked[0]!.passages).toHaveLength(running.contents.length);
    const last = events.at(-1);
    expect(last?.kind === 'finished' && last.completion.choices[0].citations).toEqual([
      contentOf(1),
      contentOf(3),
    ]);
  });
});
