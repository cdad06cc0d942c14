import type { AuditEntry } from 'knowledger-client';
import { useEffect, useState } from 'react';
import type { Kind } from '../../kinds.ts';
import { useClient } from '../../session.ts';

/** The audit trail of a data source, followed as it grows. */
export const useTrail = (kind: Kind, id: string) => {
  const client = useClient();
  const [trail, setTrail] = useState<readonly AuditEntry[]>([]);
  const [error, setError] = useState<unknown>(null);
  // A trail has an event from its beginning on.
  const isLoading = trail.length === 0 && error === null;
  useEffect(() => {
    const over = new AbortController();
    setTrail([]);
    const follow = async (): Promise<void> => {
      const path = { id };
      let fresh: AuditEntry[] = [];
      for await (const { data } of client.follow<AuditEntry>(`${kind.path}/{id}/events`, {
        path,
        signal: over.signal,
      })) {
        // Those that come together are drawn together.
        if (fresh.length === 0)
          setTimeout(() => {
            const come = fresh;
            fresh = [];
            if (!over.signal.aborted) setTrail((before) => [...before, ...come]);
          }, 50);
        fresh.push(data);
      }
    };
    follow().catch((failure: unknown) => over.signal.aborted || setError(failure));
    return () => over.abort();
  }, [client, kind, id]);
  return { trail, error, isLoading };
};
