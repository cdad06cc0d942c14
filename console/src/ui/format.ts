import type { AgentRun } from 'knowledger-client';
import { words } from '../words.ts';

/** The state of a job that has the words and the colour of a run's. */
export const STATE_OF_RUN: { readonly [status in AgentRun['status']]: string } = {
  QUEUED: 'queued',
  RUNNING: 'started',
  CANCELLING: 'canceling',
  SUCCEEDED: 'success',
  FAILED: 'failure',
  CANCELLED: 'canceled',
};
const STATUS_WORDS: ReadonlyMap<unknown, string> = new Map([
  ...Object.entries(words.status),
  ...Object.entries(STATE_OF_RUN).map(([status, state]) => [status, words.status[state] ?? state] as const),
]);

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const short = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});
const clock = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** `seconds` are Unix seconds. */
export const ago = (seconds: number, now = Date.now() / 1_000): string => {
  const distance = seconds - now;
  for (const [unit, length] of UNITS)
    if (Math.abs(distance) >= length) return relative.format(Math.trunc(distance / length), unit);
  return Math.abs(distance) < 5 ? words.time.justNow : relative.format(Math.trunc(distance), 'second');
};

const planned = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
});

export const briefly = (seconds: number): string => short.format(seconds * 1_000);
/** With its weekday and its zone, as a time that is to come. */
export const asPlanned = (seconds: number): string => planned.format(seconds * 1_000);
export const inZone = (seconds: number): string => clock.format(seconds * 1_000);
/** As a field for a date and a time has it. */
export const inLocalTime = (seconds: number): string => {
  const at = new Date(seconds * 1_000);
  const [year, month, day, hour, minute, second] = [
    at.getFullYear(),
    at.getMonth() + 1,
    at.getDate(),
    at.getHours(),
    at.getMinutes(),
    at.getSeconds(),
  ].map((part, i) => String(part).padStart(i === 0 ? 4 : 2, '0'));
  return `${year}-${month}-${day}T${hour}:${minute}:${second}`;
};
export const inUtc = (seconds: number): string =>
  `${new Date(seconds * 1_000).toISOString().replace('T', ' ').slice(0, 19)} UTC`;

export const duration = (ms: number): string => {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
  if (ms < 86_400_000) return `${Math.floor(ms / 3_600_000)} h ${Math.floor((ms % 3_600_000) / 60_000)} min`;
  return `${Math.floor(ms / 86_400_000)} d ${Math.floor((ms % 86_400_000) / 3_600_000)} h`;
};

export const bytes = (count: number): string => {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = count === 0 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(count) / 3));
  const value = count / 1_000 ** power;
  return `${value >= 10 || power === 0 ? Math.round(value) : value.toFixed(1)} ${units[power]}`;
};

/** `JobQueued` as words. */
export const spoken = (type: string): string => {
  const text = type.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return (text.charAt(0).toUpperCase() + text.slice(1))
    .replace(/\bapi\b/i, 'API')
    .replace('anceled', 'ancelled');
};

/**
 * A value of a record, with what its name says of it: times in the zone of the viewer, sizes in their units, states by
 * the names that the pages give them.
 */
export const inWords = (path: string, value: unknown): string => {
  const name = path.slice(Math.max(path.lastIndexOf('.'), path.lastIndexOf('/')) + 1);
  if (typeof value === 'number') {
    // Data of events has milliseconds, records have seconds.
    if (/(^|_)(at|time)$/.test(name) && value > 0) return inZone(value > 1e11 ? value / 1_000 : value);
    if (/(^|_)bytes$/.test(name)) return bytes(value);
  }
  return (name === 'status' && STATUS_WORDS.get(value)) || shown(value);
};

/** A JSON Pointer (RFC 6901) as people write a path. */
export const dotted = (pointer: string): string =>
  pointer.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');

export const shown = (value: unknown): string =>
  value === undefined ? '—' : typeof value === 'string' ? value : JSON.stringify(value);

/** The members of an object as a line, without those that others show already. */
export const summary = (data: object, without: readonly string[] = ['job_id', 'at']): string =>
  Object.entries(data)
    .filter(([name]) => !without.includes(name))
    .map(([name, value]) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? summary(value, without)
        : `${name.replaceAll('_', ' ')} ${inWords(name, value)}`,
    )
    .join(', ');
