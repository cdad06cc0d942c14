import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { auditEntry, ID, KEY, recorded } from './fake-records.ts';
import { runApp, stopServersAfterAll } from './running-app.ts';
import { sendWhileStanding } from './sent-unread.ts';

stopServersAfterAll();
const NEVER = new Promise<never>(() => undefined);
const HEAD = `Host: x\r\nx-api-key: ${KEY}\r\n`;
const LIST = `GET /api/v1/crawls HTTP/1.1\r\n${HEAD}\r\n`;
const BODY = JSON.stringify({ query: 'anything' });
const SEARCH = `POST /api/v1/search HTTP/1.1\r\n${HEAD}content-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`;

/** The application with a list that is not answered before the test wants it. */
const slow = async () => {
  const inside = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const errors: string[] = [];
  const app = await runApp(({ dataSources }) => ({
    log: { info: () => undefined, warn: () => undefined, error: (message) => errors.push(message) },
    dataSources: {
      ...dataSources,
      list: async (...args) => {
        inside.resolve();
        await go.promise;
        return dataSources.list(...args);
      },
    },
  }));
  return { app, inside: inside.promise, go: go.resolve, errors };
};

describe('a server that is told to stop', () => {
  it('says so at once, and serves everything until its time is over', async () => {
    const app = await runApp(({ auditTrail }) => ({
      auditTrail: {
        ...auditTrail,
        follow: async (_caller, _kind, _id, { signal }) => {
          async function* entries() {
            yield auditEntry(7);
            await once(signal, 'abort');
          }
          return entries();
        },
      },
    }));
    expect((await app.ask('GET', '/readyz')).status).toBe(200);
    const over = Promise.withResolvers<void>();
    const stopped = app.stop(60_000, over.promise);
    const ready = await app.ask('GET', '/readyz');
    expect([ready.status, ready.json()]).toEqual([
      503,
      { status: 'not ready', reasons: { server: 'stopping' }, details: {}, optional: { browser: 'ready' } },
    ]);
    expect((await app.ask('GET', '/healthz')).status).toBe(200);
    const answer = await app.ask('GET', '/api/v1/crawls');
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
    const stream = await app.open(`/api/v1/crawls/${ID}/events`, { accept: 'text/event-stream' });
    over.resolve();
    // It ends well, and its last id is the place to go on from.
    expect([...(await stream.text()).matchAll(/^id: (.*)$/gm)].at(-1)?.[1]).toBe('7');
    expect(await stopped).toBe('clean');
    await expect(fetch(app.url)).rejects.toThrow('fetch failed');
  });

  it.each([
    ['reads', LIST],
    ['requests with a body', SEARCH],
  ])(
    'answers %s that were sent before, although it had taken none of their connections yet',
    async (_, request) => {
      const app = await runApp();
      const answers = sendWhileStanding(app.url, request, 40);
      const stopped = app.stop(60_000);
      expect(new Set(await answers)).toEqual(new Set(['HTTP/1.1 200 OK']));
      expect(await stopped).toBe('clean');
    },
  );

  it('answers the next request of a connection that it took for idle', async () => {
    const app = await runApp();
    const sockets = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
        socket.write(LIST);
        await once(socket, 'data');
        return socket;
      }),
    );
    for (const socket of sockets) socket.write(LIST);
    const stopped = app.stop(60_000);
    const answers = await Promise.all(sockets.map((socket) => text(socket)));
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*connection: close/i);
    expect(await stopped).toBe('clean');
  });

  it('answers 503 to what does not end in time, and is silent about what comes of it', async () => {
    const { app, inside, go, errors } = await slow();
    const asked = app.ask('GET', '/api/v1/crawls');
    await inside;
    const [stopped, answer] = await Promise.all([app.stop(0), asked]);
    expect(stopped).toBe('cut');
    expect([answer.status, answer.json().error.type]).toEqual([503, 'unavailable']);
    expect(answer.headers.get('retry-after')).toBe('1');
    go();
    await new Promise(setImmediate);
    expect(errors).toEqual([]);
  });

  it('cuts an answer that has begun and does not end in time', async () => {
    const app = await runApp(({ events }) => ({
      events: {
        ...events,
        replay: async function* replay() {
          await NEVER;
          yield recorded(1);
        },
      },
    }));
    const response = await app.open('/api/v1/events', { accept: 'application/x-ndjson' });
    const [stopped] = await Promise.all([app.stop(0), expect(response.text()).rejects.toThrow('terminated')]);
    expect(stopped).toBe('cut');
  });
});

describe('a server that is not told to stop', () => {
  it('is not ready while something behind it is not', async () => {
    const app = await runApp(() => ({
      readiness: async () => ({ reasons: { 'projection catalog': 'halted' }, details: {} }),
    }));
    const ready = await app.ask('GET', '/readyz');
    expect([ready.status, ready.json().reasons]).toEqual([503, { 'projection catalog': 'halted' }]);
    expect((await app.ask('GET', '/healthz')).status).toBe(200);
  });
});
