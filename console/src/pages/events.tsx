import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type LogEvent, verifyProof } from 'knowledger-client';
import { useEffect, useState } from 'react';
import type { EventSearch } from '../router.tsx';
import { useClient } from '../session.ts';
import { spoken } from '../ui/format.ts';
import { Empty, Failure, Loaded, Page, Time } from '../ui/parts.tsx';
import { type Column, Rows } from '../ui/rows.tsx';
import { words } from '../words.ts';

const CATEGORIES = [
  'dataSource',
  'ingestionSetting',
  'source',
  'apiKey',
  'conversation',
  'tag',
  'redactionPolicy',
  'authzPolicy',
  'authzSubject',
  'secret',
  'agentThread',
  'agentRun',
  'idempotency',
] as const;

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
    cell: ({ actor }) => actor.kind.replaceAll('_', ' '),
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

export const Events = () => {
  const client = useClient();
  const navigate = useNavigate();
  const asked = useSearch({ from: '/events' });
  const filter = queryOf(asked);
  const query = useInfiniteQuery({
    // Live, the shell reads it again with each event.
    queryKey: asked.live === undefined ? ['static', 'events', filter] : ['events', filter],
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }) => {
      const page = {
        order: 'desc',
        limit: 100,
        ...filter,
        ...(pageParam !== '' && { after_position: pageParam }),
      };
      const response = await client.raw('GET', '/events', { query: page, signal });
      return (await response.json()) as Awaited<ReturnType<typeof client.get<'/events'>>>;
    },
    getNextPageParam: ({ pagination }) => (pagination.has_more ? pagination.next_id : undefined),
  });
  const set = (change: Readonly<Record<string, string | undefined>>): void =>
    void navigate({ to: '/events', search: { ...asked, ...change } as EventSearch, replace: true });
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
      {CATEGORIES.map((category) => (
        <option key={category} value={category}>
          {spoken(category)}
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
