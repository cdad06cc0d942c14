import { describe, expect, it } from 'vitest';
import { auditEntry, ID, KEY, keyRow } from './fake-records.ts';
import { runApp, stopServersAfterAll } from './running-app.ts';

stopServersAfterAll();
const SSE = { accept: 'text/event-stream' };
const TRAIL = `/api/v1/crawls/${ID}/events`;

/** The application with few places for streams, whose streams go on until their clients leave. */
const crowded = async () => {
  const ended: (() => void)[] = [];
  const app = await runApp(({ auditTrail, authenticate }) => ({
    streamLimits: { perCaller: 2, inAll: 3 },
    authenticate: Object.assign(
      async (key: string | undefined) => {
        const row = key?.startsWith('kn_') ? keyRow(KEY) : null;
        return row === null ? authenticate(key) : ({ ok: true, key: { ...row, id: key ?? '' } } as const);
      },
      { clearCache: () => undefined },
    ),
    auditTrail: {
      ...auditTrail,
      follow: async (caller, kind, id, { signal }) => {
        await auditTrail.follow(caller, kind, id, { signal });
        async function* silent() {
          yield auditEntry(0);
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          ended.shift()?.();
        }
        return silent();
      },
    },
  }));
  const open = (key: string, path = TRAIL) => app.open(path, { ...SSE, 'x-api-key': key });
  /** Leaves a stream, and waits until the server knows. */
  const leave = async (stream: Response): Promise<void> => {
    const over = new Promise<void>((resolve) => ended.push(resolve));
    await stream.body?.cancel();
    await over;
  };
  return { app, open, leave };
};

describe('streams', () => {
  it('are so many per key, and one that ends makes room for another', async () => {
    const { app, open, leave } = await crowded();
    const [first, second] = [await open('kn_one'), await open('kn_one')];
    const refused = await app.ask('GET', TRAIL, { key: 'kn_one', headers: SSE });
    expect([refused.status, refused.json().error]).toEqual([
      429,
      { type: 'rate_limited', message: 'you have 2 streams or tests open: close one, or wait' },
    ]);
    expect(refused.headers.get('retry-after')).toBe('5');
    const repo = { name: 'Docs', repository: 'acme/docs' };
    expect((await app.ask('POST', '/api/v1/repos/test', { key: 'kn_one', body: repo })).status).toBe(429);
    const lines = { accept: 'application/x-ndjson' };
    expect((await app.ask('GET', '/api/v1/events', { key: 'kn_one', headers: lines })).status).toBe(429);
    expect((await app.ask('GET', TRAIL, { key: 'kn_one' })).status).toBe(200);
    await leave(first);
    const third = await open('kn_one');
    expect(third.status).toBe(200);
    await leave(second);
    await leave(third);
  });

  it('are so many in all', async () => {
    const { app, open, leave } = await crowded();
    const streams = [await open('kn_one'), await open('kn_one'), await open('kn_two')];
    const refused = await app.ask('GET', TRAIL, { key: 'kn_three', headers: SSE });
    expect([refused.status, refused.json().error.message]).toEqual([
      429,
      'this service has 3 streams open, which is its limit',
    ]);
    for (const stream of streams) await leave(stream);
    const again = await open('kn_three');
    expect(again.status).toBe(200);
    await leave(again);
  });

  it('that never begin, or end by themselves, take no place', async () => {
    const { app, open, leave } = await crowded();
    const absent = TRAIL.replace(ID, '0199d2a0-0000-7000-8000-00000000dead');
    for (let i = 0; i < 5; i += 1) {
      expect((await app.ask('GET', absent, { key: 'kn_one', headers: SSE })).status).toBe(404);
      expect((await app.ask('GET', '/api/v1/events', { key: 'kn_one', headers: SSE })).status).toBe(200);
      expect((await app.ask('HEAD', TRAIL, { key: 'kn_one', headers: SSE })).status).toBe(200);
    }
    const stream = await open('kn_one');
    expect(stream.status).toBe(200);
    await leave(stream);
  });
});
