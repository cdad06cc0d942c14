import { useSyncExternalStore } from 'react';

/** One that fails alone is sent again, and tells nothing. */
const FAILURES = 2;
/** A read that is not answered for so long counts as one that failed, each time. */
const SILENT_MS = 10_000;

let failures = 0;
let first = 0;
/** Unix seconds of the first failure; null while the service answers. */
let since: number | null = null;
const listeners = new Set<() => void>();

const note = (answers: boolean): void => {
  failures = answers ? 0 : failures + 1;
  if (failures === 1) first = Date.now() / 1_000;
  const next = failures < FAILURES ? null : first;
  if (next === since || (!answers && next === null)) return;
  since = next;
  for (const listener of listeners) listener();
};

/** What a proxy says while nobody stands behind it. */
const isOfProxy = ({ status, headers }: Response): boolean =>
  status >= 502 && status <= 504 && headers.get('content-type')?.includes('json') !== true;

/** `fetch` that notes whether the service answers. */
export const notedFetch: typeof fetch = async (to, init) => {
  const isRead = (init?.method ?? 'GET') === 'GET';
  const silent = isRead ? setInterval(() => note(false), SILENT_MS) : undefined;
  try {
    const response = await fetch(to, init);
    note(!isOfProxy(response));
    return response;
  } catch (error) {
    // What `fetch` throws where nobody answers.
    if (error instanceof TypeError) note(false);
    throw error;
  } finally {
    clearInterval(silent);
  }
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Unix seconds since when the service has not answered; null while it does. */
export const useAwaySince = (): number | null => useSyncExternalStore(subscribe, () => since);
