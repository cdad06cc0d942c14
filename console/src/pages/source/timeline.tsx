import type { AuditEntry } from 'knowledger-client';
import type { Kind } from '../../kinds.ts';
import { actorOf, briefly, duration, inUtc, inZone, spoken, summary } from '../../ui/format.ts';
import { Card, Failure, Time } from '../../ui/parts.tsx';
import { type Column, Rows } from '../../ui/rows.tsx';
import { words } from '../../words.ts';
import { type Attempt, attemptsOf } from './attempts.ts';
import { useTrail } from './trail.ts';

/** Shown at once; the rest of a trail is in the event explorer. */
const COLUMNS: readonly Column<AuditEntry>[] = [
  { title: words.events.time, width: '11rem', cell: ({ time }) => <Time at={time} exact /> },
  { title: words.events.event, width: 'minmax(9rem, 1fr)', cell: ({ type }) => spoken(type) },
  {
    title: words.sources.state,
    width: '9rem',
    cell: ({ to_status: to }) => words.status[to] ?? to,
    isExtra: true,
  },
  {
    title: words.events.who,
    width: '9rem',
    cell: ({ actor }) => actorOf(actor),
    isExtra: true,
  },
  {
    title: words.events.data,
    width: 'minmax(8rem, 2fr)',
    cell: ({ data }) => <span className="faint">{summary(data)}</span>,
    isExtra: true,
  },
];

export const Timeline = ({ kind, id }: { readonly kind: Kind; readonly id: string }) => {
  const { trail, error } = useTrail(kind, id);
  const attempts = attemptsOf(trail);
  return (
    <>
      {error !== null && <Failure error={error} />}
      <Card title={words.source.attempts}>
        <ol className="gantt">
          {attempts.map((attempt) => (
            <Bar key={`${attempt.jobId} ${attempt.number}`} attempt={attempt} longest={longest(attempts)} />
          ))}
        </ol>
      </Card>
      <Rows
        label={words.source.timeline}
        rows={trail.toReversed()}
        columns={COLUMNS}
        keyOf={({ revision }) => String(revision)}
      />
    </>
  );
};

const lengthOf = ({ queuedAt, endedAt }: Attempt): number => Math.max(1, (endedAt ?? Date.now()) - queuedAt);
const longest = (attempts: readonly Attempt[]): number => Math.max(...attempts.map(lengthOf));

/** All bars begin at the left, so that idle stretches between jobs take no room and lengths compare. */
const Bar = ({ attempt, longest: full }: { readonly attempt: Attempt; readonly longest: number }) => {
  const { queuedAt, startedAt, endedAt, outcome, trigger, number, reason, by } = attempt;
  const now = Date.now();
  const waited = (startedAt ?? endedAt ?? now) - queuedAt;
  const worked = startedAt === undefined ? 0 : (endedAt ?? now) - startedAt;
  const state = outcome ?? (startedAt === undefined ? 'queued' : 'started');
  return (
    <li>
      <div className="gantt-label">
        <span title={`${inZone(queuedAt / 1_000)}\n${inUtc(queuedAt / 1_000)}`}>
          {briefly(queuedAt / 1_000)}
        </span>
        <span className="faint">
          {trigger}
          {number > 1 && ` ${number}`}, {actorOf(by)}
        </span>
      </div>
      <div className="gantt-track">
        <div className="gantt-wait" style={{ width: `${(waited / full) * 100}%` }} />
        <div
          className={`gantt-work gantt-${state}`}
          style={{ width: `max(3px, ${(worked / full) * 100}%)` }}
        />
      </div>
      <div className="gantt-sum">
        {words.status[state] ?? state}: {duration(waited)} {words.source.waiting}
        {startedAt !== undefined && `, ${duration(worked)} ${words.source.working}`}
        {reason !== undefined && <span className="reason"> {reason}</span>}
      </div>
    </li>
  );
};
