import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { JobStatus, SourceGroup, SourceType } from 'knowledger-client';
import { KINDS, STATES } from '../kinds.ts';
import { useClient } from '../session.ts';
import { Empty, Loaded, Page, Status, Time } from '../ui/parts.tsx';
import { type Column, Rows } from '../ui/rows.tsx';
import { words } from '../words.ts';

const PAGE = 100;

const COLUMNS: readonly Column<SourceGroup>[] = [
  {
    title: words.sources.name,
    width: 'minmax(10rem, 3fr)',
    cell: ({ id, name, source_type: type }) => (
      <Link to="/sources/$type/$id" params={{ type, id }} tabIndex={-1}>
        {name}
      </Link>
    ),
  },
  {
    title: words.sources.kind,
    width: '7rem',
    cell: ({ source_type: type }) => words.kinds[type],
    isExtra: true,
  },
  { title: words.sources.state, width: '9rem', cell: ({ status }) => <Status of={status} /> },
  {
    title: words.sources.documents,
    width: '7rem',
    cell: ({ source_count: n }) => n?.toLocaleString() ?? '',
    isNumber: true,
    isExtra: true,
  },
  {
    title: words.sources.passages,
    width: '7rem',
    cell: ({ content_count: n }) => n?.toLocaleString() ?? '',
    isNumber: true,
    isExtra: true,
  },
  {
    title: words.sources.created,
    width: '8rem',
    cell: ({ creation_time: at }) => <Time at={at} />,
    isExtra: true,
  },
];

export const Sources = () => {
  const client = useClient();
  const navigate = useNavigate();
  const asked = useSearch({ from: '/sources' });
  const filter = {
    ...(asked.name !== undefined && { name: asked.name }),
    ...(asked.type !== undefined && { source_type: asked.type.split(',') as SourceType[] }),
    ...(asked.status !== undefined && { status: asked.status.split(',') as JobStatus[] }),
  };
  const query = useInfiniteQuery({
    queryKey: ['source-groups', 'list', filter],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      client.get('/source-groups', {
        query: { limit: PAGE, ...filter, ...(pageParam !== '' && { after: pageParam }) },
        signal,
      }),
    getNextPageParam: ({ pagination }) => (pagination.has_more ? pagination.next_id : undefined),
  });
  const set = (change: Readonly<Record<string, string>>): void =>
    void navigate({ to: '/sources', search: { ...asked, ...change }, replace: true });
  return (
    <Page
      title={words.pages.sources}
      actions={
        <Link to="/sources/new" className="button main">
          {words.sources.new}
        </Link>
      }
    >
      <div className="filters">
        <input
          type="search"
          aria-label={words.sources.filterName}
          placeholder={words.sources.filterName}
          defaultValue={asked.name ?? ''}
          onChange={({ target }) => set({ name: target.value })}
        />
        <select
          aria-label={words.sources.kind}
          value={asked.type ?? ''}
          onChange={({ target }) => set({ type: target.value })}
        >
          <option value="">{words.sources.allKinds}</option>
          {KINDS.map(({ type }) => (
            <option key={type} value={type}>
              {words.kinds[type]}
            </option>
          ))}
        </select>
        <select
          aria-label={words.sources.state}
          value={asked.status ?? ''}
          onChange={({ target }) => set({ status: target.value })}
        >
          <option value="">{words.sources.allStates}</option>
          {STATES.map((state) => (
            <option key={state} value={state}>
              {words.status[state]}
            </option>
          ))}
        </select>
      </div>
      <Loaded query={query}>
        {({ pages }) => {
          const rows = pages.flatMap(({ source_groups: groups }) => groups);
          const total = pages.at(-1)!.pagination.total;
          if (rows.length === 0)
            return Object.keys(filter).length > 0 ? (
              <Empty title={words.sources.noMatch} />
            ) : (
              <Empty title={words.sources.empty}>
                <p>{words.sources.emptyHint}</p>
              </Empty>
            );
          return (
            <>
              <Rows
                label={words.pages.sources}
                rows={rows}
                columns={COLUMNS}
                keyOf={({ id }) => id}
                open={({ id, source_type: type }) =>
                  void navigate({ to: '/sources/$type/$id', params: { type, id } })
                }
                more={
                  query.hasNextPage && !query.isFetchingNextPage
                    ? () => void query.fetchNextPage()
                    : undefined
                }
              />
              <p className="faint">{words.sources.loaded(rows.length, total)}</p>
            </>
          );
        }}
      </Loaded>
    </Page>
  );
};
