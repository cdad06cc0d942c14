import { useQueryClient } from '@tanstack/react-query';
import type { LogEvent } from 'knowledger-client';
import { useEffect } from 'react';
import { useClient } from './session.ts';

/** What is shown is read again so long after an event at the latest. */
const GATHER_MS = 700;
/** A key that may not read events asks so often instead. */
const POLL_MS = 5_000;

/**
 * Reads again what is on the screen whenever the log gets an event. One stream serves the whole console; queries whose
 * data a page follows itself have `static` as the first part of their key.
 */
export const useLive = (): void => {
  const client = useClient();
  const queries = useQueryClient();
  useEffect(() => {
    const over = new AbortController();
    const { signal } = over;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const readAgain = (): void => {
      timer = undefined;
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'static' });
    };
    const follow = async (): Promise<void> => {
      const { events } = await client.get('/events', { query: { order: 'desc', limit: 1 }, signal });
      const after = events[0]?.position;
      const asked = { signal, ...(after !== undefined && { after }) };
      for await (const _ of client.follow<LogEvent>('/events', asked))
        timer ??= setTimeout(readAgain, GATHER_MS);
    };
    follow().catch(() => {
      if (signal.aborted) return;
      const polling = setInterval(readAgain, POLL_MS);
      signal.addEventListener('abort', () => clearInterval(polling));
    });
    return () => {
      clearTimeout(timer);
      over.abort();
    };
  }, [client, queries]);
};
