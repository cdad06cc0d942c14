import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { AgentRun, AgentThread } from 'knowledger-client';
import { useClient } from '../session.ts';
import { pastOf, useAddress } from '../ui/address.ts';
import { Dialog } from '../ui/dialog.tsx';
import { List } from '../ui/list.tsx';
import { Empty, Page, Status, Time } from '../ui/parts.tsx';
import type { Column } from '../ui/rows.tsx';
import { words } from '../words.ts';
import { StartRun } from './agents/start-run.tsx';
import { STATE_OF_RUN } from '../ui/format.ts';
import { isOver, secondsOf, whose } from './agents/run-states.ts';

const COLUMNS: readonly Column<AgentThread>[] = [
  {
    title: words.agents.title,
    width: 'minmax(10rem, 3fr)',
    cell: ({ thread_id: id, title, principal_id: principal }) => (
      <Link to="/agents/$id" params={{ id }} search={{ principal }} tabIndex={-1}>
        {title ?? words.agents.untitled}
      </Link>
    ),
  },
  { title: words.agents.newest, width: '9rem', cell: (thread) => <Newest thread={thread} /> },
  {
    title: words.agents.updated,
    width: '9rem',
    cell: ({ updated_at: at }) => <Time at={secondsOf(at)} />,
    isExtra: true,
  },
  {
    title: words.agents.started,
    width: '9rem',
    cell: ({ created_at: at }) => <Time at={secondsOf(at)} />,
    isExtra: true,
  },
  {
    title: words.agents.runs,
    width: '5rem',
    cell: ({ run_count: n }) => n.toLocaleString(),
    isNumber: true,
    isExtra: true,
  },
];

/** The list of threads does not have it. Today's is asked again only while it may change. */
const Newest = ({ thread }: { readonly thread: AgentThread }) => {
  const client = useClient();
  const { thread_id: id, principal_id: principal, updated_at: updatedAt } = thread;
  const asOf = pastOf(useAddress().asked.as_of);
  const { data } = useQuery<AgentRun['status']>({
    queryKey: ['static', 'newest-run', id, updatedAt, asOf],
    staleTime: Infinity,
    refetchInterval: ({ state: { data: status } }) =>
      asOf !== undefined || (status !== undefined && isOver(status)) ? false : 2_000,
    queryFn: async ({ signal }) => {
      const past = asOf === undefined ? {} : { as_of: asOf };
      const query = { thread_id: id, limit: 1, ...past, ...whose(principal) };
      const { runs } = await client.get('/agent/runs', { query, signal });
      return runs[0]?.status ?? 'QUEUED';
    },
  });
  return data === undefined ? null : <Status of={STATE_OF_RUN[data]} />;
};

export const Agents = () => {
  const client = useClient();
  const navigate = useNavigate();
  const { asked, set } = useAddress();
  const { principal, new: isNew, as_of: asOf } = asked;
  const start = (
    <button type="button" className="main" onClick={() => set({ new: '1' })}>
      {words.agents.new}
    </button>
  );
  return (
    <Page title={words.pages.agents} actions={start}>
      <List
        name={words.pages.agents}
        of={principal ?? null}
        read={async (page, signal) => {
          const query = { ...page, ...whose(principal) };
          const { threads: rows, pagination } = await client.get('/agent/threads', { query, signal });
          return { rows, pagination };
        }}
        columns={COLUMNS}
        empty={
          <Empty title={principal === undefined ? words.agents.empty : words.agents.emptyFor(principal)}>
            <p>{words.agents.emptyHint}</p>
          </Empty>
        }
        tools={
          <input
            type="search"
            key={principal}
            aria-label={words.agents.principal}
            placeholder={words.agents.principal}
            defaultValue={principal ?? ''}
            onChange={({ target: { value } }) => value === '' && set({ principal: undefined })}
            onKeyDown={({ key, currentTarget: { value } }) => key === 'Enter' && set({ principal: value })}
          />
        }
        keyOf={({ thread_id: id }) => id}
        open={({ thread_id: id, principal_id: of }) =>
          void navigate({
            to: '/agents/$id',
            params: { id },
            search: { principal: of, at: pastOf(asOf) },
          })
        }
      />
      {isNew !== undefined && (
        <Dialog title={words.agents.new} close={() => set({ new: undefined })} wide>
          <StartRun principal={principal} />
        </Dialog>
      )}
    </Page>
  );
};
