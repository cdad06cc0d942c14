import { civilFromDays, daysFromCivil } from '../shared/civil-time.ts';

const MS_PER_DAY = 86_400_000;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^(\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:Z|([+-])(\d{2}):(\d{2}))$/i;

/** Unix milliseconds of midnight UTC of an RFC 3339 `full-date`; null for anything else, 30 February included. */
export const readDate = (text: string): number | null => {
  const [, y, m, d] = DATE.exec(text) ?? [];
  if (y === undefined) return null;
  const date = { year: Number(y), month: Number(m), day: Number(d) };
  const days = daysFromCivil(date);
  // A day that its month does not have is one of another month.
  return civilFromDays(days).month === date.month ? days * MS_PER_DAY : null;
};

/**
 * Unix milliseconds of an RFC 3339 `date-time`, which must name its offset; digits below a millisecond are cut off,
 * and a leap second is refused. A `full-date` alone stands for its midnight UTC. Null for anything else.
 */
export const readDateTime = (text: string): number | null => {
  if (DATE.test(text)) return readDate(text);
  const date = readDate(text.slice(0, 10));
  const [whole, h, min, s, fraction = '', sign, oh = '0', om = '0'] = TIME.exec(text.slice(11)) ?? [];
  if (date === null || whole === undefined || !/[Tt ]/.test(text.charAt(10))) return null;
  const [hour, minute, second] = [Number(h), Number(min), Number(s)];
  const [offsetHour, offsetMinute] = [Number(oh), Number(om)];
  if (hour > 23 || minute > 59 || second > 59 || offsetHour > 23 || offsetMinute > 59) return null;
  const offset = (sign === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute);
  const milliseconds = Number(fraction.padEnd(3, '0').slice(0, 3));
  return date + ((hour * 60 + minute - offset) * 60 + second) * 1000 + milliseconds;
};
