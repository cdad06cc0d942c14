import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type LogEvent, type LogPage, verifyProof } from 'knowledger-client';
import { useEffect, useState } from 'react';
import type { EventSearch } from '../router.tsx';
import { useClient } from '../session.ts';
import { actorOf, spoken } from '../ui/format.ts';
import { Empty, Failure, Loaded, Page, Time } from '../ui/parts.tsx';
import { type Column, Rows } from '../ui/rows.tsx';
import { words } from '../words.ts';
import { RecordLink, TraceLink } from './event-links.tsx';

const CATEGORIES = Object.entries(words.events.categories);

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
    cell: ({ actor }) => actorOf(actor),
    isExtra: true,
  },
];

/** Of a request, from the address of the page. */
const queryOf = ({ category, types, stream, actor, trace_id: trace, from, to }: EventSearch) => ({
  ...(category !== undefined && { category }),
  ...(types !== undefined && { types }),
  ...(stream !== undefined && { stream }),
  ...(actor !== undefined && { actor }),
  ...(trace !== undefined && { trace_id: trace }),
  ...(from !== undefined && { from: Math.floor(Date.parse(from) / 1_000) }),
  ...(to !== undefined && { to: Math.floor(Date.parse(to) / 1_000) }),
});

/** A part of the list, newest first, and where the parts beside it begin. */
interface Part {
  readonly events: readonly LogEvent[];
  readonly newer: string | undefined;
  readonly older: string | undefined;
}
/** Behind one of these, or at the beginning. */
type Place = Partial<Pick<Part, 'newer' | 'older'>>;

const TOP: Place = {};

/** So many newer events are above the one that an address names. */
const ABOVE = 20;

/** Reads the list from the newest event, or around the event of this position. */
const useEvents = (filter: ReturnType<typeof queryOf>, isLive: boolean, around: string | undefined) => {
  const client = useClient();
  return useInfiniteQuery({
    // Live, the shell reads it again with each event.
    queryKey: isLive ? ['events', filter] : ['static', 'events', filter, around],
    initialPageParam: TOP,
    queryFn: async ({ pageParam: place, signal }): Promise<Part> => {
      const read = async (order: 'asc' | 'desc', from: string | undefined, limit = 100) => {
        const query = { order, limit, ...filter, ...(from !== undefined && { after_position: from }) };
        const response = await client.raw('GET', '/events', { query, signal });
        const { events, pagination } = (await response.json()) as LogPage;
        return { events, next: pagination.has_more ? pagination.next_id : undefined };
      };
      if (place.newer !== undefined) {
        const { events, next } = await read('asc', place.newer);
        return { events: events.toReversed(), newer: next, older: undefined };
      }
      const above =
        place.older === undefined && around !== undefined ? await read('asc', around, ABOVE) : null;
      const top = above?.events.at(-1)?.position ?? above?.next;
      const { events, next } = await read('desc', place.older ?? top);
      return { events, newer: top === undefined ? undefined : (events[0]?.position ?? top), older: next };
    },
    getNextPageParam: ({ older }) => (older === undefined ? undefined : { older }),
    getPreviousPageParam: ({ newer }) => (newer === undefined ? undefined : { newer }),
  });
};

export const Events = () => {
  const navigate = useNavigate();
  const asked = useSearch({ from: '/events' });
  const filter = queryOf(asked);
  const [around, setAround] = useState(asked.event);
  const query = useEvents(filter, asked.live !== undefined, around);
  const set = (change: Readonly<Record<string, string | undefined>>): void => {
    // What is filtered anew, or followed, begins at the newest event.
    if (!('event' in change)) setAround(undefined);
    void navigate({ to: '/events', search: { ...asked, ...change } as EventSearch, replace: true });
  };
  const rows = query.data?.pages.flatMap(({ events }) => events) ?? [];
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  // A read looks at a bounded number of events, so a page may have none that fit while there are more.
  useEffect(() => {
    if (rows.length === 0 && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [rows.length, hasNextPage, isFetchingNextPage, fetchNextPage]);
  const open = rows.find(({ position }) => position === asked.event);
  return (
    <Page title={words.pages.events} actions={<Export filter={filter} />}>
      <Filters asked={asked} set={set} />
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
                columns={open === undefined ? COLUMNS : COLUMNS.slice(0, 2)}
                keyOf={({ position }) => position}
                open={({ position }) => set({ event: position })}
                marked={asked.event}
                more={hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : undefined}
              />
              {open !== undefined && (
                <Detail key={open.position} event={open} only={set} close={() => set({ event: undefined })} />
              )}
            </div>
          )
        }
      </Loaded>
    </Page>
  );
};

type SetFilter = (change: Readonly<Record<string, string | undefined>>) => void;

const Filters = ({ asked, set }: { readonly asked: EventSearch; readonly set: SetFilter }) => (
  <div className="filters">
    <select
      aria-label={words.events.category}
      value={asked.category ?? ''}
      onChange={({ target }) => set({ category: target.value })}
    >
      <option value="">{words.events.allCategories}</option>
      {CATEGORIES.map(([category, label]) => (
        <option key={category} value={category}>
          {label}
        </option>
      ))}
    </select>
    <input
      type="search"
      aria-label={words.events.stream}
      placeholder={words.events.stream}
      key={asked.stream}
      defaultValue={asked.stream ?? ''}
      onBlur={({ target }) => set({ stream: target.value })}
      onKeyDown={(event) => event.key === 'Enter' && set({ stream: event.currentTarget.value })}
    />
    {(['from', 'to'] as const).map((end) => (
      <label key={end} className="inline">
        {words.events[end]}
        <input
          type="datetime-local"
          value={asked[end] ?? ''}
          onChange={({ target }) => set({ [end]: target.value })}
        />
      </label>
    ))}
    {(['types', 'actor', 'trace_id'] as const).map((name) => {
      const value = asked[name];
      if (value === undefined) return null;
      return (
        <button key={name} type="button" className="chip" onClick={() => set({ [name]: undefined })}>
          {name === 'types' ? spoken(value) : `${words.events.of[name]} ${value}`} ✕
        </button>
      );
    })}
    <label className="check">
      <input
        type="checkbox"
        checked={asked.live !== undefined}
        onChange={({ target }) => set({ live: target.checked ? '1' : undefined })}
      />
      <span>{words.events.live}</span>
    </label>
  </div>
);

const FORMATS = ['csv', 'ndjson', 'parquet'] as const;

/** Exactly what is filtered, as a file. */
const Export = ({ filter }: { readonly filter: ReturnType<typeof queryOf> }) => {
  const client = useClient();
  const save = useMutation({
    mutationFn: async (format: (typeof FORMATS)[number]) => {
      const response = await client.raw('GET', '/events/export', { query: { ...filter, format } });
      const url = URL.createObjectURL(await response.blob());
      const link = document.createElement('a');
      link.href = url;
      link.download = `events.${format}`;
      link.click();
      URL.revokeObjectURL(url);
    },
  });
  return (
    <>
      <label className="inline">
        {words.actions.download}
        <select
          value=""
          disabled={save.isPending}
          onChange={({ target }) => save.mutate(target.value as (typeof FORMATS)[number])}
        >
          <option value="" disabled>
            {words.events.format}
          </option>
          {FORMATS.map((format) => (
            <option key={format} value={format}>
              {format.toUpperCase()}
            </option>
          ))}
        </select>
      </label>
      {save.error !== null && <Failure error={save.error} />}
    </>
  );
};

const Detail = ({
  event,
  only,
  close,
}: {
  readonly event: LogEvent;
  readonly only: SetFilter;
  readonly close: () => void;
}) => {
  const { data, ...context } = event;
  useEffect(() => {
    const pressed = ({ key }: KeyboardEvent): void => void (key === 'Escape' && close());
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [close]);
  return (
    <section className="card document" aria-label={spoken(event.type)}>
      <div className="dialog-head">
        <h2>{spoken(event.type)}</h2>
        <button type="button" className="quiet" aria-label={words.actions.close} onClick={close}>
          ✕
        </button>
      </div>
      <p className="actions">
        <RecordLink {...event} />
        <button type="button" className="chip" onClick={() => only({ types: event.type })}>
          {words.events.only}: {spoken(event.type)}
        </button>
        <button type="button" className="chip" onClick={() => only({ stream: event.stream })}>
          {words.events.only}: {words.events.stream.toLowerCase()}
        </button>
        <button type="button" className="chip" onClick={() => only({ actor: event.actor.id })}>
          {words.events.only}: {words.events.of.actor.toLowerCase()}
        </button>
        {event.trace_id !== null && (
          <button type="button" className="chip" onClick={() => only({ trace_id: event.trace_id! })}>
            {words.events.only}: {words.events.of.trace_id.toLowerCase()}
          </button>
        )}
      </p>
      <h3>{words.events.data}</h3>
      <pre className="json">{JSON.stringify(data, null, 2)}</pre>
      <h3>{words.events.context}</h3>
      <pre className="json">{JSON.stringify(context, null, 2)}</pre>
      {event.trace_id !== null && <TraceLink trace={event.trace_id} />}
      <h3>{words.events.proof}</h3>
      <Proof stream={event.stream} revision={event.revision} />
    </section>
  );
};

const Proof = ({ stream, revision }: { readonly stream: string; readonly revision: number }) => {
  const client = useClient();
  const [asked, setAsked] = useState(false);
  const query = useQuery({
    queryKey: ['static', 'proof', stream, revision],
    enabled: asked,
    queryFn: async ({ signal }) => {
      const proof = await client.get('/audit/proofs/inclusion', { query: { stream, revision }, signal });
      // The first proof of a log makes its first signature, and with it the list of keys.
      const keys = await client.get('/audit/keys', { signal });
      return { proof, verified: await verifyProof(proof, keys) };
    },
  });
  if (!isSecureContext) return <p className="faint">{words.proof.insecure}</p>;
  if (!asked)
    return (
      <>
        <p className="faint">{words.proof.intro}</p>
        <button type="button" className="main" onClick={() => setAsked(true)}>
          {words.actions.verify}
        </button>
      </>
    );
  return (
    <Loaded query={query}>
      {({ proof, verified }) => {
        const isGood = verified.leaf && verified.tree && verified.note;
        return (
          <div className={isGood ? 'proof good' : 'proof bad'} role="status">
            <p>
              <strong>{isGood ? words.proof.good(proof.checkpoint.size) : words.proof.bad}</strong>
            </p>
            <ul>
              {(['leaf', 'tree', 'note'] as const).map((step) => (
                <li key={step}>
                  {verified[step] ? '✓' : '✗'} {words.proof.steps[step]}
                </li>
              ))}
            </ul>
            <code className="cut">{proof.checkpoint.root_hash}</code>
          </div>
        );
      }}
    </Loaded>
  );
};
