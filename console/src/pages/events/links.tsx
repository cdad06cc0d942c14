import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { LogEvent } from 'knowledger-client';
import { useState } from 'react';
import { useMay } from '../../may.tsx';
import { useClient } from '../../session.ts';
import { spoken } from '../../ui/format.ts';
import { words } from '../../words.ts';
import type { AdministrationTab } from '../administration/tabs.ts';

const TABS: Readonly<Record<string, AdministrationTab>> = {
  apiKey: 'keys',
  tag: 'tags',
  secret: 'secrets',
  webhook: 'webhooks',
  authzPolicy: 'policies',
  redactionPolicy: 'redaction',
};

/** Leads to the record of an event as the event left it, beside what it is today. */
export const RecordLink = ({ stream, position: at }: Pick<LogEvent, 'stream' | 'position'>) => {
  const [category = ''] = stream.split('-', 1);
  const id = stream.slice(category.length + 1);
  const tab = TABS[category];
  const text = { className: 'button chip', children: words.events.record };
  if (tab !== undefined) return <Link to="/administration" search={{ tab, record: id, at }} {...text} />;
  switch (category) {
    case 'dataSource':
      return <SourceLink id={id} at={at} />;
    case 'source':
      return <Link to="/documents/$id" params={{ id }} search={{ at }} {...text} />;
    case 'conversation':
      return <Link to="/conversations/$id" params={{ id }} search={{ at }} {...text} />;
    case 'agentThread':
      return <Link to="/agents/$id" params={{ id }} search={{ at }} {...text} />;
  }
  return null;
};

const SourceLink = ({ id, at }: { readonly id: string; readonly at: string }) => {
  const client = useClient();
  // As it was, since it may be gone today.
  const { data } = useQuery({
    queryKey: ['static', 'kind of source', id],
    enabled: useMay()('knowledge:read'),
    queryFn: ({ signal }) =>
      client.get('/source-groups/{id}', { path: { id }, query: { as_of: at }, signal }),
  });
  if (data === undefined) return null;
  return (
    <Link
      to="/sources/$type/$id"
      params={{ type: data.source_type, id }}
      search={{ tab: 'changes', at }}
      className="button chip"
    >
      {words.events.record}
    </Link>
  );
};

const TEMPLATE = 'knowledger-tracing';

/** Leads to the trace in the tracing of the operator, whose address this browser keeps. */
export const TraceLink = ({ trace }: { readonly trace: string }) => {
  const [template, setTemplate] = useState(() => localStorage.getItem(TEMPLATE) ?? '');
  const leads = /^https?:\/\/.*\{trace_id\}/.test(template);
  return (
    <>
      {leads && (
        <a href={template.replaceAll('{trace_id}', trace)} target="_blank" rel="noreferrer">
          {words.events.trace}
        </a>
      )}
      <details>
        <summary>{words.events.tracing}</summary>
        <label className="field">
          <span>{words.events.tracingHint}</span>
          <input
            type="url"
            placeholder="https://jaeger.example.com/trace/{trace_id}"
            value={template}
            onChange={({ target }) => {
              localStorage.setItem(TEMPLATE, target.value);
              setTemplate(target.value);
            }}
          />
        </label>
      </details>
    </>
  );
};

/** So many pages of some ten thousand events are looked at for the cause of an event. */
const PAGES = 3;

/** Leads to the event that caused this one; where a command did, shows all events that it caused. */
export const CauseLink = ({
  event: { causation_id: cause, trace_id: trace, position, time },
  goTo,
  only,
}: {
  readonly event: LogEvent;
  readonly goTo: (position: string) => void;
  readonly only: (where: Readonly<Record<string, string>>) => void;
}) => {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['static', 'cause', cause, position],
    queryFn: async ({ signal }) => {
      const where = JSON.stringify({ '/id': cause });
      // The events of one trace have an index.
      const near = trace === null ? { to: time + 1 } : { trace_id: trace };
      for (let [before, page] = [position, 0]; page < PAGES; page += 1) {
        const query = { order: 'desc', limit: 1, where, after_position: before, ...near } as const;
        const { events, pagination } = await client.get('/events', { query, signal });
        if (events[0] !== undefined) return { event: events[0] };
        if (pagination.next_id === undefined) break;
        before = pagination.next_id;
      }
      return { event: null };
    },
  });
  if (data === undefined) return null;
  const { event } = data;
  return (
    <button
      type="button"
      className="chip"
      onClick={() => (event === null ? only({ '/causation_id': cause }) : goTo(event.position))}
    >
      {event === null ? words.events.command : words.events.cause(spoken(event.type))}
    </button>
  );
};
