import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { JobStatus } from 'knowledger-client';
import type { ReactNode } from 'react';
import { useMay } from '../may.tsx';
import { useClient } from '../session.ts';
import { spoken } from '../ui/format.ts';
import { Card, Empty, Loaded, Page, Status, Time } from '../ui/parts.tsx';
import { NewSource } from '../ui/new-source.tsx';
import { words } from '../words.ts';
import { Health } from './overview/health.tsx';
import { Knowledge } from './overview/knowledge.tsx';
import { useStatus } from '../status.ts';
import './overview/overview.css';

const RUNNING = ['starting', 'started', 'canceling', 'deleting'] as const;
const WAITING = ['queued', 'not_started'] as const;
const FAILED = ['failure', 'delete_job_failure'] as const;
const MANY = 8;

export const Overview = () => {
  const running = useGroups(RUNNING);
  const waiting = useGroups(WAITING);
  const failed = useGroups(FAILED);
  const all = useGroups([]);
  const items = useFailedItems();
  const status = useStatus();
  const may = useMay();
  const since = (of: readonly JobStatus[]): number | undefined => {
    const times = status.data?.jobs?.flatMap((jobs) => (of.includes(jobs.status) ? [jobs.since] : []));
    return times === undefined || times.length === 0 ? undefined : Math.min(...times);
  };
  const documents = status.data?.knowledge?.reduce((sum, { source_count: n }) => sum + n, 0);
  const active = [...(running.data?.source_groups ?? []), ...(waiting.data?.source_groups ?? [])];
  return (
    <Page title={words.pages.overview} actions={<NewSource />}>
      <div className="figures">
        <Figure
          label={words.overview.running}
          value={running.data?.pagination.total}
          of={RUNNING}
          since={since(RUNNING)}
        />
        <Figure
          label={words.overview.waiting}
          value={waiting.data?.pagination.total}
          of={WAITING}
          since={since(WAITING)}
        />
        <Figure
          label={words.overview.failed}
          value={failed.data?.pagination.total}
          of={FAILED}
          since={since(FAILED)}
        >
          {items > 0 && words.overview.failedItems(items)}
        </Figure>
        <Figure label={words.overview.all} value={all.data?.pagination.total} of={[]}>
          {documents !== undefined && words.overview.documents(documents)}
        </Figure>
      </div>
      <div className="columns">
        <div className="stacked">
          <Card title={words.overview.active}>
            <Loaded query={running}>
              {() =>
                active.length === 0 ? (
                  <p className="faint">{words.overview.idle}</p>
                ) : (
                  <ul className="list">
                    {active.slice(0, MANY).map((group) => (
                      <li key={group.id}>
                        <Link to="/sources/$type/$id" params={{ type: group.source_type, id: group.id }}>
                          {group.name}
                        </Link>
                        <span className="faint">{words.kinds[group.source_type]}</span>
                        <Status of={group.status} />
                        <Time at={group.start_time ?? group.creation_time} />
                      </li>
                    ))}
                  </ul>
                )
              }
            </Loaded>
          </Card>
          <Card title={words.overview.failures}>
            <Loaded query={failed}>
              {({ source_groups: groups }) =>
                groups.length === 0 ? (
                  <p className="faint">{words.overview.noFailures}</p>
                ) : (
                  <ul className="list">
                    {groups.slice(0, MANY).map((group) => (
                      <li key={group.id}>
                        <Link
                          to="/sources/$type/$id"
                          params={{ type: group.source_type, id: group.id }}
                          search={{ tab: 'problems' }}
                        >
                          {group.name}
                        </Link>
                        <span className="reason">{group.error?.message}</span>
                        <Time at={group.end_time ?? group.creation_time} />
                      </li>
                    ))}
                  </ul>
                )
              }
            </Loaded>
            {items > 0 && <Link to="/problems">{words.overview.failedItems(items)}</Link>}
          </Card>
          {status.data?.knowledge !== undefined && status.data.knowledge.length > 0 && (
            <Card title={words.overview.holds.title}>
              <Knowledge of={status.data.knowledge} />
            </Card>
          )}
        </div>
        <div className="stacked">
          <Card title={words.overview.health.title}>
            <Loaded query={status}>{(told) => <Health of={told} />}</Loaded>
          </Card>
          {may('audit:read everywhere') && <Recent />}
        </div>
      </div>
      {all.data?.pagination.total === 0 && (
        <Empty title={words.sources.empty}>
          <p>{words.sources.emptyHint}</p>
          <NewSource />
        </Empty>
      )}
    </Page>
  );
};

const useGroups = (status: readonly JobStatus[]) => {
  const client = useClient();
  return useQuery({
    queryKey: ['source-groups', 'overview', status],
    queryFn: ({ signal }) =>
      client.get('/source-groups', { query: { limit: MANY, ...(status.length > 0 && { status }) }, signal }),
  });
};

/** A job succeeds although some items fail. None where the key may not read them. */
const useFailedItems = (): number => {
  const client = useClient();
  const may = useMay();
  const { data } = useQuery({
    queryKey: ['errors', 'overview'],
    enabled: may('ingestion:manage'),
    queryFn: ({ signal }) => client.get('/errors', { query: { limit: 1 }, signal }),
  });
  return data?.pagination.total ?? 0;
};

const Figure = ({
  label,
  value,
  of,
  since,
  children,
}: {
  readonly label: string;
  readonly value: number | undefined;
  /** The states that it counts; none counts all. */
  readonly of: readonly JobStatus[];
  /** When the first of them came into this state. */
  readonly since?: number | undefined;
  readonly children?: ReactNode;
}) => (
  <Link
    to="/sources"
    search={of.length === 0 ? {} : { status: of.join(',') }}
    className={`figure figure-${of.at(0) ?? 'all'}`}
  >
    <span className="figure-value">{value?.toLocaleString() ?? '–'}</span>
    <span>{label}</span>
    {since !== undefined && value !== 0 && (
      <span className="figure-since">
        {words.overview.first} <Time at={since} />
      </span>
    )}
    {children !== undefined && children !== false && <span className="figure-since">{children}</span>}
  </Link>
);

/** Technical ones say nothing of the knowledge. */
const TOLD = (Object.keys(words.events.categories) as (keyof typeof words.events.categories)[]).filter(
  (category) => category !== 'idempotency',
);

const Recent = () => {
  const client = useClient();
  const query = useQuery({
    queryKey: ['events', 'recent'],
    queryFn: ({ signal }) =>
      client.get('/events', { query: { category: TOLD, order: 'desc', limit: MANY }, signal }),
  });
  return (
    <Card title={words.overview.recent}>
      <Loaded query={query}>
        {({ events }) => (
          <ul className="list">
            {events.map(({ position, type, stream, time }) => (
              <li key={position}>
                <Link to="/events" search={{ stream, event: position }}>
                  {spoken(type)}
                </Link>
                <span className="faint">{spoken(stream.split('-')[0]!)}</span>
                <Time at={time} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  );
};
