import { civilFromDays, daysFromCivil } from '../shared/civil-time.ts';
import type { MetadataRecord, MetadataValueType } from '../source/events.ts';

const MS_PER_DAY = 86_400_000;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^(\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:Z|([+-])(\d{2}):(\d{2}))$/i;

/**
 * Parses an RFC 3339 `full-date` as Unix milliseconds of midnight UTC; null for anything else, such as 30 February.
 */
export const readDate = (text: string): number | null => {
  const [, y, m, d] = DATE.exec(text) ?? [];
  if (y === undefined) return null;
  const date = { year: Number(y), month: Number(m), day: Number(d) };
  const days = daysFromCivil(date);
  // A day that does not exist in its month becomes a day of another month.
  return civilFromDays(days).month === date.month ? days * MS_PER_DAY : null;
};

/**
 * Parses an RFC 3339 `date-time`, which must have an offset, as Unix milliseconds. Cuts off digits below a
 * millisecond, and rejects leap seconds. A `full-date` is read as its midnight UTC. Null for anything else.
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

/** A parsed value: compared as text by code points, as a number, or as a time in Unix milliseconds. */
export type Operand =
  | { readonly as: 'text'; readonly value: string }
  | { readonly as: 'number'; readonly value: number }
  | { readonly as: 'time'; readonly value: number };
export type Comparison = Operand['as'];

/**
 * A value as it is stored for filtering. The text is always set; the number only for integers and floats, the time
 * only for dates and datetimes, and neither when the text cannot be parsed as its type.
 */
export interface StoredValue {
  readonly text: string;
  readonly number: number | null;
  readonly time: number | null;
}

const FLOAT = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * Parses a text as a value of the type; null when it is invalid. Integers are within ±(2^53 - 1), so that every JSON
 * parser keeps them exactly (RFC 7493 section 2.2); floats are finite; dates and times follow RFC 3339. A string may
 * contain anything but U+0000 and lone surrogates, which UTF-8 text cannot represent.
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

/** Replaces characters that UTF-8 text cannot store by U+FFFD. */
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
 * The type for comparing a key with several declared types: float for integers and floats, datetime for dates and
 * datetimes, string for any other combination and for a key without a declared type.
 */
export const commonType = (declared: Iterable<MetadataValueType>): MetadataValueType => {
  const types = new Set(declared);
  const [first] = types;
  if (first !== undefined && types.size === 1) return first;
  if (types.size === 2 && types.has('integer') && types.has('float')) return 'float';
  if (types.size === 2 && types.has('date') && types.has('datetime')) return 'datetime';
  return 'string';
};
