import { Link, useNavigate } from '@tanstack/react-router';
import type { Conversation } from 'knowledger-client';
import { useClient } from '../session.ts';
import { pastOf, useAddress } from '../ui/address.ts';
import { List } from '../ui/list.tsx';
import { Empty, Page, Time } from '../ui/parts.tsx';
import type { Column } from '../ui/rows.tsx';
import { words } from '../words.ts';

const COLUMNS: readonly Column<Conversation>[] = [
  {
    title: words.conversations.question,
    width: 'minmax(9rem, 1fr)',
    cell: ({ id, title, creation_time: at }) => (
      <Link to="/conversations/$id" params={{ id }} tabIndex={-1}>
        {title ?? <Time at={at} exact />}
      </Link>
    ),
  },
  {
    title: words.conversations.begun,
    width: '9rem',
    cell: ({ creation_time: at }) => <Time at={at} />,
    isExtra: true,
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
  const { as_of: asOf } = useAddress().asked;
  return (
    <Page
      title={words.pages.conversations}
      actions={
        <Link to="/search" className="button main">
          {words.search.ask}
        </Link>
      }
    >
      <List
        name={words.pages.conversations}
        of={null}
        read={async (query, signal) => {
          const { conversations: rows, pagination } = await client.get('/conversations', { query, signal });
          return { rows, pagination };
        }}
        columns={COLUMNS}
        empty={<Empty title={words.conversations.none} />}
        keyOf={({ id }) => id}
        open={({ id }) =>
          void navigate({ to: '/conversations/$id', params: { id }, search: { at: pastOf(asOf) } })
        }
      />
    </Page>
  );
};
