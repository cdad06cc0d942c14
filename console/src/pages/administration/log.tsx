import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Checkpoint } from 'knowledger-client';
import { useState } from 'react';
import { useClient } from '../../session.ts';
import { Copy } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Card, Loaded, Time } from '../../ui/parts.tsx';
import { type Column, Rows } from '../../ui/rows.tsx';
import { words } from '../../words.ts';

const { log, tabs } = words.administration;

const COLUMNS: readonly Column<Checkpoint>[] = [
  { title: log.signed, width: '12rem', cell: ({ signed_at: at }) => <Time at={at} exact /> },
  {
    title: log.root,
    width: 'minmax(9rem, 1fr)',
    cell: ({ root_hash: hash }) => <code className="faint">{hash}</code>,
    isExtra: true,
  },
  { title: log.size, width: '8rem', cell: ({ size }) => size.toLocaleString(), isNumber: true },
  {
    title: log.witnesses,
    width: '7rem',
    cell: ({ witnesses }) => witnesses.toLocaleString(),
    isNumber: true,
    isExtra: true,
  },
];

const Log = () => {
  const client = useClient();
  const [open, setOpen] = useState<Checkpoint | null>(null);
  const newest = useQuery({
    // Read once: each reading may sign another one.
    queryKey: ['static', 'checkpoint'],
    queryFn: ({ signal }) => client.get('/audit/checkpoint', { signal }),
  });
  const keys = useQuery({
    queryKey: ['administration', 'verifier-keys'],
    enabled: newest.data !== undefined,
    queryFn: ({ signal }) => client.get('/audit/keys', { signal }),
  });
  const all = useInfiniteQuery({
    queryKey: ['administration', tabs.log],
    enabled: newest.data !== undefined,
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam: after, signal }) =>
      client.get('/audit/checkpoints', {
        query: { limit: 100, order: 'desc', ...(after !== undefined && { after }) },
        signal,
      }),
    getNextPageParam: ({ pagination }) => (pagination.has_more ? pagination.next_id : undefined),
  });
  return (
    <Loaded query={newest}>
      {(checkpoint) => (
        <>
          <p className="faint">{log.hint}</p>
          <div className="columns">
            <Card title={log.newest}>
              <Facts of={checkpoint} />
            </Card>
            <Card title={log.keys}>
              <p className="faint">{log.keysHint}</p>
              <Loaded query={keys}>
                {({ origin, keys: known }) => (
                  <>
                    <dl className="facts">
                      <div>
                        <dt>{log.origin}</dt>
                        <dd>
                          <code>{origin}</code>
                        </dd>
                      </div>
                    </dl>
                    {known.map(({ key, since }) => (
                      <div key={key} className="field">
                        <pre className="json">{key}</pre>
                        <div className="actions">
                          <Copy text={key} />
                          <span className="faint">
                            {log.since} <Time at={since} exact />
                          </span>
                        </div>
                      </div>
                    ))}
                  </>
                )}
              </Loaded>
            </Card>
          </div>
          <h2>{log.all}</h2>
          <Loaded query={all}>
            {({ pages }) => {
              const rows = pages.flatMap(({ checkpoints }) => checkpoints);
              return (
                <Rows
                  label={log.all}
                  rows={rows}
                  columns={COLUMNS}
                  keyOf={({ size }) => String(size)}
                  open={setOpen}
                  more={
                    all.hasNextPage && !all.isFetchingNextPage ? () => void all.fetchNextPage() : undefined
                  }
                />
              );
            }}
          </Loaded>
          {open !== null && (
            <Dialog title={log.note} close={() => setOpen(null)} wide>
              <Facts of={open} />
            </Dialog>
          )}
        </>
      )}
    </Loaded>
  );
};
export default Log;

const Facts = ({ of }: { readonly of: Checkpoint }) => (
  <>
    <dl className="facts">
      <div>
        <dt>{log.size}</dt>
        <dd>{of.size.toLocaleString()}</dd>
      </div>
      <div>
        <dt>{log.signed}</dt>
        <dd>
          <Time at={of.signed_at} exact />
        </dd>
      </div>
      <div>
        <dt>{log.witnesses}</dt>
        <dd>{of.witnesses.toLocaleString()}</dd>
      </div>
    </dl>
    <pre className="json">{of.note}</pre>
    <div className="actions">
      <Copy text={of.note} label={log.copyNote} />
    </div>
  </>
);
