import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { SourceType } from 'knowledger-client';
import { useState } from 'react';
import { planOf } from '../retry.ts';
import { useClient } from '../session.ts';
import { Empty, Failure, Loaded, Page, Time } from '../ui/parts.tsx';
import { type Column, Rows } from '../ui/rows.tsx';
import { GroupChip } from '../ui/group-chip.tsx';
import { KindFilter } from '../ui/kind-filter.tsx';
import { TimeField } from '../ui/time-field.tsx';
import { Tried, tryAgainColumn, useTryAgain } from '../ui/try-again.tsx';
import { words } from '../words.ts';
import { type Item, MAX_ALL, Opened, RetryAll } from './problems/dialogs.tsx';

/** What failed in the newest job of every source: read again one by one, or all that fit the filter. */
export const AllProblems = () => {
  const client = useClient();
  const navigate = useNavigate();
  const asked = useSearch({ from: '/problems' });
  const filter = {
    ...(asked.code !== undefined && { code: asked.code }),
    ...(asked.type !== undefined && { source_type: [asked.type as SourceType] }),
    ...(asked.group !== undefined && { source_group_id: [asked.group] }),
    ...timeOf('from', asked.from),
    ...timeOf('to', asked.to),
  };
  const [opened, setOpened] = useState<Item | null>(null);
  const query = useInfiniteQuery({
    queryKey: ['errors', 'all', asked],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      client.get('/errors', {
        query: {
          limit: 100,
          ...filter,
          ...(pageParam !== '' && { after: pageParam }),
        },
        signal,
      }),
    getNextPageParam: ({ pagination }) => pagination.next_id,
  });
  const again = useTryAgain();
  /** Everything that fits the filter, also what is not loaded. */
  const gathered = useMutation({
    mutationFn: async () => {
      const items: Item[] = [];
      for await (const item of client.all('/errors', { query: { limit: 100, ...filter } }))
        if (items.push(item) >= MAX_ALL) break;
      return items;
    },
  });
  const rows = query.data?.pages.flatMap(({ errors }) => errors) ?? [];
  const codes = [
    ...new Set([...(asked.code === undefined ? [] : [asked.code]), ...rows.map(({ code }) => code)]),
  ];
  const set = (change: Readonly<Record<string, string | undefined>>): void =>
    void navigate({ to: '/problems', search: { ...asked, ...change }, replace: true });
  const columns: readonly Column<Item>[] = [
    {
      title: words.problems.item,
      width: 'minmax(10rem, 3fr)',
      cell: ({ locator, message }) => (
        <>
          <span className="cut" title={locator}>
            {locator}
          </span>
          <span className="cut reason narrow">{message}</span>
        </>
      ),
    },
    {
      title: words.problems.reason,
      width: 'minmax(8rem, 2fr)',
      cell: ({ message }) => (
        <span className="cut" title={message}>
          {message}
        </span>
      ),
      isExtra: true,
    },
    {
      title: words.sources.kind,
      width: '7rem',
      cell: ({ source_type: type }) => words.kinds[type],
      isExtra: true,
    },
    { title: words.events.time, width: '8rem', cell: ({ time }) => <Time at={time} />, isExtra: true },
    {
      title: words.problems.source,
      width: 'minmax(6rem, 1fr)',
      cell: ({ source_group_id: id, source_group_name: name, source_type: type }) => (
        <Link
          to="/sources/$type/$id"
          params={{ type, id }}
          search={{ tab: 'problems' }}
          onClick={(event) => event.stopPropagation()}
        >
          {name}
        </Link>
      ),
      isExtra: true,
    },
    tryAgainColumn(again),
  ];
  return (
    <Page
      title={words.pages.problems}
      actions={
        planOf(rows).items > 0 && (
          <button
            type="button"
            disabled={again.isPending || gathered.isPending}
            onClick={() => gathered.mutate()}
          >
            {words.problems.retryFitting}
          </button>
        )
      }
    >
      <div className="filters">
        <select
          aria-label={words.problems.reason}
          value={asked.code ?? ''}
          onChange={({ target }) => set({ code: target.value })}
        >
          <option value="">{words.problems.allCodes}</option>
          {codes.map((code) => (
            <option key={code} value={code}>
              {code.replaceAll('_', ' ')}
            </option>
          ))}
        </select>
        <KindFilter value={asked.type} change={(type) => set({ type })} />
        {(['from', 'to'] as const).map((end) => (
          <TimeField
            key={end}
            label={words.events[end]}
            value={asked[end]}
            change={(to) => set({ [end]: to })}
          />
        ))}
        {asked.group !== undefined && <GroupChip id={asked.group} lift={() => set({ group: undefined })} />}
      </div>
      {gathered.error !== null && <Failure error={gathered.error} />}
      <Tried again={again} />
      <Loaded query={query}>
        {({ pages }) =>
          rows.length === 0 ? (
            <Empty title={words.problems.none} />
          ) : (
            <>
              <Rows
                label={words.pages.problems}
                rows={rows}
                columns={columns}
                open={setOpened}
                keyOf={({ source_group_id: id, locator }) => id + locator}
                more={
                  query.hasNextPage && !query.isFetchingNextPage
                    ? () => void query.fetchNextPage()
                    : undefined
                }
              />
              <p className="faint">{words.list.loaded(rows.length, pages.at(-1)?.pagination.total ?? 0)}</p>
            </>
          )
        }
      </Loaded>
      {gathered.data !== undefined && (
        <RetryAll
          items={gathered.data}
          run={() => again.mutate(gathered.data)}
          close={() => gathered.reset()}
        />
      )}
      {opened !== null && (
        <Opened item={opened} run={() => again.mutate([opened])} close={() => setOpened(null)} />
      )}
    </Page>
  );
};

/** What an address says that is no time is ignored. */
const timeOf = (end: 'from' | 'to', moment = '') => {
  const seconds = Math.floor(Date.parse(moment) / 1_000);
  return Number.isNaN(seconds) ? {} : { [end]: seconds };
};
