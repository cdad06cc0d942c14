const MS_PER_DAY = 86_400_000;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^(\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:Z|([+-])(\d{2}):(\d{2}))$/i;

/** Unix milliseconds of midnight UTC of an RFC 3339 `full-date`; null for anything else, 30 February included. */
export const readDate = (text: string): number | null => {
  const [, y, m, d] = DATE.exec(text) ?? [];
  if (y === undefined) return null;
  const [year, month, day] = [Number(y), Number(m), Number(d)];
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null;
  return daysFromCivil(year, month, day) * MS_PER_DAY;
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

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

const daysInMonth = (year: number, month: number): number => {
  if (month === 2) return isLeap(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
};

/** Days since 1970-01-01 of a date of the proleptic Gregorian calendar, counting years from March. */
const daysFromCivil = (year: number, month: number, day: number): number => {
  const marchYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
};
