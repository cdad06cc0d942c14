import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { Conversation } from 'knowledger-client';
import { useClient } from '../session.ts';
import { Empty, Loaded, Page, Time } from '../ui/parts.tsx';
import { type Column, Rows } from '../ui/rows.tsx';
import { words } from '../words.ts';

const COLUMNS: readonly Column<Conversation>[] = [
  {
    title: words.conversations.begun,
    width: 'minmax(9rem, 1fr)',
    cell: ({ id, creation_time: at }) => (
      <Link to="/conversations/$id" params={{ id }} tabIndex={-1}>
        <Time at={at} exact />
      </Link>
    ),
  },
  { title: words.conversations.last, width: '9rem', cell: ({ update_time: at }) => <Time at={at} /> },
  {
    title: words.conversations.messages,
    width: '7rem',
    cell: ({ message_count: n }) => n.toLocaleString(),
    isNumber: true,
    isExtra: true,
  },
];

export const Conversations = () => {
  const client = useClient();
  const navigate = useNavigate();
  const query = useInfiniteQuery({
    queryKey: ['conversations'],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      client.get('/conversations', {
        query: { limit: 100, ...(pageParam !== '' && { after: pageParam }) },
        signal,
      }),
    getNextPageParam: ({ pagination }) => (pagination.has_more ? pagination.next_id : undefined),
  });
  return (
    <Page
      title={words.pages.conversations}
      actions={
        <Link to="/search" className="button main">
          {words.search.ask}
        </Link>
      }
    >
      <Loaded query={query}>
        {({ pages }) => {
          const rows = pages.flatMap(({ conversations }) => conversations);
          return rows.length === 0 ? (
            <Empty title={words.conversations.none} />
          ) : (
            <Rows
              label={words.pages.conversations}
              rows={rows}
              columns={COLUMNS}
              keyOf={({ id }) => id}
              open={({ id }) => void navigate({ to: '/conversations/$id', params: { id } })}
              more={
                query.hasNextPage && !query.isFetchingNextPage ? () => void query.fetchNextPage() : undefined
              }
            />
          );
        }}
      </Loaded>
    </Page>
  );
};
