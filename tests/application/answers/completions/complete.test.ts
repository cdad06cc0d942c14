import { describe, expect, it } from 'vitest';
import { createComplete } from '../../../../application/answers/completions/complete.ts';
import type { CompletionEvent } from '../../../../application/answers/completions/completion.ts';
import { ProviderError, ProviderTimeout } from '../../../../application/ports/language-model.ts';
import { CALLER, completions, contentOf, offerOf, request, scripted } from '../../../support/completions.ts';

const never = new AbortController().signal;
const all = async (events: AsyncIterable<CompletionEvent>): Promise<readonly CompletionEvent[]> =>
  Array.fromAsync(events);

describe('a completion', () => {
  it('answers from what it found, and cites only what the answer names, numbered by first mention', async () => {
    const model = scripted('First [3', '], then', ' [1][9].');
    const { complete, recorded } = completions(model);
    const running = await complete(CALLER, request(), never);
    expect(running.contents).toEqual([contentOf(1), contentOf(2), contentOf(3)]);
    const events = await all(running.events);
    const content = 'First [1], then [2].';
    expect(events.flatMap((event) => (event.kind === 'delta' ? [event.text] : [])).join('')).toBe(content);
    const { conversationId, userMessageId, assistantMessageId } = running;
    expect(events.at(-1)).toEqual({
      kind: 'finished',
      completion: {
        created: 1_763_650_000,
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content },
            finishReason: 'stop',
            citations: [contentOf(3), contentOf(1)],
            webCitations: [],
            webSearchQueries: [],
            searchSuggestion: '',
          },
        ],
        conversationId,
        userMessageId,
        assistantMessageId,
        model: 'scripted',
        usage: null,
      },
    });
    const citedContentIds = [contentOf(3).id, contentOf(1).id];
    const cited = { citedContentIds, webCitations: [] };
    const answered = { content, finishReason: 'stop', model: 'scripted', usage: null, ...cited };
    expect(recorded).toEqual([['finished', answered]]);
  });

  it('tells the usage as the provider does, and keeps it with the answer', async () => {
    const usage = { inputTokens: 120, outputTokens: 9 };
    const { complete, recorded } = completions(scripted('Yes.', { kind: 'finish', reason: 'stop', usage }));
    const events = await all((await complete(CALLER, request(), never)).events);
    expect(events.at(-1)).toMatchObject({ kind: 'finished', completion: { usage } });
    expect(recorded).toMatchObject([['finished', { usage }]]);
  });

  it('is by the model, the temperature and the length that it asks for, and says by which', async () => {
    const [model, other] = [scripted('Yes.'), { ...scripted('No.'), name: 'other' }];
    const { deps, recorded } = completions(model);
    const complete = createComplete({ ...deps, offer: offerOf(model, { models: [model, other] }) });
    const asked = request({ model: 'other', temperature: 0.2, maxTokens: 100 });
    const events = await all((await complete(CALLER, asked, never)).events);
    expect(events.at(-1)).toMatchObject({ completion: { model: 'other' } });
    expect(recorded).toMatchObject([['finished', { model: 'other', content: 'No.' }]]);
    expect(other.asked).toMatchObject([{ temperature: 0.2, maxOutputTokens: 100 }]);
    expect(model.asked).toEqual([]);
  });

  it('records nothing of a request that asks for more than is allowed', async () => {
    const { complete, recorded } = completions(scripted('Yes.'));
    await expect(complete(CALLER, request({ model: 'huge' }), never)).rejects.toThrow('one of scripted');
    expect(recorded).toEqual([]);
  });

  it('shows the model the passages as data and the question last, and leaves the answer alone without citation', async () => {
    const model = scripted('As [2] says.');
    const { complete, queries } = completions(model);
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'What is the colour of the sky at noon?' },
    ] as const;
    const events = await all((await complete(CALLER, request({ messages, citation: false }), never)).events);
    expect(queries).toEqual(['What is the colour of the sky at noon?']);
    const [asked] = model.asked;
    expect(asked!.passages).toHaveLength(3);
    expect(asked!.messages[0]!.content).toMatch(/^Be brief\./);
    expect(asked!.messages.at(-2)!.content).toContain('Fact number 2.');
    expect(asked!.messages.at(-1)!.content).toBe('What is the colour of the sky at noon?');
    const last = events.at(-1);
    expect(last?.kind === 'finished' && last.completion.choices[0]).toMatchObject({
      message: { content: 'As [2] says.' },
      citations: [],
    });
  });

  it('tells the model what the question was searched as, where the search corrected its spelling', async () => {
    const model = scripted('By a package.');
    const { deps } = completions(model, 1, { history: [{ role: 'user', content: 'How is it instaled?' }] });
    const search: typeof deps.search = async (...args) => ({
      ...(await deps.search(...args)),
      correctedQuery: 'How is it installed?',
      unwritten: [{ word: 'gizmo', isOfLanguage: false }],
    });
    await all((await createComplete({ ...deps, search })(CALLER, request(), never)).events);
    expect(model.asked).toMatchObject([
      { question: 'How is it installed?', unwritten: [{ word: 'gizmo', isOfLanguage: false }] },
    ]);
    expect(model.asked[0]!.messages.at(-1)!.content).toBe('How is it instaled?');
  });

  it.each([
    ['And on Windows?', 'And on Windows? How is it installed on Linux?'],
    ['And what about on Windows?', 'And what about on Windows? How is it installed on Linux?'],
    ['And what about it on Windows?', 'And what about it on Windows?'],
  ])(
    'searches a question of less than six words together with the one before it: %s',
    async (content, query) => {
      const history = [
        { role: 'user', content: 'How is it installed on Linux?' },
        { role: 'assistant', content: 'By a package.' },
        { role: 'user', content },
      ] as const;
      const { complete, queries } = completions(scripted('So.'), 1, { history });
      await all((await complete(CALLER, request(), never)).events);
      expect(queries).toEqual([query]);
    },
  );

  it.each([
    ['provider_error', new ProviderError('refused', { retryable: false })],
    ['rate_limited', new ProviderError('busy', { status: 429, retryable: true })],
    ['provider_error', new ProviderError('no quota left', { status: 429, retryable: false })],
    ['provider_timeout', new ProviderTimeout('first_token', 10)],
    ['internal_error', new TypeError('oops')],
  ])('records the failure of the model as %s', async (code, error) => {
    const { complete, recorded } = completions(scripted('A bit', error));
    const running = await complete(CALLER, request(), never);
    await expect(all(running.events)).rejects.toThrow(error);
    expect(recorded).toEqual([['failed', code]]);
  });

  it.each([
    [
      new ProviderError('refused (by_its_own_word)', { status: 401, retryable: false, detail: 'its words' }),
      { provider: 'language model', code: 'provider_error', status: 401 },
    ],
    [
      new ProviderTimeout('next_token', 10),
      { provider: 'language model', code: 'provider_timeout', waitedFor: 'next_token' },
    ],
  ])('logs once that the model failed, and nothing that it said: %s', async (error, told) => {
    const { complete, warned } = completions(scripted('A bit', error));
    const running = await complete(CALLER, request(), never);
    await expect(all(running.events)).rejects.toThrow(error);
    const { conversationId } = running;
    expect(warned).toEqual([['a provider failed', { ...told, conversationId }]]);
  });

  it.each([
    ['nothing', []],
    ['blanks', ['\n', ' ']],
    ['nothing but the mark of a passage that there is none of', ['[', '9]']],
  ])('is a failure of the provider when the answer is %s', async (_, said) => {
    const { complete, recorded, warned } = completions(scripted(...said));
    const running = await complete(CALLER, request(), never);
    await expect(all(running.events)).rejects.toThrow('without saying anything');
    expect(recorded).toEqual([['failed', 'provider_error']]);
    expect(warned).toHaveLength(1);
  });

  it.each(['length', 'content_filter'] as const)('may be empty where its reason is %s', async (reason) => {
    const { complete, recorded } = completions(scripted({ kind: 'finish', reason, usage: null }));
    await all((await complete(CALLER, request(), never)).events);
    expect(recorded).toMatchObject([['finished', { content: '', finishReason: reason }]]);
  });

  it('logs once that the web search failed, and that nobody waits any more is no failure', async () => {
    const { deps, warned } = completions(scripted('never asked'));
    const gone = new AbortController();
    const failing = async (): Promise<never> => {
      throw new ProviderError('refused', { status: 403, retryable: false });
    };
    const grounded = request({ grounding: true });
    await expect(createComplete({ ...deps, ground: failing })(CALLER, grounded, never)).rejects.toThrow(
      'refused',
    );
    const told = { provider: 'web search', code: 'provider_error', status: 403 };
    const conversationId = expect.stringMatching(/^0199d2a0-/) as string;
    expect(warned).toEqual([['a provider failed', { ...told, conversationId }]]);
    gone.abort(new ProviderTimeout('end', 1));
    await expect(createComplete({ ...deps, ground: failing })(CALLER, grounded, gone.signal)).rejects.toThrow(
      'refused',
    );
    expect(warned).toHaveLength(1);
  });

  it('records that nobody waits any more, whether its signal aborts or its reader leaves', async () => {
    const gone = new AbortController();
    const aborted = completions(scripted('A', 'B', 'C'));
    const running = await aborted.complete(CALLER, request(), gone.signal);
    const reading = (async () => {
      for await (const _ of running.events) gone.abort();
    })();
    await expect(reading).rejects.toThrow('aborted');
    expect(aborted.recorded).toEqual([['failed', 'client_gone']]);

    const left = completions(scripted('A', 'B', 'C'));
    for await (const _ of (await left.complete(CALLER, request(), never)).events) break;
    expect(left.recorded).toEqual([['failed', 'client_gone']]);
  });

  it('redacts as it streams, and asks no model where the policies cannot be read', async () => {
    const model = scripted('se', 'cret [2]');
    const { deps, recorded } = completions(model);
    let held = '';
    const hiding = {
      push: (piece: string) => ((held += piece), ''),
      flush: () => held.replaceAll('secret', '[hidden]'),
    };
    const hidden = createComplete({ ...deps, redactorFor: async () => hiding });
    const events = await all((await hidden(CALLER, request(), never)).events);
    expect(events[0]).toEqual({ kind: 'delta', text: '[hidden] [1]' });
    expect(recorded).toMatchObject([['finished', { content: '[hidden] [1]' }]]);

    const away = createComplete({
      ...deps,
      redactorFor: () => Promise.reject(new Error('the view is away')),
    });
    await expect(away(CALLER, request(), never)).rejects.toThrow('the view is away');
    expect(model.asked).toHaveLength(1);
  });

  it('refuses to ground on the web without a provider, and a question that is too long, before a model is asked', async () => {
    const model = scripted('x');
    const { complete, recorded } = completions(model);
    await expect(complete(CALLER, request({ grounding: true }), never)).rejects.toThrow(
      'leave grounding out',
    );
    const blank = [{ role: 'user', content: ' \n' }] as const;
    await expect(complete(CALLER, request({ messages: blank }), never)).rejects.toThrow('must not be blank');
    expect(recorded).toEqual([]);
    const messages = [{ role: 'user', content: 'word '.repeat(20_000) }] as const;
    await expect(complete(CALLER, request({ messages }), never)).rejects.toThrow(
      'longer than the model can read',
    );
    expect(recorded).toEqual([['failed', 'invalid_request']]);
    expect(model.asked).toEqual([]);
  });
});
