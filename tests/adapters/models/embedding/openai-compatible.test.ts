import { Agent } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  createOpenAiCompatibleEmbedder,
  type OpenAiCompatibleOptions,
} from '../../../../adapters/models/embedding/openai-compatible/embedder.ts';
import { EmbedderUnavailable, EmbeddingRefused } from '../../../../application/ports/embedder.ts';
import {
  type EmbeddingsServer,
  failing,
  openEmbeddingsServer,
} from '../../../support/embedding/embeddings-server.ts';
import { createHashedEmbedder } from '../../../support/embedding/hashed-embedder.ts';
import { embedderContract } from '../../contracts/embedder.ts';

const KEY = 'sk-secret-of-the-provider';
const never = new AbortController().signal;
const dispatcher = new Agent();
let server: EmbeddingsServer;
const waits: number[] = [];
beforeAll(async () => {
  server = await openEmbeddingsServer();
});
afterEach(() => {
  server.faults.length = 0;
  server.asked.length = 0;
  waits.length = 0;
  Object.assign(server, { broken: null, refused: null, dimensions: 64 });
});
afterAll(async () => {
  await dispatcher.destroy();
  await server.close();
});

const open = (options: Partial<OpenAiCompatibleOptions> = {}) =>
  createOpenAiCompatibleEmbedder({
    dispatcher,
    url: server.url,
    model: 'small',
    key: KEY,
    sleep: async (ms) => void waits.push(ms),
    ...options,
  });

embedderContract('of hashes', async () => createHashedEmbedder());
embedderContract('over HTTP', async () => open());

describe('batches', () => {
  it('hold 96 texts and 256 KiB at most, and every text once', async () => {
    const texts = [
      ...Array.from({ length: 200 }, (_, i) => `${i}`),
      'ä'.repeat(100_000),
      'ö'.repeat(100_000),
      'z',
    ];
    await open().embed([...texts, 'x'.repeat(300_000), 'y'], 'document', never);
    expect(server.asked.map(({ input }) => input.length)).toEqual([96, 96, 9, 2, 1, 1]);
  });
});

describe('a provider over HTTP', () => {
  it('is sent the model, the texts and the key, and the address may end with a slash', async () => {
    const embedder = open({ url: `${server.url}/` });
    expect(embedder.dimensions).toBe(null);
    await embedder.embed(['one', 'two'], 'document', never);
    expect(server.asked).toEqual([{ model: 'small', input: ['one', 'two'], key: `Bearer ${KEY}` }]);
    expect(embedder.dimensions).toBe(64);
  });

  it('is asked again after what may pass, with growing delays, and when it says', async () => {
    server.faults.push(failing(429, { 'retry-after': '7' }), failing(503), (request) =>
      request.socket.destroy(),
    );
    expect(await open().embed(['a'], 'document', never)).toHaveLength(1);
    expect(server.asked).toHaveLength(4);
    expect(waits[0]).toBe(7_000);
    expect(waits[1]).toBeGreaterThanOrEqual(500);
    expect(waits[2]).toBeGreaterThanOrEqual(1_000);
    expect(waits[2]).toBeLessThanOrEqual(3_000);
  });

  it('is given up after four requests, or when it asks for a long wait', async () => {
    server.broken = failing(500);
    await expect(open().embed(['a'], 'document', never)).rejects.toThrow(EmbedderUnavailable);
    expect(server.asked).toHaveLength(4);
    server.broken = failing(429, { 'retry-after': '3600' });
    await expect(open().embed(['a'], 'document', never)).rejects.toThrow(/429/);
    expect(server.asked).toHaveLength(5);
  });

  it('is not asked again where that would not help, and neither key nor text is in any error', async () => {
    for (const [status, error] of [
      [400, EmbeddingRefused],
      [413, EmbeddingRefused],
      [401, EmbedderUnavailable],
      [404, EmbedderUnavailable],
    ] as const) {
      server.asked.length = 0;
      server.faults.push(failing(status, {}, JSON.stringify({ error: `${KEY} may not see my words` })));
      const failed: unknown = await open()
        .embed(['my words'], 'document', never)
        .catch((caught: unknown) => caught);
      expect(failed).toBeInstanceOf(error);
      expect(String((failed as Error).stack)).not.toMatch(new RegExp(`${KEY}|my words`));
      expect(server.asked).toHaveLength(1);
    }
  });

  it.each([
    ['no JSON', 'sorry'],
    ['no vectors', '{}'],
    ['too few', '{"data":[]}'],
    ['numbers that are none', '{"data":[{"embedding":[1,"x"]}]}'],
    ['no direction', '{"data":[{"embedding":[0,0]}]}'],
    ['a place that is none', '{"data":[{"index":5,"embedding":[1]}]}'],
  ])('that answers %s cannot be used', async (_, body) => {
    server.faults.push(failing(200, {}, body));
    await expect(open().embed(['a'], 'document', never)).rejects.toThrow(EmbedderUnavailable);
  });

  it('that changes the length of its vectors cannot be used', async () => {
    const embedder = open();
    await embedder.embed(['a'], 'document', never);
    server.dimensions = 32;
    await expect(embedder.embed(['a'], 'document', never)).rejects.toThrow(/32 dimensions/);
  });

  it('that is silent is given up in time, and at once when the caller is gone', async () => {
    server.broken = () => {};
    await expect(open({ timeoutMs: 50, attempts: 2 }).embed(['a'], 'query', never)).rejects.toThrow(
      /the embedding provider took longer than 50 ms/,
    );
    expect(server.asked).toHaveLength(2);
    const leaves = new AbortController();
    server.broken = () => leaves.abort(new Error('gone'));
    await expect(open().embed(['a'], 'query', leaves.signal)).rejects.toThrow('gone');
  });
});
