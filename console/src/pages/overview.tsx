import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { JobStatus } from 'knowledger-client';
import { useClient } from '../session.ts';
import { shown, spoken } from '../ui/format.ts';
import { Card, Empty, Loaded, Page, Status, Time } from '../ui/parts.tsx';
import { words } from '../words.ts';

const RUNNING = ['starting', 'started', 'canceling', 'deleting'] as const;
const WAITING = ['queued', 'not_started'] as const;
const FAILED = ['failure', 'delete_job_failure'] as const;
const MANY = 8;

export const Overview = () => {
  const running = useGroups(RUNNING);
  const waiting = useGroups(WAITING);
  const failed = useGroups(FAILED);
  const all = useGroups([]);
  const active = [...(running.data?.source_groups ?? []), ...(waiting.data?.source_groups ?? [])];
  return (
    <Page
      title={words.pages.overview}
      actions={
        <Link to="/sources/new" className="button main">
          {words.sources.new}
        </Link>
      }
    >
      <div className="figures">
        <Figure label={words.overview.running} value={running.data?.pagination.total} of={RUNNING} />
        <Figure label={words.overview.waiting} value={waiting.data?.pagination.total} of={WAITING} />
        <Figure label={words.overview.failed} value={failed.data?.pagination.total} of={FAILED} />
        <Figure label={words.overview.all} value={all.data?.pagination.total} of={[]} />
      </div>
      <div className="columns">
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
        </Card>
        <Card title={words.overview.recent}>
          <Recent />
        </Card>
        <Card title={words.overview.health}>
          <Health />
        </Card>
      </div>
      {all.data?.pagination.total === 0 && (
        <Empty title={words.sources.empty}>
          <p>{words.sources.emptyHint}</p>
          <Link to="/sources/new" className="button main">
            {words.sources.new}
          </Link>
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

const Figure = ({
  label,
  value,
  of,
}: {
  readonly label: string;
  readonly value: number | undefined;
  /** The states that it counts; none counts all. */
  readonly of: readonly JobStatus[];
}) => (
  <Link
    to="/sources"
    search={of.length === 0 ? {} : { status: of.join(',') }}
    className={`figure figure-${of.at(0) ?? 'all'}`}
  >
    <span className="figure-value">{value?.toLocaleString() ?? '–'}</span>
    <span>{label}</span>
  </Link>
);

const Recent = () => {
  const client = useClient();
  const query = useQuery({
    queryKey: ['events', 'recent'],
    queryFn: ({ signal }) => client.get('/events', { query: { order: 'desc', limit: MANY }, signal }),
  });
  return (
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
  );
};

const Health = () => {
  const query = useQuery({
    queryKey: ['static', 'readyz'],
    refetchInterval: 10_000,
    queryFn: async ({ signal }) => {
      const response = await fetch('/readyz', { signal });
      return (await response.json()) as Readiness;
    },
  });
  return (
    <Loaded query={query}>
      {({ status, reasons, details, optional }) => (
        <>
          {status === 'ready' && Object.keys(reasons).length === 0 && <p>{words.overview.healthy}</p>}
          <dl className="facts">
            {Object.entries({ ...reasons, ...details, ...optional }).map(([name, told]) => (
              <div key={name}>
                <dt>{name.replaceAll('_', ' ')}</dt>
                <dd>{shown(told)}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </Loaded>
  );
};

interface Readiness {
  readonly status: string;
  readonly reasons: Readonly<Record<string, unknown>>;
  readonly details: Readonly<Record<string, unknown>>;
  readonly optional: Readonly<Record<string, unknown>>;
}
