import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { FeedMessage } from '../../../application/ports/event-store.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { auditEntry, ID, KEY, recorded } from './fake-records.ts';
import { runApp, stopServersAfterAll } from './running-app.ts';

stopServersAfterAll();
/** What the client says of an answer that did not end well. */
const CUT = /terminated|fetch failed/;
const SSE = { accept: 'text/event-stream' };
const LINES = { accept: 'application/x-ndjson' };
const TRAIL = `/api/v1/crawls/${ID}/events`;

/** Pushes items to whoever iterates, until the signal aborts. */
const source = <T>(signal: AbortSignal) => {
  const items: T[] = [];
  let wake = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => wake.resolve());
  async function* all(): AsyncGenerator<T> {
    for (;;) {
      while (items.length > 0) yield items.shift() as T;
      if (signal.aborted) return;
      await wake.promise;
      wake = Promise.withResolvers();
      if (signal.aborted) return;
    }
  }
  const push = (item: T): void => {
    items.push(item);
    wake.resolve();
  };
  return { all, push };
};

/** Reads a stream piece by piece. */
const reader = (response: Response) => {
  const chunks = (response.body as ReadableStream<Uint8Array>)
    .pipeThrough(new TextDecoderStream())
    .getReader();
  let text = '';
  return {
    /** All that has come, once it holds `part`. */
    until: async (part: string): Promise<string> => {
      while (!text.includes(part)) {
        const { done, value } = await chunks.read();
        if (done) throw new Error(`the stream ended without ${part}: ${text}`);
        text += value;
      }
      return text;
    },
    /** All that has come when the stream ends well. */
    rest: async (): Promise<string> => {
      for (;;) {
        const { done, value } = await chunks.read();
        if (done) return text;
        text += value;
      }
    },
    cancel: () => chunks.cancel(),
  };
};

const idsIn = (text: string): string[] => [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id as string);
const dataIn = (text: string): Record<string, unknown>[] =>
  [...text.matchAll(/^data: (.*)$/gm)].map(
    ([, data]) => JSON.parse(data as string) as Record<string, unknown>,
  );

/** The application whose audit trail the test writes. */
const live = async (keepAliveMs = 60_000) => {
  const asked: { after?: bigint }[] = [];
  const opened = Promise.withResolvers<{ push: (revision: number) => void; signal: AbortSignal }>();
  const app = await runApp(({ auditTrail }) => ({
    keepAliveMs,
    auditTrail: {
      ...auditTrail,
      follow: async (_caller, _kind, id, { after, signal }) => {
        if (id !== ID) throw new DomainError('not_found', 'there is no such crawl');
        asked.push(after === undefined ? {} : { after });
        const entries = source<number>(signal);
        opened.resolve({ push: entries.push, signal });
        async function* told() {
          for await (const revision of entries.all()) yield auditEntry(revision);
        }
        return told();
      },
    },
  }));
  return { app, asked, opened: opened.promise };
};

describe('the audit trail as an event stream', () => {
  it('sends each event when it comes, with its revision as id', async () => {
    const { app, opened } = await live();
    const response = await app.open(TRAIL, SSE);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    const stream = reader(response);
    const { push } = await opened;
    expect(await stream.until('retry')).toBe('retry: 2000\n\n');
    push(0);
    await stream.until('id: 0');
    push(1);
    push(2);
    const text = await stream.until('id: 2');
    expect(idsIn(text)).toEqual(['0', '1', '2']);
    expect(dataIn(text)[1]).toMatchObject({ revision: 1, type: 'JobQueued', from_status: 'not_started' });
    await stream.cancel();
  });

  it('resumes exactly after Last-Event-ID, which wins over the query', async () => {
    const { app, asked } = await live();
    for (const [headers, query] of [
      [{ 'last-event-id': '7' }, ''],
      [{ 'last-event-id': '7' }, '?after=3'],
      [{}, '?after=3'],
      [{ 'last-event-id': '' }, ''],
    ] as const) {
      const response = await app.open(TRAIL + query, { ...SSE, ...headers });
      expect(response.status).toBe(200);
      await response.body?.cancel();
    }
    expect(asked).toEqual([{ after: 7n }, { after: 7n }, { after: 3n }, {}]);
  });

  it('refuses before it begins: an id of another stream, a crawl that is not there, a key without the scope', async () => {
    const { app } = await live();
    const ask = (path: string, headers: Record<string, string>, key = KEY) =>
      app.ask('GET', path, { key, headers: { ...SSE, ...headers } });
    expect((await ask(TRAIL, { 'last-event-id': 'x' })).json().error.type).toBe('invalid_cursor');
    const other = TRAIL.replace(ID, '0199d2a0-0000-7000-8000-00000000dead');
    expect((await ask(other, {})).status).toBe(404);
    expect((await ask(TRAIL, {}, 'kn_audit:read')).status).toBe(403);
  });

  it('is kept alive by comments while nothing happens', async () => {
    const { app } = await live(5);
    const stream = reader(await app.open(TRAIL, SSE));
    expect(await stream.until(': keep-alive\n\n: keep-alive')).toMatch(/^retry: 2000\n\n(: keep-alive\n\n)+/);
    await stream.cancel();
  });

  it('is cut when its key is revoked', async () => {
    let revoked = false;
    const app = await runApp(({ authenticate, auditTrail }) => ({
      keepAliveMs: 5,
      authenticate: Object.assign(
        async (key: string | undefined) =>
          revoked ? ({ ok: false, reason: 'invalid_api_key' } as const) : authenticate(key),
        { clearCache: () => undefined },
      ),
      auditTrail: {
        ...auditTrail,
        follow: async (_caller, _kind, _id, { signal }) => source<never>(signal).all(),
      },
    }));
    const stream = reader(await app.open(TRAIL, SSE));
    await stream.until('keep-alive');
    revoked = true;
    await expect(stream.rest()).rejects.toThrow(CUT);
    expect((await app.ask('GET', TRAIL)).status).toBe(401);
  });

  it('is cut when its source fails, so that the client comes again', async () => {
    const errors: string[] = [];
    const app = await runApp(({ auditTrail }) => ({
      log: { info: () => undefined, warn: () => undefined, error: (message) => errors.push(message) },
      auditTrail: {
        ...auditTrail,
        follow: async () => {
          async function* broken() {
            yield auditEntry(0);
            throw new Error('the connection broke');
          }
          return broken();
        },
      },
    }));
    const stream = reader(await app.open(TRAIL, SSE));
    await expect(stream.rest()).rejects.toThrow(CUT);
    expect(errors).toEqual(['request failed']);
  });
});

describe('the log', () => {
  it('as lines holds one event each, and is whole', async () => {
    const app = await runApp();
    const response = await app.open('/api/v1/events', LINES);
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    const lines = (await response.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines).toMatchObject([
      { position: recorded(1).position, actor: { kind: 'worker' }, correlation_id: 'c', causation_id: 'd' },
      { position: recorded(2).position, trace_id: '0af7651916cd43dd8448eb211c80319c' },
    ]);
  });

  it('as lines is sent no faster than it is read', { timeout: 60_000 }, async () => {
    let sent = 0;
    const total = 40_000;
    const app = await runApp(({ events }) => ({
      events: {
        ...events,
        replay: async function* replay() {
          const event = { ...recorded(1), data: { text: 'x'.repeat(1_000) } };
          for (; sent < total; sent += 1) yield event;
        },
      },
    }));
    const response = await app.open('/api/v1/events', LINES);
    const chunks = (response.body as ReadableStream<Uint8Array>).getReader();
    await chunks.read();
    // Nothing is read any more: what was taken from the source comes to rest far from its end.
    let before = -1;
    while (before !== sent) {
      before = sent;
      await wait(50);
    }
    expect(sent).toBeLessThan(total / 2);
    let bytes = 0;
    for (;;) {
      const { done, value } = await chunks.read();
      if (done) break;
      bytes += value.length;
    }
    expect(sent).toBe(total);
    expect(bytes).toBeGreaterThan(total * 900);
  });

  it('as lines is cut when its source fails or the server ends, so that half of it never looks whole', async () => {
    const logged: unknown[] = [];
    const broken = await runApp(({ events, log }) => ({
      log: { ...log, error: (_message, fields) => void logged.push(fields?.['message']) },
      events: {
        ...events,
        replay: async function* replay() {
          yield recorded(1);
          throw new Error('the connection broke');
        },
      },
    }));
    await expect(broken.open('/api/v1/events', LINES).then((response) => response.text())).rejects.toThrow(
      CUT,
    );
    expect(logged).toEqual(['the connection broke']);

    const app = await runApp(({ events }) => ({
      events: {
        ...events,
        replay: (_caller, _filter, _after, signal) => {
          const log = source<ReturnType<typeof recorded>>(signal);
          log.push(recorded(1));
          return log.all();
        },
      },
    }));
    const stream = reader(await app.open('/api/v1/events', LINES));
    await stream.until('position');
    app.steps.refuse();
    await expect(stream.rest()).rejects.toThrow(CUT);
  });

  it('as an event stream has positions for ids, those between events too', async () => {
    const asked: string[] = [];
    const app = await runApp(({ events }) => ({
      events: {
        ...events,
        follow: (caller, filter, after, signal) => {
          asked.push(after);
          return events.follow(caller, filter, after, signal);
        },
      },
    }));
    const headers = { ...SSE, 'last-event-id': '00:41' };
    const text = await (await app.open('/api/v1/events?after_position=00:07', headers)).text();
    expect(asked).toEqual(['00:41']);
    const positions = [1, 2, 5, 5].map((n) => recorded(n).position);
    expect(idsIn(text)).toEqual(positions);
    expect(dataIn(text)).toHaveLength(2);
  });

  it('refuses a place that it does not have before any stream begins', async () => {
    const app = await runApp(({ events }) => ({
      events: {
        ...events,
        page: async () => {
          throw new DomainError('invalid_cursor', 'this is no position of the log');
        },
        follow: (): AsyncIterable<FeedMessage> => {
          throw new Error('not reached');
        },
      },
    }));
    for (const headers of [SSE, LINES, {}]) {
      const answer = await app.ask('GET', '/api/v1/events?after_position=zz', { headers });
      expect([answer.status, answer.json().error.type]).toEqual([400, 'invalid_cursor']);
    }
  });
});
