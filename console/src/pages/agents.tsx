import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { AgentThread } from 'knowledger-client';
import { useClient } from '../session.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Empty, Loaded, Page, Status, Time } from '../ui/parts.tsx';
import { type Column, Rows } from '../ui/rows.tsx';
import { words } from '../words.ts';
import { StartRun } from './agents/start-run.tsx';
import { isOver, type RunStatus, secondsOf, stateOf, whose } from './agents/run-states.ts';

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

/** The list of threads does not have it. It is asked again only while it may change. */
const Newest = ({ thread }: { readonly thread: AgentThread }) => {
  const client = useClient();
  const { thread_id: id, principal_id: principal, updated_at: updatedAt } = thread;
  const { data } = useQuery<RunStatus>({
    queryKey: ['static', 'newest-run', id, updatedAt],
    staleTime: Infinity,
    refetchInterval: ({ state }) => (state.data !== undefined && isOver(state.data) ? false : 2_000),
    queryFn: async ({ signal }) => {
      const query = { thread_id: id, limit: 1, ...whose(principal) };
      const { runs } = await client.get('/agent/runs', { query, signal });
      return runs[0]?.status ?? 'QUEUED';
    },
  });
  return data === undefined ? null : <Status of={stateOf(data)} />;
};

export const Agents = () => {
  const client = useClient();
  const navigate = useNavigate();
  const { principal, new: isNew } = useSearch({ from: '/agents' });
  const query = useInfiniteQuery({
    queryKey: ['threads', principal],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      client.get('/agent/threads', {
        query: { limit: 100, ...whose(principal), ...(pageParam !== '' && { after: pageParam }) },
        signal,
      }),
    getNextPageParam: ({ pagination }) => (pagination.has_more ? pagination.next_id : undefined),
  });
  const show = (open: boolean): void =>
    void navigate({ to: '/agents', search: { principal, ...(open && { new: '1' }) }, replace: true });
  const start = (
    <button type="button" className="main" onClick={() => show(true)}>
      {words.agents.new}
    </button>
  );
  return (
    <Page title={words.pages.agents} actions={start}>
      <div className="filters">
        <input
          type="search"
          key={principal}
          aria-label={words.agents.principal}
          placeholder={words.agents.principal}
          defaultValue={principal ?? ''}
          onChange={({ target: { value } }) => value === '' && void navigate({ to: '/agents', search: {} })}
          onKeyDown={({ key, currentTarget: { value } }) =>
            key === 'Enter' && void navigate({ to: '/agents', search: { principal: value } })
          }
        />
      </div>
      <Loaded query={query}>
        {({ pages }) => {
          const rows = pages.flatMap(({ threads }) => threads);
          if (rows.length === 0)
            return (
              <Empty title={principal === undefined ? words.agents.empty : words.agents.emptyFor(principal)}>
                <p>{words.agents.emptyHint}</p>
              </Empty>
            );
          return (
            <>
              <Rows
                label={words.pages.agents}
                rows={rows}
                columns={COLUMNS}
                keyOf={({ thread_id: id }) => id}
                open={({ thread_id: id, principal_id: of }) =>
                  void navigate({ to: '/agents/$id', params: { id }, search: { principal: of } })
                }
                more={
                  query.hasNextPage && !query.isFetchingNextPage
                    ? () => void query.fetchNextPage()
                    : undefined
                }
              />
              <p className="faint">{words.sources.loaded(rows.length, pages.at(-1)!.pagination.total)}</p>
            </>
          );
        }}
      </Loaded>
      {isNew !== undefined && (
        <Dialog title={words.agents.new} close={() => show(false)} wide>
          <StartRun principal={principal} />
        </Dialog>
      )}
    </Page>
  );
};
