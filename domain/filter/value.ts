import { civilFromDays, daysFromCivil } from '../shared/civil-time.ts';
import type { MetadataRecord, MetadataValueType } from '../source/events.ts';

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

/** How values of a type compare: as text by code points, as numbers, or as moments in Unix milliseconds. */
export type Operand =
  | { readonly as: 'text'; readonly value: string }
  | { readonly as: 'number'; readonly value: number }
  | { readonly as: 'time'; readonly value: number };
export type Comparison = Operand['as'];

/**
 * A value as it is kept for filtering. The text is always there; a number only for integers and floats, a time only
 * for dates and datetimes, and neither when the text cannot be read as its type.
 */
export interface StoredValue {
  readonly text: string;
  readonly number: number | null;
  readonly time: number | null;
}

const FLOAT = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * Reads a text as a value of the type; null when it is none. Integers stay within ±(2^53 - 1), so that every reader
 * of JSON keeps them (RFC 7493 section 2.2); floats are finite; dates and times are those of RFC 3339. A string may
 * hold anything but U+0000 and lone surrogates, which no UTF-8 text can.
 */
export const readOperand = (text: string, type: MetadataValueType): Operand | null => {
  switch (type) {
    case 'string':
      return isStorable(text) ? { as: 'text', value: text } : null;
    case 'integer':
      return /^[+-]?\d+$/.test(text) && Number.isSafeInteger(Number(text))
        ? { as: 'number', value: Number(text) }
        : null;
    case 'float':
      return FLOAT.test(text) && Number.isFinite(Number(text)) ? { as: 'number', value: Number(text) } : null;
    case 'date':
      return moment(readDate(text));
    case 'datetime':
      return moment(readDateTime(text));
  }
};

const moment = (value: number | null): Operand | null => (value === null ? null : { as: 'time', value });

export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** What cannot be stored in UTF-8 text becomes U+FFFD. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD');

export const storedValue = ({ val, type }: Omit<MetadataRecord, 'key'>): StoredValue => {
  const operand = readOperand(val, type);
  return {
    text: storable(val),
    number: operand?.as === 'number' ? operand.value : null,
    time: operand?.as === 'time' ? operand.value : null,
  };
};

/**
 * The type in which a key compares that was declared more than once: integers and floats as floats, dates and
 * datetimes as datetimes, any other mixture, and a key that nobody declared, as strings.
 */
export const commonType = (declared: Iterable<MetadataValueType>): MetadataValueType => {
  const types = new Set(declared);
  const [first] = types;
  if (first !== undefined && types.size === 1) return first;
  if (types.size === 2 && types.has('integer') && types.has('float')) return 'float';
  if (types.size === 2 && types.has('date') && types.has('datetime')) return 'datetime';
  return 'string';
};
