import { describe, expect, it } from 'vitest';
import type { Caller } from '../../../application/access/caller.ts';
import { ID, KEY } from './fake-records.ts';
import { runApp, stopServersAfterAll } from './running-app.ts';

stopServersAfterAll();

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve());
  });

describe('a write', () => {
  it('learns that its client has gone', async () => {
    const arrived = Promise.withResolvers<Caller>();
    const over = Promise.withResolvers<void>();
    const app = await runApp(({ dataSources }) => ({
      dataSources: {
        ...dataSources,
        cancel: async (caller, kind, id) => {
          arrived.resolve(caller);
          await over.promise;
          return dataSources.cancel(caller, kind, id);
        },
      },
    }));
    const leaving = new AbortController();
    const headers = { 'x-api-key': KEY };
    const asked = fetch(`${app.url}/api/v1/crawls/${ID}/cancel`, {
      method: 'POST',
      headers,
      signal: leaving.signal,
    }).catch(() => 'gone');
    const { signal } = (await arrived.promise).context;
    expect(signal?.aborted).toBe(false);
    leaving.abort();
    await aborted(signal!);
    over.resolve();
    expect(await asked).toBe('gone');
  });

  it('that was answered was not given up', async () => {
    let signal: AbortSignal | undefined;
    const app = await runApp(({ dataSources }) => ({
      dataSources: {
        ...dataSources,
        cancel: (caller, kind, id) => {
          ({ signal } = caller.context);
          return dataSources.cancel(caller, kind, id);
        },
      },
    }));
    expect((await app.ask('POST', `/api/v1/crawls/${ID}/cancel`)).status).toBe(202);
    await app.stop(0);
    expect(signal?.aborted).toBe(false);
  });
});
