import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useMay } from '../../may.tsx';
import { Actor } from '../../ui/actor.tsx';
import { briefly, duration, inUtc, inZone } from '../../ui/format.ts';
import { words } from '../../words.ts';
import type { Attempt } from './attempts.ts';
import { type Stretch, stretchesOf } from './stretches.ts';

/** The time, which goes on while something waits or runs. */
export const useNow = (isGoing: boolean): number => {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isGoing) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isGoing]);
  return isGoing ? Math.max(now, Date.now() - 1_000) : now;
};

/**
 * A row for each attempt, newest first. All stretches begin at the left and have one scale, so that lengths compare; the
 * idle time between two is a line that tells how long it was.
 */
export const Gantt = ({ attempts, now }: { readonly attempts: readonly Attempt[]; readonly now: number }) => {
  const stretches = stretchesOf(attempts, now);
  const full = Math.max(1, ...stretches.map(({ from, to }) => to - from));
  return (
    <ol className="gantt">
      {stretches.map((stretch, i) => (
        <li key={stretch.from}>
          <ol>
            {stretch.attempts.map((attempt) => (
              <Bar
                key={`${attempt.jobId} ${attempt.number}`}
                attempt={attempt}
                stretch={stretch}
                full={full}
                now={now}
              />
            ))}
          </ol>
          {i < stretches.length - 1 && stretch.idleBefore !== null && (
            <p className="gantt-idle">{words.source.idle(duration(stretch.idleBefore))}</p>
          )}
        </li>
      ))}
    </ol>
  );
};

const Bar = ({
  attempt: { queuedAt, startedAt, endedAt, outcome, trigger, number, reason, by, counts, trace },
  stretch,
  full,
  now,
}: {
  readonly attempt: Attempt;
  readonly stretch: Stretch;
  readonly full: number;
  readonly now: number;
}) => {
  const may = useMay();
  const waited = Math.max(0, (startedAt ?? endedAt ?? now) - queuedAt);
  const worked = startedAt === undefined ? 0 : Math.max(0, (endedAt ?? now) - startedAt);
  const state = outcome ?? (startedAt === undefined ? 'queued' : 'started');
  const share = (ms: number): string => `${(ms / full) * 100}%`;
  return (
    <li className="gantt-row">
      <div className="gantt-label">
        <span title={`${inZone(queuedAt / 1_000)}\n${inUtc(queuedAt / 1_000)}`}>
          {briefly(queuedAt / 1_000)}
        </span>
        <span className="faint">
          {words.source.triggers[trigger] ?? trigger}
          {number > 1 && ` ${number}`}, <Actor {...by} />
        </span>
      </div>
      <div className="gantt-track">
        <div
          className="gantt-wait"
          style={{ marginLeft: share(queuedAt - stretch.from), width: share(waited) }}
        />
        <div
          className={`gantt-work gantt-${state}`}
          style={{ width: startedAt === undefined ? 0 : `max(3px, ${share(worked)})` }}
        />
      </div>
      <div className="gantt-sum">
        <span className={`gantt-state-${state}`}>{words.status[state] ?? words.source.requeued}</span>
        <span>
          {duration(waited)} {words.source.waiting}
          {startedAt !== undefined && `, ${duration(worked)} ${words.source.working}`}
        </span>
        {counts !== undefined && <span>{words.source.did(counts)}</span>}
        {trace !== undefined && may('audit:read everywhere') && (
          <Link to="/events" search={{ trace_id: trace }}>
            {words.source.allOfIt}
          </Link>
        )}
        {reason !== undefined && <span className="reason">{reason}</span>}
      </div>
    </li>
  );
};
