import { useQueryClient } from '@tanstack/react-query';
import type { LogEvent } from 'knowledger-client';
import { useEffect } from 'react';
import { useMay } from './may.tsx';
import { useAwaySince } from './reach.ts';
import { useClient } from './session.ts';

/** What is shown is read again so long after an event at the latest. */
const GATHER_MS = 700;
/** A key that may not read events asks so often instead. */
const POLL_MS = 5_000;

const isRead = ({ queryKey }: { readonly queryKey: readonly unknown[] }): boolean => queryKey[0] !== 'static';

/**
 * Reads again what is on the screen whenever the log gets an event. One stream serves the whole console; queries whose
 * data a page follows itself have `static` as the first part of their key. While the service is away, it is asked for
 * again and again.
 */
export const useLive = (): void => {
  const client = useClient();
  const queries = useQueryClient();
  const may = useMay();
  const mayFollow = may('audit:read everywhere');
  useEffect(() => {
    const over = new AbortController();
    const { signal } = over;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isStale = false;
    // One round at a time: a new one would break off the old, and long lists would never be read to their end.
    const readAgain = async (): Promise<void> => {
      isStale = false;
      await queries.invalidateQueries({ predicate: isRead });
      timer = undefined;
      if (isStale && !signal.aborted) changed();
    };
    const changed = (): void => {
      isStale = true;
      timer ??= setTimeout(() => void readAgain(), GATHER_MS);
    };
    const follow = async (): Promise<void> => {
      const { events } = await client.get('/events', { query: { order: 'desc', limit: 1 }, signal });
      const after = events[0]?.position;
      const asked = { signal, ...(after !== undefined && { after }) };
      for await (const _ of client.follow<LogEvent>('/events', asked)) changed();
    };
    const poll = (): void => {
      if (signal.aborted) return;
      const polling = setInterval(changed, POLL_MS);
      signal.addEventListener('abort', () => clearInterval(polling));
    };
    if (mayFollow) follow().catch(poll);
    else poll();
    return () => {
      clearTimeout(timer);
      over.abort();
    };
  }, [client, queries, mayFollow]);
  const isAway = useAwaySince() !== null;
  useEffect(() => {
    if (!isAway) return;
    const asking = setInterval(() => void client.get('/me').catch(() => undefined), POLL_MS);
    return () => {
      clearInterval(asking);
      void queries.invalidateQueries({ predicate: isRead });
    };
  }, [client, queries, isAway]);
};
