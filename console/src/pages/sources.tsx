import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { JobStatus, Operations, SourceGroup, SourceType } from 'knowledger-client';
import { useState } from 'react';
import { isActive, kindOf, STATES } from '../kinds.ts';
import { useMay } from '../may.tsx';
import { useClient } from '../session.ts';
import { Confirm } from '../ui/dialog.tsx';
import { pastOf, useAddress } from '../ui/address.ts';
import { List } from '../ui/list.tsx';
import { Empty, Failure, Page, Status, Time } from '../ui/parts.tsx';
import type { Column } from '../ui/rows.tsx';
import { NewSource } from '../ui/new-source.tsx';
import { KindFilter } from '../ui/kind-filter.tsx';
import { words } from '../words.ts';

const COLUMNS: readonly Column<SourceGroup>[] = [
  {
    title: words.sources.name,
    width: 'minmax(10rem, 3fr)',
    sorts: [{ by: 'name', direction: 'ascending' }],
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
    title: words.overview.holds.synced,
    width: '8rem',
    cell: ({ sync_time: at }) => <Time at={at} />,
    isExtra: true,
  },
  {
    title: words.sources.created,
    width: '8rem',
    sorts: [
      { by: 'newest', direction: 'descending' },
      { by: 'oldest', direction: 'ascending' },
    ],
    cell: ({ creation_time: at }) => <Time at={at} />,
    isExtra: true,
  },
];

const SORTS = ['newest', 'oldest', 'name'] as const satisfies readonly NonNullable<
  Operations['GET /source-groups']['query']['sort']
>[];

type Bulk = 'sync' | 'cancel' | 'delete';

/** What can be done to each of several sources: those to which it does not apply are left out. */
const fitting = (rows: readonly SourceGroup[], what: Bulk): readonly SourceGroup[] =>
  rows.filter(({ source_type: type, status }) =>
    what === 'delete' ? true : what === 'cancel' ? isActive(status) : !isActive(status) && type !== 'push',
  );

/** Does it to one after the other, so that a refusal names the source that it is about. */
const useBulk = (done: () => void) => {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ what, rows }: { readonly what: Bulk; readonly rows: readonly SourceGroup[] }) => {
      for (const { id, source_type: type } of fitting(rows, what)) {
        const { path } = kindOf(type);
        await (what === 'delete'
          ? client.raw('DELETE', `${path}/{id}`, { path: { id } })
          : client.raw('POST', `${path}/{id}/${what}`, {
              path: { id },
              ...(what === 'sync' && { body: {} }),
            }));
      }
    },
    onSuccess: done,
    onSettled: () => queries.invalidateQueries(),
  });
};

const Chosen = ({ rows, done }: { readonly rows: readonly SourceGroup[]; readonly done: () => void }) => {
  const [asks, setAsks] = useState(false);
  const bulk = useBulk(done);
  const sum = (of: (row: SourceGroup) => number | undefined): number =>
    rows.reduce((all, row) => all + (of(row) ?? 0), 0);
  return (
    <div className="actions" role="group" aria-label={words.sources.chosen(rows.length)}>
      <strong>{words.sources.chosen(rows.length)}</strong>
      {(['sync', 'cancel'] as const).map((what) => {
        const n = fitting(rows, what).length;
        return (
          <button
            key={what}
            type="button"
            disabled={n === 0 || bulk.isPending}
            onClick={() => bulk.mutate({ what, rows })}
          >
            {what === 'sync' ? words.actions.sync : words.actions.cancelJob} ({n})
          </button>
        );
      })}
      <button type="button" className="danger" disabled={bulk.isPending} onClick={() => setAsks(true)}>
        {words.actions.delete} ({rows.length})
      </button>
      <button type="button" className="quiet" onClick={done}>
        {words.sources.chooseNone}
      </button>
      {bulk.error !== null && <Failure error={bulk.error} />}
      {asks && (
        <Confirm
          title={words.sources.confirmDelete(rows.length)}
          hint={words.source.deleteHint(
            sum(({ source_count: n }) => n),
            sum(({ content_count: n }) => n),
          )}
          action={words.actions.delete}
          run={() => bulk.mutate({ what: 'delete', rows })}
          close={() => setAsks(false)}
        />
      )}
    </div>
  );
};

export const Sources = () => {
  const client = useClient();
  const may = useMay();
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string): void => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  const select: Column<SourceGroup> = {
    title: words.sources.choose,
    isUntitled: true,
    width: '1.5rem',
    cell: ({ id, name }) => (
      <input
        type="checkbox"
        aria-label={name}
        checked={chosen.has(id)}
        onClick={(event) => event.stopPropagation()}
        onChange={() => toggle(id)}
      />
    ),
    isExtra: true,
  };
  const { asked, set } = useAddress();
  const { name, type, status, as_of: asOf } = asked;
  const isToday = pastOf(asOf) === undefined;
  const sort = SORTS.find((one) => one === asked.sort) ?? 'newest';
  const filter = {
    ...(name !== undefined && { name }),
    ...(type !== undefined && { source_type: type.split(',') as SourceType[] }),
    ...(status !== undefined && { status: status.split(',') as JobStatus[] }),
  };
  return (
    <Page title={words.pages.sources} actions={<NewSource />}>
      <List
        name={words.pages.sources}
        of={isToday ? { ...filter, sort } : filter}
        sort={sort}
        read={async (page, signal) => {
          const { source_groups: rows, pagination } = await client.get('/source-groups', {
            query: { ...page, ...filter, ...(isToday && { sort }) },
            signal,
          });
          return { rows, pagination };
        }}
        columns={isToday && may('ingestion:manage') ? [select, ...COLUMNS] : COLUMNS}
        empty={
          Object.keys(filter).length > 0 ? (
            <Empty title={words.sources.noMatch} />
          ) : (
            <Empty title={words.sources.empty}>
              <p>{words.sources.emptyHint}</p>
            </Empty>
          )
        }
        tools={
          <>
            <input
              type="search"
              aria-label={words.sources.filterName}
              placeholder={words.sources.filterName}
              defaultValue={name ?? ''}
              onChange={({ target }) => set({ name: target.value })}
            />
            <KindFilter value={type} change={(to) => set({ type: to })} />
            <select
              aria-label={words.sources.state}
              value={status ?? ''}
              onChange={({ target }) => set({ status: target.value })}
            >
              <option value="">{words.sources.allStates}</option>
              {status?.includes(',') && (
                <option value={status}>
                  {status
                    .split(',')
                    .map((one) => words.status[one as JobStatus] ?? one)
                    .join(', ')}
                </option>
              )}
              {STATES.map((state) => (
                <option key={state} value={state}>
                  {words.status[state]}
                </option>
              ))}
            </select>
          </>
        }
        above={(rows) =>
          chosen.size > 0 && (
            <Chosen rows={rows.filter(({ id }) => chosen.has(id))} done={() => setChosen(new Set())} />
          )
        }
        keyOf={({ id }) => id}
        open={({ id, source_type: of }) =>
          void navigate({
            to: '/sources/$type/$id',
            params: { type: of, id },
            search: isToday ? {} : { tab: 'changes', at: asOf },
          })
        }
      />
    </Page>
  );
};
