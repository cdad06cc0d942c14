import { HttpAgent } from '@ag-ui/client';
import { describe, expect, it } from 'vitest';
import {
  type LanguageModel,
  type ModelEvent,
  ProviderError,
  ProviderTimeout,
} from '../../../application/ports/language-model.ts';
import { createComplete } from '../../../application/answers/completions/complete.ts';
import { snakeKeys } from '../../../domain/shared/key-case.ts';
import { completions, contentOf, scripted, webOf, webResultOf } from '../../support/completions.ts';
import { completionsOnce } from '../../support/completions-once.ts';
import { KEY } from './fake-records.ts';
import { runApp, stopServersAfterAll } from './running-app.ts';

stopServersAfterAll();

const PATH = '/api/v1/completions';
const messages = [{ role: 'user', content: 'Is it so?' }];
const answering = async (...script: readonly (string | Error | ModelEvent)[]) => {
  const { complete, recorded } = completions(scripted(...script));
  return { app: await runApp(() => ({ complete })), recorded };
};
const streamed = (accept?: string) => ({
  body: { messages, stream: true },
  ...(accept !== undefined && { headers: { accept } }),
});
const EVENTS = 'text/event-stream';
const eventsOf = (body: string) =>
  body
    .split('\n\n')
    .filter((frame) => frame.startsWith('data: '))
    .map((frame) => JSON.parse(frame.slice('data: '.length)));

/** Two contents and two pages of the web: the model's numbers 3 and 4 are of the web. */
const groundedApp = async (script: readonly (string | Error)[], web = webOf()) => {
  const { deps, recorded } = completions(scripted(...script), 2);
  const complete = createComplete({ ...deps, ground: web.ground });
  return { app: await runApp(() => ({ complete })), recorded, asked: web.asked };
};
const cite = (n: number) => ({ url: webResultOf(n).url, title: webResultOf(n).title });
const SEARCHED = { web_search_queries: ['Is it so?'], search_suggestion: 'all facts' };

/** AG-UI's own client with its verifier, speaking the service's own request body. */
class CompletionsAgent extends HttpAgent {
  more: object = {};
  protected override requestInit(input: Parameters<HttpAgent['run']>[0]): RequestInit {
    const said = input.messages.map(({ role, content }) => ({ role, content }));
    return {
      ...super.requestInit(input),
      body: JSON.stringify({ stream: true, messages: said, ...this.more }),
    };
  }
}
const agentOf = (url: string) => {
  const agent = new CompletionsAgent({ url: url + PATH, headers: { 'x-api-key': KEY }, threadId: 'any' });
  agent.addMessage({ id: '1', role: 'user', content: 'Is it so?' });
  return agent;
};

/** As callers read it. */
const shownOf = (n: number): unknown => snakeKeys(contentOf(n));

describe('POST /completions', () => {
  it('answers as a whole, with citations in the order of their numbers', async () => {
    const { app } = await answering('Yes [2], and [1].');
    const { status, json } = await app.ask('POST', PATH, { body: { messages } });
    expect(status).toBe(200);
    expect(json()).toMatchObject({
      model: 'scripted',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Yes [1], and [2].' },
          finish_reason: 'stop',
          citations: [shownOf(2), shownOf(1)],
          web_citations: [],
          search_suggestion: '',
          web_search_queries: [],
        },
      ],
    });
  });

  it('tells the usage as a whole and in the last event where the provider does, and nothing where it does not', async () => {
    const usage = { inputTokens: 120, outputTokens: 9 };
    const { app } = await answering('Yes.', { kind: 'finish', reason: 'stop', usage });
    const told = { input_tokens: 120, output_tokens: 9 };
    expect((await app.ask('POST', PATH, { body: { messages } })).json().usage).toEqual(told);
    const { result } = await agentOf(app.url).runAgent();
    expect(result.usage).toEqual(told);
    const silent = (await answering('Yes.')).app;
    expect((await silent.ask('POST', PATH, { body: { messages } })).json()).not.toHaveProperty('usage');
  });

  it('streams plain text whose pieces together are the answer, with the ids in headers', async () => {
    const { app } = await answering('Yes', ' [3', '], it is.');
    for (const accept of [undefined, 'text/plain', '*/*']) {
      const { headers, body } = await app.ask('POST', PATH, streamed(accept));
      expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(body).toBe('Yes [1], it is.');
      for (const name of ['conversation', 'user-message', 'assistant-message']) {
        expect(headers.get(`x-${name}-id`)).toMatch(/^[0-9a-f-]{36}$/);
      }
    }
  });

  it('streams events of the agent-UI protocol in the order that is promised', async () => {
    const { app } = await answering('Yes', ' [2].');
    const { headers, body } = await app.ask('POST', PATH, streamed(EVENTS));
    expect(headers.get('content-type')).toBe(EVENTS);
    expect(headers.get('cache-control')).toContain('no-store');
    expect(headers.get('x-accel-buffering')).toBe('no');
    const events = eventsOf(body);
    expect(events.map(({ type, name }) => (name === undefined ? type : `${type} ${name}`))).toEqual([
      'RUN_STARTED',
      'CUSTOM grounding',
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_CONTENT',
      'TEXT_MESSAGE_CONTENT',
      'TEXT_MESSAGE_END',
      'CUSTOM citations',
      'RUN_FINISHED',
    ]);
    const [started, grounding, , , , , citations, finished] = events;
    expect(started.metadata.conversation_id).toBe(started.threadId);
    expect(grounding.value.contents).toEqual([1, 2, 3].map(shownOf));
    expect(citations.value.choices).toEqual([{ index: 0, citations: [shownOf(2)], web_citations: [] }]);
    expect(finished.result).toMatchObject({
      conversation_id: started.threadId,
      assistant_message_id: started.metadata.assistant_message_id,
      choices: [{ message: { content: 'Yes [1].' }, citations: [shownOf(2)] }],
    });
  });

  it("satisfies the protocol's own client and its verifier", async () => {
    const { app } = await answering('Yes', ' [1], it is.');
    const agent = agentOf(app.url);
    const { result } = await agent.runAgent();
    expect(agent.messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'Is it so?'],
      ['assistant', 'Yes [1], it is.'],
    ]);
    expect(result.choices[0].citations).toEqual([shownOf(1)]);
  });

  describe('of a model that tells what it thinks', () => {
    const thinks = (text: string) => ({ kind: 'reasoning', text }) as const;
    const script = [thinks('By [3]'), thinks(', so'), 'Yes', thinks('?'), ' [3].'];

    it('streams that as messages of its own, which the client of the protocol takes for no answer', async () => {
      const { app, recorded } = await answering(...script);
      const { body } = await app.ask('POST', PATH, streamed(EVENTS));
      const [before, , ...rest] = eventsOf(body).map(({ type, delta }) => (delta ? [type, delta] : type));
      expect(before).toBe('RUN_STARTED');
      const stretch = (...deltas: readonly string[]) => [
        'REASONING_START',
        'REASONING_MESSAGE_START',
        ...deltas.map((delta) => ['REASONING_MESSAGE_CONTENT', delta]),
        'REASONING_MESSAGE_END',
        'REASONING_END',
      ];
      expect(rest).toEqual([
        ...stretch('By [3]', ', so'),
        'TEXT_MESSAGE_START',
        ['TEXT_MESSAGE_CONTENT', 'Yes'],
        ...stretch('?'),
        ['TEXT_MESSAGE_CONTENT', ' [1].'],
        'TEXT_MESSAGE_END',
        'CUSTOM',
        'RUN_FINISHED',
      ]);
      const agent = agentOf(app.url);
      const { result } = await agent.runAgent();
      expect(agent.messages.map(({ role, content }) => [role, content])).toEqual([
        ['user', 'Is it so?'],
        ['reasoning', 'By [3], so?'],
        ['assistant', 'Yes [1].'],
      ]);
      expect(JSON.stringify([result, recorded])).not.toContain('By [3]');
    });

    it('says nothing of it in the other forms, of which none begins before the answer does', async () => {
      const { app } = await answering(...script);
      const whole = await app.ask('POST', PATH, { body: { messages } });
      expect(whole.json().choices[0].message.content).toBe('Yes [1].');
      expect(whole.body).not.toContain('By [3]');
      expect((await app.ask('POST', PATH, streamed())).body).toBe('Yes [1].');

      const broken = new ProviderError('it broke', { retryable: false });
      const failing = (await answering(thinks('Hm.'), broken)).app;
      expect((await failing.ask('POST', PATH, streamed())).status).toBe(502);
      const failures: unknown[] = [];
      const onRunErrorEvent = ({ event }: { readonly event: unknown }) => void failures.push(event);
      await agentOf(failing.url).runAgent({}, { onRunErrorEvent });
      expect(failures).toMatchObject([{ code: 'provider_error' }]);
    });

    it('takes thinking without a word for no answer', async () => {
      const { app, recorded } = await answering(thinks('Hm.'));
      const { status, json } = await app.ask('POST', PATH, { body: { messages } });
      expect([status, json().error.type]).toEqual([502, 'provider_error']);
      expect(recorded).toEqual([['failed', 'provider_error']]);
    });
  });

  it('tells a failure in mid-answer as the last event, which the client of the protocol takes', async () => {
    const { app, recorded } = await answering('A bit', new ProviderError('it broke', { retryable: false }));
    const failures: unknown[] = [];
    await agentOf(app.url).runAgent({}, { onRunErrorEvent: ({ event }) => void failures.push(event) });
    expect(failures).toMatchObject([{ type: 'RUN_ERROR', message: 'it broke', code: 'provider_error' }]);
    expect(recorded).toEqual([['failed', 'provider_error']]);
  });

  it('cuts plain text in mid-answer, so that nobody takes it for whole', async () => {
    const { app } = await answering('A bit', new ProviderError('it broke', { retryable: false }));
    await expect(app.ask('POST', PATH, streamed())).rejects.toThrow('terminated');
  });

  it('is answered once for an Idempotency-Key, in whatever form it is asked for again', async () => {
    const model = scripted('Yes [2], ', 'it is.');
    const { start } = completionsOnce(model);
    const app = await runApp(() => ({
      complete: (_caller, asked, signal, key) => start(key, asked, undefined, signal),
    }));
    const headers = { 'idempotency-key': 'k1' };
    const first = await app.ask('POST', PATH, { body: { messages }, headers });
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    const again = await app.ask('POST', PATH, { body: { messages }, headers });
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(again.json()).toEqual(first.json());

    const plain = await app.ask('POST', PATH, { body: { messages, stream: true }, headers });
    expect(plain.headers.get('idempotent-replayed')).toBe('true');
    expect([plain.body, plain.headers.get('x-conversation-id')]).toEqual([
      'Yes [1], it is.',
      first.json().conversation_id,
    ]);
    const agent = agentOf(app.url);
    agent.headers = { ...agent.headers, ...headers };
    const { result } = await agent.runAgent();
    expect(result).toEqual(first.json());
    expect(agent.messages.at(-1)?.content).toBe('Yes [1], it is.');
    expect(model.asked).toHaveLength(1);

    const other = { body: { messages: [{ role: 'user', content: 'Is it not?' }] }, headers };
    const refused = await app.ask('POST', PATH, other);
    expect([refused.status, refused.json().error.type]).toEqual([409, 'idempotency_conflict']);
  });

  it('asks a repetition to wait while the first request is being answered', async () => {
    const [asked, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow: LanguageModel = {
      ...scripted(),
      async *stream() {
        asked.resolve();
        await told.promise;
        yield { kind: 'delta', text: 'Yes.' };
        yield { kind: 'finish', reason: 'stop', usage: null };
      },
    };
    const { start } = completionsOnce(slow);
    const app = await runApp(() => ({
      complete: (_caller, wanted, signal, key) => start(key, wanted, undefined, signal),
    }));
    const ask = () => app.ask('POST', PATH, { body: { messages }, headers: { 'idempotency-key': 'k1' } });
    const first = ask();
    await asked.promise;
    const { status, headers, json } = await ask();
    expect([status, json().error.type, headers.get('retry-after')]).toEqual([409, 'conflict', '1']);
    told.resolve();
    expect((await first).status).toBe(200);
    expect((await ask()).json()).toEqual((await first).json());
  });

  it.each([
    ['as long as the provider says', { retryAfterMs: 6_200 }, 7],
    ['some seconds where it does not say', {}, 5],
  ])('answers 429 when the provider is busy, to be asked again after %s', async (_, asked, seconds) => {
    const busy = new ProviderError('it is busy', { status: 429, retryable: true, ...asked });
    const { app, recorded } = await answering(busy);
    for (const body of [{ messages }, { messages, stream: true }]) {
      const { status, headers, json } = await app.ask('POST', PATH, { body });
      expect([status, json().error]).toEqual([429, { type: 'rate_limited', message: 'it is busy' }]);
      expect(headers.get('retry-after')).toBe(String(seconds));
    }
    const failures: unknown[] = [];
    await agentOf(app.url).runAgent({}, { onRunErrorEvent: ({ event }) => void failures.push(event) });
    expect(failures).toMatchObject([{ code: 'rate_limited', metadata: { retry_after: seconds } }]);
    expect(recorded.every(([how, code]) => how === 'failed' && code === 'rate_limited')).toBe(true);
  });

  it('answers 502 when the model says nothing, whatever form is asked for', async () => {
    const { app } = await answering();
    for (const body of [{ messages }, { messages, stream: true }]) {
      const { status, json } = await app.ask('POST', PATH, { body });
      expect([status, json().error.type]).toEqual([502, 'provider_error']);
    }
    const failures: unknown[] = [];
    await agentOf(app.url).runAgent({}, { onRunErrorEvent: ({ event }) => void failures.push(event) });
    expect(failures).toMatchObject([{ type: 'RUN_ERROR', code: 'provider_error' }]);
  });

  it('answers 502 when a quota is used up, since waiting does not help', async () => {
    const { app } = await answering(new ProviderError('no quota', { status: 429, retryable: false }));
    const { status, headers, json } = await app.ask('POST', PATH, { body: { messages } });
    expect([status, json().error.type, headers.get('retry-after')]).toEqual([502, 'provider_error', null]);
  });

  it.each([
    [502, 'provider_error', new ProviderError('it refuses', { retryable: false })],
    [504, 'provider_timeout', new ProviderTimeout('first_token', 30_000)],
  ])('answers %i %s when the model fails before its first word', async (status, type, error) => {
    const { app } = await answering(error);
    for (const stream of [false, true]) {
      const answer = await app.ask('POST', PATH, { body: { messages, stream } });
      expect([answer.status, answer.json().error]).toEqual([status, { type, message: error.message }]);
    }
  });

  it('refuses a last message that is not from the user, and message ids without a conversation', async () => {
    const { app } = await answering('x');
    const refused = async (body: object) => {
      const { status, json } = await app.ask('POST', PATH, { body: { messages, ...body } });
      return [status, json().error.type];
    };
    expect(await refused({ messages: [{ role: 'assistant', content: 'x' }] })).toEqual([
      400,
      'invalid_request',
    ]);
    expect(await refused({ messages: [] })).toEqual([400, 'invalid_request']);
    expect(await refused({ messages: [{ role: 'tool', content: 'x' }] })).toEqual([400, 'invalid_request']);
    expect(await refused({ regenerate: true })).toEqual([400, 'invalid_request']);
    expect(await refused({ parent_message_id: contentOf(1).id })).toEqual([400, 'invalid_request']);
    expect(await refused({ grounding: true })).toEqual([422, 'not_configured']);
  });
});

describe('POST /completions, beside the first question', () => {
  it('asks for the beginning of its conversation', async () => {
    const { complete } = completions(scripted('yes'));
    const asked: unknown[] = [];
    const app = await runApp(() => ({
      complete: (caller, request, ...rest) => {
        asked.push(request);
        return complete(caller, request, ...rest);
      },
    }));
    const body = { messages, conversation_id: contentOf(1).id, parent_message_id: null };
    await app.ask('POST', PATH, { body });
    expect(asked).toMatchObject([{ conversationId: contentOf(1).id, parentMessageId: null }]);
  });
});

describe('POST /completions, grounded on the web', () => {
  const body = { messages, grounding: true };

  it('answers as a whole, with what the answer cites of the web and what was searched for', async () => {
    const { app, asked } = await groundedApp(['Yes [4], and [1].']);
    const { status, json } = await app.ask('POST', PATH, { body });
    expect(status).toBe(200);
    expect(json().choices).toEqual([
      {
        index: 0,
        message: { role: 'assistant', content: 'Yes [W1], and [1].' },
        finish_reason: 'stop',
        citations: [shownOf(1)],
        web_citations: [cite(2)],
        ...SEARCHED,
      },
    ]);
    expect(asked).toEqual(['Is it so?']);
    const plain = await app.ask('POST', PATH, { body: { messages } });
    expect(plain.json().choices[0]).toMatchObject({ web_citations: [], web_search_queries: [] });
    expect(asked).toHaveLength(1);
  });

  it('streams events that say before the first word what was found, and at the end what is cited', async () => {
    const { app } = await groundedApp(['Yes', ' [4].']);
    const answer = await app.ask('POST', PATH, {
      body: { ...body, stream: true },
      headers: { accept: EVENTS },
    });
    const events = eventsOf(answer.body);
    const named = (name: string) => events.findIndex((event) => event.name === name);
    expect(named('grounding')).toBeLessThan(events.findIndex(({ type }) => type === 'TEXT_MESSAGE_START'));
    expect(events[named('grounding')].value).toEqual({
      contents: [1, 2].map(shownOf),
      web_citations: [cite(1), cite(2)],
      ...SEARCHED,
    });
    expect(events[named('citations')].value.choices).toEqual([
      { index: 0, citations: [], web_citations: [cite(2)] },
    ]);
    expect(events.at(-1).result.choices[0]).toMatchObject({ web_citations: [cite(2)], ...SEARCHED });
    expect(answer.body).not.toContain('Web fact number');
  });

  it("satisfies the protocol's own client and its verifier", async () => {
    const { app } = await groundedApp(['Yes', ' [3], it is.']);
    const agent = agentOf(app.url);
    agent.more = { grounding: true };
    const customs: string[] = [];
    const { result } = await agent.runAgent(
      {},
      { onCustomEvent: ({ event }) => void customs.push(event.name) },
    );
    expect(agent.messages.at(-1)?.content).toBe('Yes [W1], it is.');
    expect(result.choices[0].web_citations).toEqual([cite(1)]);
    expect(customs).toEqual(['grounding', 'citations']);
  });

  it.each([
    [502, 'provider_error', new ProviderError('the web search provider answers 500', { retryable: true })],
    [504, 'provider_timeout', new ProviderTimeout('end', 4_000, 'the web search provider')],
  ])('answers %i %s when the web cannot be searched, in every form', async (status, type, error) => {
    const { app, recorded } = await groundedApp(
      ['x'],
      webOf(() => Promise.reject(error)),
    );
    for (const [stream, accept] of [
      [false, 'application/json'],
      [true, 'text/plain'],
      [true, EVENTS],
    ] as const) {
      const answer = await app.ask('POST', PATH, { body: { ...body, stream }, headers: { accept } });
      expect([answer.status, answer.json().error]).toEqual([status, { type, message: error.message }]);
    }
    expect(recorded).toEqual([1, 2, 3].map(() => ['failed', type]));
  });
});
