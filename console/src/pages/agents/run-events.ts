import type { AgentRunEvent, AgentRunEvents } from 'knowledger-client';
import { useEffect, useState } from 'react';
import { useClient } from '../../session.ts';

/** What comes within so long is read together. */
const GATHER_MS = 150;

const isLast = ({ type }: AgentRunEvent): boolean =>
  type === 'RunSucceeded' || type === 'RunFailed' || type === 'RunCancelled';

/**
 * The events of a run, followed until it is over. The stream tells that there are new ones; they are read as records,
 * which have times and tokens.
 */
export const useRunEvents = (runId: string, principal: { readonly principal_id?: string }) => {
  const client = useClient();
  const [events, setEvents] = useState<readonly AgentRunEvent[]>([]);
  const [isRead, setRead] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const { principal_id: principalId } = principal;
  useEffect(() => {
    const over = new AbortController();
    const { signal } = over;
    const path = { run_id: runId };
    const whose = principalId === undefined ? {} : { principal_id: principalId };
    let last: AgentRunEvent | undefined;
    /** Reads what is new. Answers whether the run is over. */
    const read = async (): Promise<boolean> => {
      for (let page: AgentRunEvents | undefined; page?.pagination.has_more !== false;) {
        const query = { limit: 100, ...whose, ...(last !== undefined && { after: last.revision }) };
        page = await client.get('/agent/runs/{run_id}/events', { path, query, signal });
        const fresh = page.events;
        last = fresh.at(-1) ?? last;
        if (!signal.aborted && fresh.length > 0) setEvents((before) => [...before, ...fresh]);
      }
      if (!signal.aborted) setRead(true);
      return last !== undefined && isLast(last);
    };
    const follow = async (): Promise<void> => {
      while (!(await read()) && !signal.aborted) {
        const after = last === undefined ? {} : { after: String(last.revision) };
        const asked = { path, query: whose, signal, ...after };
        let reading: Promise<unknown> | undefined;
        for await (const _ of client.follow('/agent/runs/{run_id}/events', asked))
          reading ??= new Promise((resolve) => setTimeout(resolve, GATHER_MS))
            .then(read)
            // It is read again at the end of the stream, which tells of a failure.
            .catch(() => undefined)
            .finally(() => (reading = undefined));
        await reading;
      }
    };
    follow().catch((failure: unknown) => signal.aborted || setError(failure));
    return () => over.abort();
  }, [client, runId, principalId]);
  return { events, isRead, error };
};
