import { useState } from 'react';
import { words } from '../../words.ts';
import type { Attempt } from './attempts.ts';

/** Of a day: how many attempts had which outcome, and how many are planned. */
type Day = ReadonlyMap<string, number>;
const KINDS = ['success', 'failure', 'canceled', 'started', 'planned'] as const;

const monthName = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric' });
const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'short' });
const fullDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' });
/** A Monday. */
const WEEK = Array.from({ length: 7 }, (_, i) => weekday.format(new Date(2024, 0, 1 + i)));

/** The midnight before, as Unix milliseconds, in the zone of the viewer. */
const dayOf = (at: number): number => new Date(at).setHours(0, 0, 0, 0);

const nameOf = (kind: string): string =>
  kind === 'planned' ? words.source.planned : (words.status[kind] ?? kind);

/** One month: the attempts by their outcome, and the next times of the schedule, Unix seconds. */
export const Calendar = ({
  attempts,
  next,
}: {
  readonly attempts: readonly Attempt[];
  readonly next: readonly number[];
}) => {
  const [back, setBack] = useState(0);
  const now = new Date();
  const first = new Date(now.getFullYear(), now.getMonth() + back, 1);
  const days = new Map<number, Map<string, number>>();
  const count = (at: number, kind: string): void => {
    const day = days.get(dayOf(at)) ?? new Map<string, number>();
    days.set(dayOf(at), day.set(kind, (day.get(kind) ?? 0) + 1));
  };
  // One that was queued again is told by the attempt that followed.
  for (const { queuedAt, outcome = 'started' } of attempts)
    if (outcome !== 'requeued') count(queuedAt, outcome);
  for (const at of next) count(at * 1_000, 'planned');
  return (
    <div className="calendar">
      <div className="dialog-head">
        <button type="button" aria-label={words.source.monthBefore} onClick={() => setBack(back - 1)}>
          ‹
        </button>
        <strong aria-live="polite">{monthName.format(first)}</strong>
        <button type="button" aria-label={words.source.monthAfter} onClick={() => setBack(back + 1)}>
          ›
        </button>
      </div>
      <table>
        <thead>
          <tr>
            {WEEK.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(first).map((week) => (
            <tr key={week[0]!.getTime()}>
              {week.map((date) => (
                <Cell
                  key={date.getTime()}
                  date={date}
                  day={days.get(date.getTime())}
                  isOther={date.getMonth() !== first.getMonth()}
                  isToday={date.getTime() === dayOf(now.getTime())}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="actions faint">
        {KINDS.map((kind) => (
          <span key={kind} className={`status status-${kind}`}>
            {nameOf(kind)}
          </span>
        ))}
      </p>
    </div>
  );
};

const Cell = ({
  date,
  day,
  isOther,
  isToday,
}: {
  readonly date: Date;
  readonly day: Day | undefined;
  readonly isOther: boolean;
  readonly isToday: boolean;
}) => (
  <td
    className={isOther ? 'other' : ''}
    aria-current={isToday ? 'date' : undefined}
    title={
      day &&
      `${fullDay.format(date)}\n${KINDS.flatMap((kind) => (day.has(kind) ? [`${nameOf(kind)}: ${day.get(kind)}`] : [])).join('\n')}`
    }
  >
    <span>{date.getDate()}</span>
    {KINDS.map(
      (kind) =>
        day?.has(kind) && (
          <span key={kind} className={`status status-${kind}`}>
            {day.get(kind)}
            <span className="unseen"> {nameOf(kind)}</span>
          </span>
        ),
    )}
  </td>
);

/** The weeks that have days of the month, each from Monday on. */
const weeksOf = (first: Date): readonly (readonly Date[])[] => {
  const [year, month] = [first.getFullYear(), first.getMonth()];
  const before = (first.getDay() + 6) % 7;
  const length = new Date(year, month + 1, 0).getDate();
  return Array.from({ length: Math.ceil((before + length) / 7) }, (_, week) =>
    Array.from({ length: 7 }, (__, day) => new Date(year, month, 1 - before + week * 7 + day)),
  );
};
