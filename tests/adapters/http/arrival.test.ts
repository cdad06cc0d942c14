import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { auditEntry, KEY } from './fake-records.ts';
import { runApp, stopServersAfterAll } from './running-app.ts';

stopServersAfterAll();
const SOON = { headersMs: 60, requestMs: 120, uploadMs: 60_000, pollMs: 10 };
/** Time enough for a request that is sent whole to arrive, on any machine. */
const LATER = { ...SOON, headersMs: 1_500, requestMs: 1_500 };
const NEVER = { headersMs: 60_000, requestMs: 60_000, uploadMs: 60_000, pollMs: 10 };
const HEAD = `Host: x\r\nx-api-key: ${KEY}\r\ncontent-type: application/json\r\n`;
const HALVES: readonly (readonly [what: string, sent: string])[] = [
  ['a body', `POST /api/v1/search HTTP/1.1\r\n${HEAD}content-length: 100\r\n\r\n{"query"`],
  [
    'a body in chunks',
    `POST /api/v1/search HTTP/1.1\r\n${HEAD}transfer-encoding: chunked\r\n\r\n5\r\n{"que\r\n`,
  ],
  ['headers', `POST /api/v1/search HTTP/1.1\r\n${HEAD}`],
  ['nothing', ''],
];

const open: Socket[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
});
/** A connection that has sent this much and sends no more. */
const send = async (url: string, half: string): Promise<Socket> => {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
  open.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  if (half !== '') socket.write(half);
  return socket;
};

describe('a sender that stops half-way', () => {
  it.each(HALVES)('through %s is told 408, and its connection ends', async (_, half) => {
    const app = await runApp(() => ({}), SOON);
    const answer = await text(await send(app.url, half));
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    const { error } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as { error: object };
    expect(error).toEqual({ message: 'the request took too long to arrive', type: 'invalid_request' });
  });

  it.each(HALVES)('through %s is not waited for by a server that stops', async (_, half) => {
    const app = await runApp(() => ({}), NEVER);
    const socket = await send(app.url, half);
    // Connections are taken in order: what was sent before this answer has been seen.
    await app.ask('GET', '/healthz');
    const gone = once(socket.resume(), 'close');
    expect(await app.stop(60_000)).toBe('clean');
    socket.end();
    await gone;
  });
});

describe('an answer', () => {
  it('may take longer than a request may', async () => {
    const late = Promise.withResolvers<void>();
    const app = await runApp(
      ({ dataSources }) => ({
        dataSources: {
          ...dataSources,
          list: async (...args) => {
            await late.promise;
            return dataSources.list(...args);
          },
        },
      }),
      LATER,
    );
    const answer = app.ask('GET', '/api/v1/crawls');
    // A sender that began later has been given up by now.
    await text(await send(app.url, HALVES[0]?.[1] ?? ''));
    late.resolve();
    expect((await answer).status).toBe(200);
  });

  it('may be a stream that outlasts it', async () => {
    const late = Promise.withResolvers<void>();
    const app = await runApp(
      ({ auditTrail }) => ({
        auditTrail: {
          ...auditTrail,
          follow: async () => {
            async function* entries() {
              yield auditEntry(0);
              await late.promise;
              yield auditEntry(1);
            }
            return entries();
          },
        },
      }),
      LATER,
    );
    const stream = await app.open('/api/v1/crawls/0199d2a0-0000-7000-8000-000000000001/events', {
      accept: 'text/event-stream',
    });
    await text(await send(app.url, HALVES[0]?.[1] ?? ''));
    late.resolve();
    expect(await stream.text()).toMatch(/id: 0\n[^]*id: 1\n/);
  });
});
