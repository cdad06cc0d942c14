import { useInfiniteQuery } from '@tanstack/react-query';
import type { IssuedWebhook, Webhook, WebhookDelivery, WebhookTest } from 'knowledger-client';
import { useState } from 'react';
import { useClient } from '../../session.ts';
import { spoken } from '../../ui/format.ts';
import { Empty, Failure, Loaded, Time } from '../../ui/parts.tsx';
import { type Column, Rows } from '../../ui/rows.tsx';
import { words } from '../../words.ts';
import { useChange } from './records.tsx';

const { webhooks } = words.administration;

/** What is done at once: a test message, another secret, and the deliveries. */
export const Behind = ({
  row,
  issued,
}: {
  readonly row: Webhook;
  readonly issued: (issued: IssuedWebhook) => void;
}) => {
  const client = useClient();
  const change = useChange();
  const [tested, setTested] = useState<WebhookTest | null>(null);
  const path = { id: row.id };
  return (
    <>
      <div className="actions">
        <button
          type="button"
          disabled={change.isPending}
          onClick={() =>
            change.mutate(async () => issued(await client.post('/webhooks/{id}/rotate-secret', { path })))
          }
        >
          {webhooks.rotate}
        </button>
        <button
          type="button"
          disabled={change.isPending}
          onClick={() =>
            change.mutate(async () => setTested(await client.post('/webhooks/{id}/test', { path })))
          }
        >
          {webhooks.test}
        </button>
      </div>
      {tested !== null && (
        <p role="status">{tested.delivered ? webhooks.tested(tested.status) : tested.reason}</p>
      )}
      {change.error !== null && <Failure error={change.error} />}
      <Deliveries
        id={row.id}
        again={(delivery) =>
          change.mutate(() =>
            client.post('/webhooks/{id}/deliveries/{delivery_id}/redeliver', {
              path: { ...path, delivery_id: delivery.id },
            }),
          )
        }
      />
    </>
  );
};

const Deliveries = ({
  id,
  again,
}: {
  readonly id: string;
  readonly again: (delivery: WebhookDelivery) => void;
}) => {
  const client = useClient();
  const query = useInfiniteQuery({
    queryKey: ['administration', 'deliveries', id],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      client.get('/webhooks/{id}/deliveries', {
        path: { id },
        query: { limit: 50, ...(pageParam !== '' && { after: pageParam }) },
        signal,
      }),
    getNextPageParam: ({ pagination }) => (pagination.has_more ? pagination.next_id : undefined),
  });
  const columns: readonly Column<WebhookDelivery>[] = [
    {
      title: words.events.event,
      width: 'minmax(8rem, 1fr)',
      cell: ({ type, state }) => (
        <>
          <span className="cut">{spoken(type)}</span>
          <span className="cut faint narrow">{webhooks.states[state]}</span>
        </>
      ),
    },
    {
      title: webhooks.state,
      width: '6rem',
      cell: ({ state }) => webhooks.states[state],
      isExtra: true,
    },
    {
      title: webhooks.answer,
      width: 'minmax(8rem, 2fr)',
      cell: ({ reason, status }) => reason ?? status,
      isExtra: true,
    },
    {
      title: webhooks.next,
      width: '8rem',
      cell: ({ next_attempt_time: at }) => <Time at={at} />,
      isExtra: true,
    },
    {
      title: webhooks.again,
      isUntitled: true,
      width: '9rem',
      cell: (delivery) => (
        <button type="button" onClick={() => again(delivery)}>
          {webhooks.again}
        </button>
      ),
    },
  ];
  return (
    <Loaded query={query}>
      {({ pages }) => {
        const rows = pages.flatMap(({ deliveries }) => deliveries);
        return rows.length === 0 ? (
          <Empty title={webhooks.noDeliveries} />
        ) : (
          <Rows
            label={webhooks.deliveries}
            rows={rows}
            columns={columns}
            keyOf={(delivery) => delivery.id}
            more={
              query.hasNextPage && !query.isFetchingNextPage ? () => void query.fetchNextPage() : undefined
            }
          />
        );
      }}
    </Loaded>
  );
};
