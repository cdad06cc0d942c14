import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { KnowledgerError } from 'knowledger-client';
import { useEffect, useState } from 'react';
import { useClient } from '../../session.ts';
import type { Control } from '../../ui/field.tsx';
import { Time } from '../../ui/parts.tsx';
import { words } from '../../words.ts';
import { DAYS, FIRST, type Preset, presetOf, ruleOf } from './presets.ts';

const { schedule } = words;

/** How often a source is read, by a preset or a rule of one's own, and the times that follow from it. */
export const Schedule = ({ common, value, change }: Control) => {
  const rule = typeof value === 'string' ? value : '';
  const known = presetOf(rule);
  const [isOwn, setOwn] = useState(rule !== '' && known === null);
  const preset = known ?? FIRST;
  const set = (next: Partial<Preset>): void => change(ruleOf({ ...preset, ...next }));
  const chosen = isOwn ? 'own' : rule === '' ? 'never' : preset.every;
  return (
    <>
      <div className="schedule">
        <select
          {...common}
          value={chosen}
          onChange={({ target }) => {
            setOwn(target.value === 'own');
            if (target.value === 'never') change(undefined);
            else if (target.value !== 'own') set({ every: target.value as Preset['every'] });
          }}
        >
          {Object.entries(schedule.every).map(([every, label]) => (
            <option key={every} value={every}>
              {label}
            </option>
          ))}
        </select>
        {chosen === 'week' && (
          <select
            aria-label={schedule.day}
            value={preset.day}
            onChange={({ target }) => set({ day: target.value })}
          >
            {DAYS.map((day) => (
              <option key={day} value={day}>
                {schedule.days[day]}
              </option>
            ))}
          </select>
        )}
        {chosen === 'month' && (
          <select
            aria-label={schedule.date}
            value={preset.date}
            onChange={({ target }) => set({ date: Number(target.value) })}
          >
            {Array.from({ length: 28 }, (_, i) => i + 1).map((date) => (
              <option key={date}>{date}</option>
            ))}
          </select>
        )}
        {['day', 'weekday', 'week', 'month'].includes(chosen) && (
          <label className="inline">
            {schedule.at}
            <input
              type="time"
              required
              value={preset.time}
              onChange={({ target }) => target.value !== '' && set({ time: target.value })}
            />
            {schedule.utc}
          </label>
        )}
      </div>
      {isOwn && (
        <label className="field">
          <span>{schedule.rule}</span>
          <input
            required
            maxLength={2_000}
            placeholder={ruleOf(FIRST)}
            value={rule}
            onChange={({ target }) => change(target.value.trim() === '' ? undefined : target.value)}
          />
          <small>{schedule.ruleHint}</small>
        </label>
      )}
      <NextTimes rule={rule.trim()} />
    </>
  );
};

/** A rule is asked about once nothing more has been typed for so long. */
const SETTLE_MS = 300;

/** When a rule that is typed would fire, or why it is refused. */
const NextTimes = ({ rule: typed }: { readonly rule: string }) => {
  const client = useClient();
  const [rule, setRule] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setRule(typed), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const { data, error } = useQuery({
    queryKey: ['static', 'preview', rule],
    enabled: rule !== '',
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      client.get('/schedule/occurrences', { query: { rrule: rule, limit: 5 }, signal }),
  });
  if (typed === '') return null;
  if (error instanceof KnowledgerError) return <span className="reason">{error.message}</span>;
  return (
    <p className="faint next-times" aria-live="polite">
      {words.source.next}:{' '}
      {data?.occurrences.map((at) => (
        <Time key={at} at={at} exact="planned" />
      ))}
      <small>{schedule.zones}</small>
    </p>
  );
};
