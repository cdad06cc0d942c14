import type { MetadataRecord } from '../source/events.ts';
import type { Condition, Filter, OperandSet, Order } from './filter.ts';
import { type Operand, type StoredValue, storable, storedValue } from './value.ts';

/**
 * Compares texts by Unicode code points, which is also the order of their UTF-8 bytes (`COLLATE "C"`). JavaScript's
 * `<` compares UTF-16 units and puts astral characters before U+E000 to U+FFFF.
 */
export const compareText = (a: string, b: string): number => {
  const length = Math.min(a.length, b.length);
  let i = 0;
  while (a.charCodeAt(i) === b.charCodeAt(i)) i += 1;
  if (i === length) return a.length - b.length;
  return rank(a.charCodeAt(i)) - rank(b.charCodeAt(i));
};

/** A surrogate is part of a character above U+FFFF, so it sorts after every unit that is a character itself. */
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

/** Whether the metadata of one record satisfies the filter. Adapters that filter elsewhere must agree with it. */
export const matches = (filter: Filter, records: readonly MetadataRecord[]): boolean => {
  const values = new Map<string, StoredValue[]>();
  for (const record of records) {
    const key = storable(record.key);
    values.set(key, [...(values.get(key) ?? []), storedValue(record)]);
  }
  return holds(filter, values);
};

type Values = ReadonlyMap<string, readonly StoredValue[]>;

const holds = (part: Filter | Condition, values: Values): boolean => {
  if (part.kind !== 'group') return holdsCondition(part, values.get(part.key) ?? []);
  if (part.parts.length === 0) return true;
  return part.logic === 'AND'
    ? part.parts.every((inner) => holds(inner, values))
    : part.parts.some((inner) => holds(inner, values));
};

const holdsCondition = (condition: Condition, values: readonly StoredValue[]): boolean => {
  switch (condition.kind) {
    case 'compare': {
      const { operator, operand } = condition;
      if (operator === 'ne') return !values.some((value) => ordered('eq', value, operand));
      return values.some((value) => ordered(operator, value, operand));
    }
    case 'between': {
      const { min, max } = condition;
      return values.some((value) => ordered('gte', value, min) && ordered('lte', value, max));
    }
    case 'among':
      return values.some((value) => isAmong(value, condition.set)) !== condition.negated;
    case 'text': {
      const { operator, value: part } = condition;
      return values.some(({ text }) =>
        operator === 'contains' ? text.includes(part) : text.startsWith(part),
      );
    }
    case 'exists':
      return values.length > 0 === condition.expected;
  }
};

const isAmong = (value: StoredValue, { as, values }: OperandSet): boolean =>
  values.some((item) => ordered('eq', value, { as, value: item } as Operand));

const ordered = (operator: Exclude<Order, 'ne'>, value: StoredValue, operand: Operand): boolean => {
  const difference = compare(value, operand);
  if (difference === null) return false;
  switch (operator) {
    case 'eq':
      return difference === 0;
    case 'gt':
      return difference > 0;
    case 'gte':
      return difference >= 0;
    case 'lt':
      return difference < 0;
    case 'lte':
      return difference <= 0;
  }
};

/** Sign of `value - operand`; null when the value has another type. */
const compare = (value: StoredValue, operand: Operand): number | null => {
  switch (operand.as) {
    case 'text':
      return compareText(value.text, operand.value);
    case 'number':
      return value.number === null ? null : Math.sign(value.number - operand.value);
    case 'time':
      return value.time === null ? null : Math.sign(value.time - operand.value);
  }
};

/** Normalises a domain like the hosts of URLs: lower case, ASCII (RFC 5891), without leading or trailing dots. */
export const hostName = (domain: string): string => {
  const bare = domain.trim().replace(/^\.+|\.+$/g, '');
  return URL.parse(`http://${bare}`)?.hostname ?? storable(bare.toLowerCase());
};
