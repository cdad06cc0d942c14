import { createComplete } from '../../../../application/answers/completions/complete.ts';
import type { CompletionDeps } from '../../../../application/answers/completions/completion-deps.ts';
import type {
  CompletionEvent,
  CompletionRequest,
} from '../../../../application/answers/completions/completion.ts';
import { type ModelOffer, chooseModel } from '../../../../application/answers/completions/model-choice.ts';
import { EventStoreUnavailable, OutcomeUnknown } from '../../../../application/ports/event-store.ts';
import {
  type ModelEvent,
  ProviderError,
  ProviderTimeout,
} from '../../../../application/ports/language-model.ts';
import { textPatterns } from '../../../../adapters/system/patterns/text-patterns.ts';
import { compileRules } from '../../../../application/redaction/redactor.ts';
import { createStreamRedactor } from '../../../../application/redaction/stream-redactor.ts';
import { DomainError } from '../../../../domain/shared/domain-error.ts';
import { CALLER, completions, contentOf, offerOf, request, scripted } from '../../../support/completions.ts';
import { describe, expect, it } from 'vitest';

const never = new AbortController().signal;

const all = async (events: AsyncIterable<CompletionEvent>): Promise<readonly CompletionEvent[]> =>
  Array.fromAsync(events);

describe('a completion', () => {
  it('corrects no more of a long question than is searched for; the prompt has all of it', async () => {
    const model = scripted('Yes.');
    const content = `Is it so? ${'word '.repeat(1_200)}`;
    const messages = [{ role: 'user', content }] as const;
    const running = await completions(model).complete(CALLER, { ...request(), messages }, never);
    await all(running.events);
    expect(model.asked[0]?.question).toHaveLength(4_000);
    expect(JSON.stringify(model.asked[0]?.messages).length).toBeGreaterThan(content.length);
  });

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
    const hidden = createComplete({ ...deps, redactorsFor: async () => () => hiding });
    const events = await all((await hidden(CALLER, request(), never)).events);
    const cited = { citations: [{ title: 'Page 2' }], webCitations: [] };
    expect(events[0]).toMatchObject({ kind: 'delta', text: '[hidden] [1]', cited });
    expect(recorded).toMatchObject([['finished', { content: '[hidden] [1]' }]]);

    const away = createComplete({
      ...deps,
      redactorsFor: () => Promise.reject(new Error('the view is away')),
    });
    await expect(away(CALLER, request(), never)).rejects.toThrow('the view is away');
    expect(model.asked).toHaveLength(1);
  });

  it('redacts what the model thinks as it does the answer, each as a text of its own', async () => {
    const thinks = (text: string) => ({ kind: 'reasoning', text }) as const;
    const model = scripted(thinks('a se'), thinks('cret'), 'se', thinks('cret'), 'cret');
    const { deps, recorded } = completions(model);
    const rules = compileRules([{ name: 'word', kind: 'pattern', pattern: 'secret' }], textPatterns);
    const complete = createComplete({ ...deps, redactorsFor: async () => () => createStreamRedactor(rules) });
    const events = await all((await complete(CALLER, request(), never)).events);
    expect(events.slice(0, -1)).toEqual([
      thinks('a [word]'),
      thinks('cret'),
      { kind: 'delta', text: '[word]' },
    ]);
    expect(recorded).toMatchObject([['finished', { content: '[word]' }]]);
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

const answered = async (open: ReturnType<typeof completions>, asked = request()) => {
  const running = await open.complete(CALLER, asked, never);
  return { running, events: await Array.fromAsync(running.events) };
};

const TOOL: ModelEvent = { kind: 'tool_call', id: 'c', name: 'x', arguments: '{}' };

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
      'parent_message_id and regenerate require the conversation_id that they belong to',
    ],
    [
      { parentMessageId: 'm' },
      'invalid_request',
      'parent_message_id and regenerate require the conversation_id that they belong to',
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

const small = { ...scripted('x'), name: 'small', contextWindow: 1_000 };

const large = { ...scripted('x'), name: 'large', contextWindow: 8_000 };

const offer = (more: Partial<ModelOffer> = {}): ModelOffer =>
  offerOf(small, { models: [small, large], ...more });

const refusal = (...args: Parameters<typeof chooseModel>): readonly [string, string] => {
  try {
    chooseModel(...args);
  } catch (error) {
    if (error instanceof DomainError) return [error.code, error.message];
  }
  throw new Error('it was not refused');
};

describe('a request', () => {
  it('chooses within what the operator allows', () => {
    const wish = { model: 'large', temperature: 1, maxTokens: 2_000 };
    expect(chooseModel(offer(), wish)).toEqual({ model: large, temperature: 1, maxOutputTokens: 2_000 });
    expect(chooseModel(offer(), { temperature: 0 })).toEqual({ model: small, temperature: 0 });
  });

  it.each([
    [{ model: 'huge' }, 'model must be one of small, large'],
    [{ temperature: 1.01 }, 'temperature is at most 1 here'],
    [{ maxTokens: 251 }, 'max_tokens is at most 250 here'],
    [{ model: 'large', maxTokens: 2_001 }, 'max_tokens is at most 2000 here'],
  ])('is refused for %j, with what is allowed', (wish, message) => {
    expect(refusal(offer(), wish)).toEqual(['invalid_request', message]);
  });

  it.each([{ model: 'small' }, { temperature: 0 }])('names %j in vain without a language model', (wish) => {
    const [code, message] = refusal(offer({ isConfigured: false }), wish);
    expect(code).toBe('not_configured');
    expect(message).toContain(Object.keys(wish)[0]);
    expect(chooseModel(offer({ isConfigured: false }), { maxTokens: 9 }).maxOutputTokens).toBe(9);
  });
});

describe('what a completion finds', () => {
  it.each([{ authzPolicy: 'mine', principalId: 'jo' }, { principalId: null }])(
    'is searched for by the policy and on behalf of the principal of the request: %j',
    async (asked) => {
      const { deps } = completions(scripted('As [1] says.'));
      const behalves: unknown[] = [];
      const search: CompletionDeps['search'] = (caller, wanted, behalf) => {
        behalves.push(behalf);
        return deps.search(caller, wanted, behalf);
      };
      await createComplete({ ...deps, search })(CALLER, request(asked), new AbortController().signal);
      expect(behalves).toEqual([asked]);
    },
  );
});
