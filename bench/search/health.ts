import { setTimeout as delay } from 'node:timers/promises';

const PAUSE_MS = 50;

/** How long `/healthz` takes while something else goes on: whether the thread that serves is free. */
export const healthDuring = async <T>(
  base: string,
  work: () => Promise<T>,
): Promise<readonly [T, readonly number[]]> => {
  const times: number[] = [];
  const over = new AbortController();
  const probing = (async () => {
    while (!over.signal.aborted) {
      const begun = performance.now();
      await (await fetch(`${base}/healthz`)).arrayBuffer();
      times.push(performance.now() - begun);
      await delay(PAUSE_MS);
    }
  })();
  try {
    return [await work(), times];
  } finally {
    over.abort();
    await probing;
  }
};
