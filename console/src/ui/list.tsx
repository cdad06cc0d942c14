import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react';
import { useMay } from '../may.tsx';
import { useClient } from '../session.ts';
import { words } from '../words.ts';
import { pastOf, TODAY, useAddress } from './address.ts';
import { inLocalTime, inZone } from './format.ts';
import { useEscape } from './keys.ts';
import { Loaded } from './parts.tsx';
import { type Column, Rows } from './rows.tsx';
import { useSince } from './since.ts';
import { TimeSlider } from './time-slider.tsx';

export interface ListQuery {
  readonly limit: number;
  readonly after?: string;
  readonly as_of?: string;
}
export interface ListPage<Row> {
  readonly rows: readonly Row[];
  readonly pagination: {
    readonly has_more: boolean;
    readonly next_id?: string;
    readonly total?: number;
  };
}

/** A list of the API as it is, or as it was at the moment in the address. */
export function List<Row extends object>({
  name,
  of,
  read,
  columns,
  empty,
  tools,
  above,
  beside,
  open,
  keyOf,
  marked,
  opened,
  sort,
}: {
  readonly name: string;
  /** What else tells this list from others, such as its filter. */
  readonly of: unknown;
  readonly read: (query: ListQuery, signal: AbortSignal) => Promise<ListPage<Row>>;
  readonly columns: readonly Column<Row>[];
  readonly empty: ReactNode;
  /** Before the buttons of the list, such as its filters. */
  readonly tools?: ReactNode;
  /** Above the rows of today. */
  readonly above?: (rows: readonly Row[]) => ReactNode;
  /** What is open of the list; it leaves room for the first two columns. */
  readonly beside?: ReactElement | undefined;
  readonly open: (row: Row) => void;
  readonly keyOf: (row: Row) => string;
  readonly marked?: string | undefined;
  /** Of the marked row, also when the list has it no more. */
  readonly opened?: (row: Row) => ReactNode;
  /** The order, where the API has several; the past has one. */
  readonly sort?: string;
}) {
  const { asked, set } = useAddress();
  const moment = pastOf(asked.as_of);
  const [hidden, hide] = useHidden(name);
  const query = useInfiniteQuery({
    queryKey: moment === undefined ? ['list', name, of] : ['static', 'list', name, of, moment],
    initialPageParam: '',
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam, signal }) =>
      read(
        {
          limit: 100,
          ...(moment !== undefined && { as_of: moment }),
          ...(pageParam !== '' && { after: pageParam }),
        },
        signal,
      ),
    getNextPageParam: ({ pagination }) => (pagination.has_more ? pagination.next_id : undefined),
  });
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const rows = query.data?.pages.flatMap((page) => page.rows) ?? [];
  const since = useSince(
    [name, of, moment],
    moment === undefined ? undefined : { rows, isWhole: query.data !== undefined && !hasNextPage },
    read,
    keyOf,
  );
  const last = useRef<Row>(undefined);
  last.current = rows.find((row) => keyOf(row) === marked) ?? last.current;
  const found = last.current !== undefined && keyOf(last.current) === marked ? last.current : undefined;
  const isSought = marked !== undefined && found === undefined;
  // A page of the past may have no row that fits while there are more; the row that is open may be on a later page.
  useEffect(() => {
    if ((rows.length === 0 || isSought) && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [rows.length, isSought, hasNextPage, isFetchingNextPage, fetchNextPage]);
  const [first, ...others] = columns;
  const shown = [first!, ...others.filter(({ title }) => !hidden.includes(title))];
  return (
    <>
      <div className="filters">
        {tools}
        <div className="list-tools">
          <button
            type="button"
            aria-pressed={asked.as_of !== undefined}
            onClick={() => set({ as_of: asked.as_of === undefined ? TODAY : undefined })}
          >
            {words.history.rewind}
          </button>
          <Menu title={words.list.columns}>
            {others.map(({ title }) => (
              <label key={title} className="check">
                <input type="checkbox" checked={!hidden.includes(title)} onChange={() => hide(title)} />
                <span>{title}</span>
              </label>
            ))}
          </Menu>
        </div>
      </div>
      {asked.as_of !== undefined && <ListSlider />}
      {since?.told !== undefined && (
        <p className="faint" role="status">
          {words.history.since(since.told)}
        </p>
      )}
      <Loaded query={query}>
        {({ pages }) => {
          const total = pages.at(-1)?.pagination.total;
          if (rows.length === 0) return moment === undefined ? empty : <p>{words.history.noneThen}</p>;
          return (
            <>
              {moment === undefined && above?.(rows)}
              <div className={beside === undefined ? 'stack' : 'beside'}>
                <Rows
                  label={name}
                  rows={rows}
                  columns={beside === undefined ? shown : shown.slice(0, 2)}
                  keyOf={keyOf}
                  open={open}
                  marked={marked}
                  sort={
                    sort === undefined || moment !== undefined
                      ? undefined
                      : { by: sort, change: (by) => set({ sort: by }) }
                  }
                  since={since?.became}
                  more={hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : undefined}
                />
                {beside}
              </div>
              {total !== undefined && <p className="faint">{words.list.loaded(rows.length, total)}</p>}
            </>
          );
        }}
      </Loaded>
      {found !== undefined && opened?.(found)}
    </>
  );
}

/** Closed by Escape, and by a click elsewhere. */
const Menu = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => {
  const menu = useRef<HTMLDetailsElement>(null);
  const [isOpen, setOpen] = useState(false);
  useEscape(() => setOpen(false), isOpen);
  useEffect(() => {
    const pressed = ({ target }: PointerEvent): void => {
      if (target instanceof Node && menu.current?.contains(target) === false) setOpen(false);
    };
    addEventListener('pointerdown', pressed);
    return () => removeEventListener('pointerdown', pressed);
  }, []);
  return (
    <details ref={menu} className="menu extra" open={isOpen}>
      <summary
        className="button"
        onClick={(event) => {
          // The browser would tell of it later than Escape may be pressed.
          event.preventDefault();
          setOpen(!isOpen);
        }}
      >
        {title}
      </summary>
      <div className="menu-body">{children}</div>
    </details>
  );
};

/** The titles of the columns that this viewer has hidden, and what hides or shows one. */
const useHidden = (name: string) => {
  const key = `knowledger-hidden-columns ${name}`;
  const [hidden, setHidden] = useState(
    () => JSON.parse(localStorage.getItem(key) ?? '[]') as readonly string[],
  );
  const toggle = (title: string): void => {
    const next = hidden.includes(title) ? hidden.filter((one) => one !== title) : [...hidden, title];
    localStorage.setItem(key, JSON.stringify(next));
    setHidden(next);
  };
  return [hidden, toggle] as const;
};

/** From the first event of the log to the newest one. A key that may not read events names the time. */
const ListSlider = () => {
  const client = useClient();
  const { asked, set } = useAddress();
  const moment = pastOf(asked.as_of);
  const may = useMay();
  const bounds = useQuery({
    queryKey: ['bounds'],
    enabled: may('audit:read everywhere'),
    retry: false,
    queryFn: async ({ signal }) => {
      const [first, last] = await Promise.all(
        (['asc', 'desc'] as const).map((order) =>
          client.get('/events', { query: { limit: 1, order }, signal }),
        ),
      );
      return { first: first!.events[0]?.time ?? 0, last: last!.events[0]?.time ?? 0 };
    },
  });
  const { first = 0, last = 0 } = bounds.data ?? {};
  const at = moment === undefined ? undefined : Date.parse(moment) / 1_000;
  const go = (seconds: number): void => set({ as_of: isoOf(seconds) });
  const field = (seconds: number | undefined): ReactNode => (
    <input
      type="datetime-local"
      aria-label={words.history.moment}
      step={1}
      value={seconds === undefined ? '' : inLocalTime(seconds)}
      onChange={({ target }) =>
        target.value === '' ? set({ as_of: TODAY }) : go(Date.parse(target.value) / 1_000)
      }
    />
  );
  if (bounds.data === undefined)
    return (
      <div className="slider">
        <span>
          {words.history.asOf} {field(at)}
        </span>
      </div>
    );
  // Today is one stop behind the newest event, at which the list was as it is.
  const step = Math.max(1, Math.ceil((last - first) / STOPS));
  const max = Math.ceil((last - first) / step) * step;
  const value = at === undefined ? max : Math.min(Math.max(0, at - first), max);
  // The moment of the address need not be at a stop.
  const secondsAt = (stop: number): number | undefined =>
    stop === value ? at : stop >= max ? undefined : first + stop;
  return (
    <TimeSlider
      max={max}
      step={step}
      value={value}
      change={(stop) => (stop >= max ? set({ as_of: TODAY }) : go(first + stop))}
      label={(stop) => field(secondsAt(stop))}
      text={(stop) => {
        const seconds = secondsAt(stop);
        return seconds === undefined ? words.history.today : inZone(seconds);
      }}
    />
  );
};

const STOPS = 200;

const isoOf = (seconds: number): string => new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z');
