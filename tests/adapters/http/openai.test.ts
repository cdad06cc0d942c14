import { describe, expect, it } from 'vitest';
import type { Scope } from '../../../domain/api-key/decider.ts';
import type { Embedder } from '../../../application/ports/embedder.ts';
import { type ModelEvent, ProviderError } from '../../../application/ports/language-model.ts';
import { createComplete } from '../../../application/answers/completions/complete.ts';
import { completions, offerOf, scripted, webOf, webResultOf } from '../../support/completions.ts';
import type { HttpDeps } from '../../../adapters/http/deps.ts';
import { KEY } from './fake-records.ts';
import { type Json, runApp, stopServersAfterAll } from './running-app.ts';

stopServersAfterAll();

const messages = [{ role: 'user', content: 'Is it so?' }];
const page = (n: number) => `https://docs.example.com/${n}`;

const ask = async (
  url: string,
  path: string,
  body?: object,
): Promise<{ status: number; text: string; json: Json }> => {
  const response = await fetch(`${url}/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, text, json: text.startsWith('{') ? JSON.parse(text) : undefined };
};

/** A service whose model says this, two pages of the web behind three contents. */
const answering = async (script: readonly (string | Error | ModelEvent)[], more: Partial<HttpDeps> = {}) => {
  const model = scripted(...script);
  const { deps, recorded } = completions(model);
  const complete = createComplete({ ...deps, ground: webOf().ground });
  const { url } = await runApp(() => ({ complete, offer: offerOf(model), ...more }));
  return {
    model,
    recorded,
    chat: (body: object) => ask(url, '/chat/completions', { model: 'knowledger', messages, ...body }),
    url,
  };
};
const chunksOf = (text: string): readonly Json[] =>
  text.split('\n\n').flatMap((frame) => (frame.startsWith('data: {') ? [JSON.parse(frame.slice(6))] : []));
const said = (text: string): string =>
  chunksOf(text)
    .map(({ choices }) => choices?.[0]?.delta.content ?? '')
    .join('');

const SCRIPT = ['Yes [2', '], as `a[1]` says [1][5].'];
const TEXT =
  `Yes [[1]](${page(2)}), as \`a[1]\` says [[2]](${page(1)})[[W1]](${webResultOf(2).url}).\n\n**Sources**\n\n` +
  `- [1] [Page 2](${page(2)})\n- [2] [Page 1](${page(1)})\n` +
  `- [W1] [${webResultOf(2).title}](${webResultOf(2).url})`;

describe('a chat completion', () => {
  it('cites by links in the text, by a list behind it, and by annotations', async () => {
    const { chat, recorded } = await answering(SCRIPT);
    const { status, json } = await chat({ grounding: true });
    expect(status).toBe(200);
    const { id, object, model, choices } = json;
    expect([id, object, model]).toEqual([
      expect.stringMatching(/^chatcmpl-/),
      'chat.completion',
      'knowledger',
    ]);
    const { message, finish_reason: reason } = choices[0];
    expect([message.role, message.content, reason]).toEqual(['assistant', TEXT, 'stop']);
    const cited = message.annotations.map(({ url_citation: at }: Json) => [
      message.content.slice(at.start_index, at.end_index),
      at.title,
    ]);
    expect(cited).toEqual([
      [`[[1]](${page(2)})`, 'Page 2'],
      [`[[2]](${page(1)})`, 'Page 1'],
      [`[[W1]](${webResultOf(2).url})`, webResultOf(2).title],
    ]);
    // What is kept is the answer, not what was made of it for this client.
    expect(recorded).toMatchObject([['finished', { content: 'Yes [1], as `a[1]` says [2][W1].' }]]);
  });

  it('streams the same text, its annotations and its end, and usage where it is asked for', async () => {
    const usage = { inputTokens: 7, outputTokens: 5 };
    const { chat } = await answering([...SCRIPT, { kind: 'finish', reason: 'length', usage }]);
    const { text } = await chat({ stream: true, stream_options: { include_usage: true }, grounding: true });
    const chunks = chunksOf(text);
    expect(said(text)).toBe(TEXT);
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(new Set(chunks.map(({ id, object }) => `${object} ${id}`)).size).toBe(1);
    expect(chunks[0].choices[0].delta).toEqual({ role: 'assistant', content: '' });
    const annotations = chunks.flatMap(({ choices }) => choices[0]?.delta.annotations ?? []);
    expect(annotations).toHaveLength(3);
    expect(chunks.flatMap(({ choices }) => choices[0]?.finish_reason ?? [])).toEqual(['length']);
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 },
    });
  });

  it('has no links where the operator wants none, and no marks where the request wants none', async () => {
    const { chat } = await answering(SCRIPT, { linksCitations: false });
    const { message } = (await chat({})).json.choices[0];
    expect(message.content).toBe('Yes [1], as `a[1]` says [2].');
    const [first] = message.annotations;
    expect(first.url_citation).toMatchObject({ start_index: 4, end_index: 7, url: page(2) });
    const plain = await answering(['Yes.']);
    expect((await plain.chat({ citation: false })).json.choices[0].message).toMatchObject({
      content: 'Yes.',
      annotations: [],
    });
  });

  it('tells a failure before the first word by its status, and a later one in the stream', async () => {
    const { chat } = await answering([
      'Well',
      new ProviderError('broken', { status: 500, retryable: false }),
    ]);
    const { text } = await chat({ stream: true });
    expect(said(text)).toBe('Well');
    expect(chunksOf(text).at(-1).error).toMatchObject({ code: 'provider_error' });
    expect(text).not.toContain('[DONE]');
    const bad = await chat({ source_group_ids: ['x'] });
    expect([bad.status, bad.json.error.type]).toEqual([400, 'invalid_id']);
  });

  it('gives the model the talk as it was, without links, tools and empty turns', async () => {
    const { chat, model } = await answering(['So.'], {});
    const talk = [
      { role: 'developer', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'Is it?' }] },
      { role: 'assistant', content: null, tool_calls: [] },
      { role: 'tool', content: 'x', tool_call_id: '1' },
      { role: 'assistant', content: TEXT },
      { role: 'user', content: 'Why?' },
    ];
    expect((await chat({ messages: talk, temperature: 0.5, user: 'ann', top_p: 1 })).status).toBe(200);
    const { messages: given, temperature } = model.asked[0]!;
    expect(temperature).toBe(0.5);
    expect(given.filter(({ role }) => role !== 'system').map(({ content }) => content)).toEqual([
      'Is it?',
      'Yes, as `a[1]` says.',
      expect.stringContaining('<passage'),
      'Why?',
    ]);
    expect(JSON.stringify(given)).toContain('Be brief.');
    const picture = [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:,' } }] }];
    expect((await chat({ messages: picture })).json.error.message).toContain('image_url');
    for (const refused of [{ n: 2 }, { response_format: { type: 'json_object' } }])
      expect([refused, (await chat(refused)).status]).toEqual([refused, 400]);
  });
});

describe('a person who has signed in', () => {
  const ADA = 'https://login.example.com#ada';
  const asked: (string | null)[] = [];
  let scopes: readonly Scope[] = ['inference:run'];
  const chat = async (more: object) => {
    const { deps } = completions(scripted('Yes.'));
    const complete = createComplete(deps);
    const { url } = await runApp(() => ({
      complete: (by, request, ...rest) => {
        asked.push(request.principalId);
        return complete(by, request, ...rest);
      },
      signIn: {
        authenticate: async () => ({ id: ADA, name: undefined, tenant: 'acme', scopes }),
        client: () => Promise.reject(new Error('nobody signs in here')),
      },
    }));
    const body = JSON.stringify({ model: 'knowledger', messages, ...more });
    const headers = { authorization: 'Bearer eyJh.eyJz.c2ln', 'content-type': 'application/json' };
    return (await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })).status;
  };

  it('asks as that person alone, whomever the request names', async () => {
    expect(await chat({})).toBe(200);
    // Programs send it on their own, for statistics.
    expect(await chat({ user: 'somebody' })).toBe(200);
    expect(await chat({ principal_id: ADA })).toBe(200);
    expect(asked.splice(0)).toEqual([ADA, ADA, ADA]);
    expect(await chat({ principal_id: 'jo' })).toBe(403);
    expect(asked).toEqual([]);
    scopes = ['inference:run', 'authz:grant'];
    expect(await chat({ user: 'jo' })).toBe(200);
    expect(asked).toEqual(['jo']);
  });
});

describe('the models', () => {
  it('answer to any name, so that a program needs another address alone', async () => {
    const { chat, model } = await answering(['Yes.']);
    expect((await chat({ model: 'gpt-9' })).json).toMatchObject({ model: 'knowledger' });
    expect((await chat({ model: 'scripted' })).json).toMatchObject({ model: 'scripted' });
    expect(model.asked).toHaveLength(2);
  });

  it('are the knowledge base, and those that the operator offers', async () => {
    const { url } = await answering([]);
    const { json } = await ask(url, '/models');
    expect(json.data.map(({ id }: Json) => id)).toEqual(['knowledger', 'scripted']);
    expect((await ask(url, '/models/scripted')).json).toMatchObject({ id: 'scripted', object: 'model' });
    expect((await ask(url, '/models/other')).status).toBe(404);
    const { url: bare } = await runApp();
    expect((await ask(bare, '/models')).json.data).toHaveLength(1);
  });
});

describe('embeddings', () => {
  const embedder: Embedder = {
    model: 'small',
    dimensions: 2,
    embed: async (texts, kind) =>
      texts.map((text) => Float32Array.of(text.length, kind === 'query' ? 1 : 0.5)),
  };
  it('are those of the model of the contents, as numbers or in base64', async () => {
    const { url } = await runApp(() => ({ embedder }));
    const numbers = await ask(url, '/embeddings', { model: 'small', input: ['ab', 'abc'] });
    expect(numbers.json.data.map(({ embedding }: Json) => embedding)).toEqual([
      [2, 0.5],
      [3, 0.5],
    ]);
    const body = { model: 'knowledger', input: 'a', encoding_format: 'base64', input_type: 'query' };
    const [{ embedding }] = (await ask(url, '/embeddings', body)).json.data;
    expect([...new Float32Array(new Uint8Array(Buffer.from(embedding, 'base64')).buffer)]).toEqual([1, 1]);
    expect((await ask(url, '/embeddings', { model: 'other', input: 'a' })).status).toBe(404);
    const none = await ask((await runApp()).url, '/embeddings', { model: 'small', input: 'a' });
    expect([none.status, none.json.error.type]).toEqual([422, 'not_configured']);
  });
});
