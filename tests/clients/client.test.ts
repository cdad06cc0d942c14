import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClient, KnowledgerError } from '../../clients/typescript/src/index.ts';

type Reply = Response | Error | ((init: RequestInit) => Response | Promise<Response>);
interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A client whose service gives these replies, one after another. */
const clientOf = (...replies: Reply[]) => {
  const sent: Sent[] = [];
  const send: typeof fetch = (input, init) => {
    sent.push({
      method: init!.method!,
      url: input as string,
      headers: init!.headers as Record<string, string>,
    });
    const reply = replies.shift() ?? new Error('nothing more was expected');
    if (reply instanceof Error) return Promise.reject(reply);
    return Promise.resolve(typeof reply === 'function' ? reply(init!) : reply);
  };
  return { client: createClient({ url: 'https://kn.example/', key: 'k', fetch: send }), sent };
};
const json = (body: unknown, headers: Record<string, string> = {}) => Response.json(body, { headers });
const refusal = (status: number, type = 'unavailable', retryAfter?: string) =>
  Response.json(
    { error: { type, message: 'no' } },
    { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } },
  );
const lost = () => new TypeError('fetch failed');

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What a promise comes to while the clock runs as fast as it can, with the seconds that went by. */
const passed = async <T>(promise: Promise<T>): Promise<readonly [result: T | Error, seconds: number]> => {
  const start = Date.now();
  const told: (T | Error)[] = [];
  promise.then(
    (value) => told.push(value),
    (error: Error) => told.push(error),
  );
  while (told.length === 0) await vi.advanceTimersByTimeAsync(50);
  return [told[0]!, (Date.now() - start) / 1_000];
};

describe('a query', () => {
  it('asks for nothing less than it says: an empty text is sent, and an empty list is an error', async () => {
    const { client, sent } = clientOf(json({}));
    await client.get('/events', { query: { types: ['JobFailed', 'JobQueued'], stream: '' } });
    expect(sent[0]!.url).toMatch(/\/events\?types=JobFailed&types=JobQueued&stream=$/);
    await expect(client.get('/events', { query: { types: [] } })).rejects.toThrow(
      'types of the query is an empty',
    );
    expect(sent).toHaveLength(1);
  });
});

describe('a request that fails for a time', () => {
  it('is sent again: a read as it is, a creation with one key for all attempts', async () => {
    const read = clientOf(lost(), refusal(502), json({ tags: [] }));
    expect((await passed(read.client.get('/tags')))[0]).toEqual({ tags: [] });
    expect(read.sent).toHaveLength(3);
    const made = clientOf(lost(), refusal(409, 'conflict', '1'), json({ id: 't' }));
    expect((await passed(made.client.post('/tags', { body: { name: 'n' } })))[0]).toEqual({ id: 't' });
    const keys = made.sent.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(keys).size).toBe(1);
  });

  it('has the key of its body alone where that names one', async () => {
    const { client, sent } = clientOf(lost(), json({ run_id: 'r' }));
    const body = { workflow_type: 'chat', input: { messages: [] }, idempotency_key: 'mine' };
    expect((await passed(client.post('/agent/runs', { body })))[0]).toEqual({ run_id: 'r' });
    expect(sent.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined, undefined]);
  });

  it('is sent again where its answer breaks off', async () => {
    const broken = () => {
      const body = new ReadableStream({ start: (controller) => controller.error(lost()) });
      return new Response(body, { status: 200 });
    };
    const { client, sent } = clientOf(broken, json({ tags: [] }));
    expect((await passed(client.get('/tags')))[0]).toEqual({ tags: [] });
    expect(sent).toHaveLength(2);
  });

  it('waits as long as the service asks, but no more than a minute', async () => {
    const [, seconds] = await passed(
      clientOf(refusal(429, 'rate_limited', '7'), json({})).client.get('/tags'),
    );
    expect(seconds).toBeGreaterThanOrEqual(7);
    const far = clientOf(refusal(429, 'rate_limited', '3600'));
    expect((await passed(far.client.get('/tags')))[0]).toMatchObject({ status: 429, retryAfter: 3_600 });
    expect(far.sent).toHaveLength(1);
  });

  it('fails after four attempts, with the last reason', async () => {
    const { client, sent } = clientOf(lost(), lost(), lost(), refusal(503));
    expect((await passed(client.get('/tags')))[0]).toBeInstanceOf(KnowledgerError);
    expect(sent).toHaveLength(4);
  });

  it('is not sent again where a second one might do it twice, or nothing would change', async () => {
    const rotate = { path: { id: 'a' } };
    const twice = clientOf(lost());
    expect((await passed(twice.client.post('/api-keys/{id}/rotate', rotate)))[0]).toBeInstanceOf(TypeError);
    const refused = clientOf(refusal(503), json({ id: 'a' }));
    expect((await passed(refused.client.post('/api-keys/{id}/rotate', rotate)))[0]).toEqual({ id: 'a' });
    for (const status of [400, 404, 409, 500]) {
      const { client, sent } = clientOf(refusal(status, 'x', '1'));
      expect((await passed(client.get('/tags')))[0]).toMatchObject({ status });
      expect(sent).toHaveLength(1);
    }
  });

  it('ends at once when its signal aborts, while it waits too', async () => {
    const over = new AbortController();
    const asked = clientOf(refusal(503, 'unavailable', '50')).client.get('/tags', { signal: over.signal });
    setTimeout(() => over.abort(new Error('enough')), 2_000);
    const [error, seconds] = await passed(asked);
    expect(error).toEqual(new Error('enough'));
    expect(seconds).toBeLessThan(3);
  });
});

describe('a list', () => {
  const page = (from: number, next?: string) =>
    json({
      robots_blocked: ['https://a.example/'],
      errors: [{ locator: `${from}` }, { locator: `${from + 1}` }],
      pagination: { has_more: next !== undefined, ...(next !== undefined && { next_id: next }) },
    });
  const read = async (client: ReturnType<typeof clientOf>['client']): Promise<string[]> => {
    const locators: string[] = [];
    const asked = { path: { id: 'c' }, query: { limit: 2, after: 'x' } };
    for await (const { locator } of client.all('/crawls/{id}/errors', asked)) locators.push(locator);
    return locators;
  };

  it('comes whole, page by page, also where a page must be asked for again', async () => {
    const { client, sent } = clientOf(page(1, 'p2'), lost(), page(3, 'p3'), page(5));
    expect((await passed(read(client)))[0]).toEqual(['1', '2', '3', '4', '5', '6']);
    expect(sent.map(({ url }) => new URL(url).search)).toEqual([
      '?limit=2&after=x',
      '?limit=2&next_id=p2',
      '?limit=2&next_id=p2',
      '?limit=2&next_id=p3',
    ]);
  });

  it('is an error, never a shorter list, where a page cannot be had', async () => {
    const { client } = clientOf(page(1, 'p2'), refusal(404, 'not_found'));
    expect((await passed(read(client)))[0]).toMatchObject({ type: 'not_found' });
  });
});

describe('a read after a write', () => {
  it('asks for the newest of the positions that writes answered', async () => {
    const written = (position: string) => json({}, { 'x-position': position });
    const { client, sent } = clientOf(written('0009:1'), written('0008:7'), json({}));
    await client.put('/tags/{id}', { path: { id: 'a' }, body: { name: 'b' } });
    await client.delete('/tags/{id}', { path: { id: 'a' } });
    await client.get('/tags');
    const asked = sent.map(({ headers }) => headers['x-min-position']);
    expect(asked).toEqual([undefined, '0009:1', '0009:1']);
  });
});

describe('waiting for work', () => {
  it('ends with the record once it is over, and tells of what comes before', async () => {
    const states = ['queued', 'started', 'success'].map((status) => json({ id: 'c', status }));
    const seen: string[] = [];
    const waited = clientOf(...states).client.waitFor('/crawls', 'c', {
      onProgress: ({ status }) => seen.push(status),
    });
    expect((await passed(waited))[0]).toMatchObject({ status: 'success' });
    expect(seen).toEqual(['queued', 'started']);
  });
});

describe('a stream of events', () => {
  /** In place of an event: the service ends the stream. */
  const END = 'end';
  const stream = (...lines: string[]) =>
    new Response(
      new ReadableStream({
        pull: (controller) => {
          const line = lines.shift();
          if (line === END) controller.close();
          else if (line === undefined) controller.error(lost());
          else controller.enqueue(new TextEncoder().encode(`${line}\n\n`));
        },
      }),
    );

  it('goes on behind the last event after a break or an end, and ends where all is told', async () => {
    const { client, sent } = clientOf(
      stream('id: 1\ndata: "a"', 'id: 2\ndata: "b"'),
      lost(),
      stream('id: 3\ndata: "c"', 'id: 4', END),
      new Response(null, { status: 204 }),
    );
    const follow = async (): Promise<unknown[]> => {
      const told: unknown[] = [];
      const { signal } = new AbortController();
      for await (const { data } of client.follow('/agent/runs/{id}/events', { path: { id: 'r' }, signal }))
        told.push(data);
      return told;
    };
    expect((await passed(follow()))[0]).toEqual(['a', 'b', 'c']);
    expect(sent.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '2', '2', '4']);
  });
});
