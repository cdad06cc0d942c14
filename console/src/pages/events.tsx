import { useNavigate, useSearch } from '@tanstack/react-router';
import type { LogEvent } from 'knowledger-client';
import { useEffect, useState } from 'react';
import type { EventSearch } from '../router.tsx';
import { Actor } from '../ui/actor.tsx';
import { spoken } from '../ui/format.ts';
import { useKey } from '../ui/keys.ts';
import { Empty, Loaded, Page, Time } from '../ui/parts.tsx';
import { type Column, Rows } from '../ui/rows.tsx';
import { words } from '../words.ts';
import { Detail } from './events/detail.tsx';
import { Export } from './events/export.tsx';
import { Filters } from './events/filters.tsx';
import { queryOf, useEvents } from './events/log-query.ts';
import { type SetFilter, Values } from './events/values.tsx';

const COLUMNS: readonly Column<LogEvent>[] = [
  { title: words.events.time, width: '11rem', cell: ({ time }) => <Time at={time} exact /> },
  { title: words.events.event, width: 'minmax(10rem, 1fr)', cell: ({ type }) => spoken(type) },
  {
    title: words.events.stream,
    width: 'minmax(8rem, 2fr)',
    cell: ({ stream }) => <code className="cut">{stream}</code>,
    isExtra: true,
  },
  {
    title: words.events.who,
    width: '9rem',
    cell: (event) => <Actor {...event} />,
    isExtra: true,
  },
];

/** Beside an event that is open: of the stream the end of its id, and its kind. */
const NARROW: readonly Column<LogEvent>[] = [
  ...COLUMNS.slice(0, 2),
  {
    title: words.events.stream,
    width: 'minmax(6rem, 1fr)',
    cell: ({ stream }) => (
      <span className="faint" title={stream}>
        <code>{stream.slice(-6)}</code> {spoken(stream.split('-')[0]!)}
      </span>
    ),
    isExtra: true,
  },
];

export const Events = () => {
  const navigate = useNavigate();
  const asked = useSearch({ from: '/events' });
  const filter = queryOf(asked);
  const [around, setAround] = useState(asked.event);
  const query = useEvents(filter, asked.live !== undefined, around);
  const show: SetFilter = (change) =>
    void navigate({ to: '/events', search: { ...asked, ...change } as EventSearch, replace: true });
  const set: SetFilter = (change) => {
    // What is filtered anew, or followed, begins at the newest event.
    setAround(undefined);
    // On a narrow screen the open event covers the list.
    show(matchMedia('(max-width: 760px)').matches ? { ...change, event: undefined } : change);
  };
  const goTo = (position: string): void => void navigate({ to: '/events', search: { event: position } });
  const isUnfolded = asked.unfolded !== undefined;
  const unfold = (): void => show({ unfolded: isUnfolded ? undefined : '1' });
  useKey(words.keys.unfoldKey, unfold);
  const rows = query.data?.pages.flatMap(({ events }) => events) ?? [];
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  // A read looks at a bounded number of events, so a page may have none that fit while there are more.
  useEffect(() => {
    if (rows.length === 0 && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [rows.length, hasNextPage, isFetchingNextPage, fetchNextPage]);
  const open = rows.find(({ position }) => position === asked.event);
  const isElsewhere = asked.event !== undefined && query.isSuccess && open === undefined;
  useEffect(() => {
    if (isElsewhere) setAround(asked.event);
    // Not where a filter leaves it out.
  }, [asked.event]);
  return (
    <Page title={words.pages.events} actions={<Export filter={filter} />}>
      <Filters asked={asked} set={set}>
        <button type="button" aria-pressed={isUnfolded} onClick={unfold}>
          {words.events.unfold} <kbd>{words.keys.unfoldKey}</kbd>
        </button>
      </Filters>
      {query.hasPreviousPage && (
        <div className="actions">
          <button
            type="button"
            disabled={query.isFetchingPreviousPage}
            onClick={() => void query.fetchPreviousPage()}
          >
            {words.events.newer}
          </button>
        </div>
      )}
      <Loaded query={query}>
        {() =>
          rows.length === 0 ? (
            <Empty title={hasNextPage ? words.events.looking : words.events.none} />
          ) : (
            <div className={open === undefined ? '' : 'beside'}>
              <Rows
                label={words.pages.events}
                rows={rows}
                columns={open === undefined ? COLUMNS : NARROW}
                keyOf={({ position }) => position}
                open={({ position }) => show({ event: position })}
                marked={asked.event}
                below={
                  isUnfolded
                    ? ({ data }) => <Values part={data} at="/data" asked={asked} set={set} />
                    : undefined
                }
                more={hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : undefined}
              />
              {open !== undefined && (
                <Detail
                  key={open.position}
                  event={open}
                  asked={asked}
                  set={set}
                  goTo={goTo}
                  close={() => show({ event: undefined })}
                />
              )}
            </div>
          )
        }
      </Loaded>
    </Page>
  );
};
