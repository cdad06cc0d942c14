import { createHash } from 'node:crypto';
import type { Condition, Filter } from '../../domain/filter/filter.ts';
import { type Comparison, type Operand, storable, storedValue } from '../../domain/filter/value.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import type { MetadataRecord } from '../../domain/source/events.ts';

/** A clause of a query. */
export type Query = Readonly<Record<string, unknown>>;

const EVERYTHING: Query = { match_all: {} };

/**
 * A value of metadata as one term: its key, how it is compared, and its value, so that the order of terms, which is that
 * of their UTF-8 bytes, is the order of the values. Any key takes part without a field of its own.
 */
const termOf = (key: string, as: Comparison, value: string | number): string =>
  bounded(`${key}\0${as}\0${typeof value === 'number' ? sortable(value) : value}`);

/** A term has a size limit. What is longer is told apart by its hash, and found by how it begins. UTF-16 units. */
const LONGEST = 8_000;
const bounded = (term: string): string =>
  term.length <= LONGEST
    ? term
    : `${term.slice(0, LONGEST).toWellFormed()}${createHash('sha256').update(term).digest('hex')}`;

/** 16 hexadecimal digits in the order of the numbers. */
const sortable = (value: number): string => {
  const bits = new BigUint64Array(new Float64Array([value + 0]).buffer)[0]!;
  const isNegative = bits >> 63n === 1n;
  return BigInt.asUintN(64, isNegative ? ~bits : bits | (1n << 63n))
    .toString(16)
    .padStart(16, '0');
};

export const metadataTerms = (records: readonly MetadataRecord[]): readonly string[] => [
  ...new Set(
    records.flatMap((record) => {
      const key = storable(record.key);
      const { text, number, time } = storedValue(record);
      return [
        termOf(key, 'text', text),
        ...(number === null ? [] : [termOf(key, 'number', number)]),
        ...(time === null ? [] : [termOf(key, 'time', time)]),
      ];
    }),
  ),
];

/** The filter as a clause on a field of `metadataTerms`, equivalent to `matches` of the domain. */
export const metadataQuery = (field: string, filter: Filter): Query => {
  if (filter.parts.length === 0) return EVERYTHING;
  const parts = filter.parts.map((part) =>
    part.kind === 'group' ? metadataQuery(field, part) : conditionQuery(field, part),
  );
  return { bool: filter.logic === 'AND' ? { filter: parts } : { should: parts, minimum_should_match: 1 } };
};

const conditionQuery = (field: string, condition: Condition): Query => {
  const { key } = condition;
  const range = (lower: object, upper: object): Query => ({ range: { [field]: { ...lower, ...upper } } });
  const among = (as: Comparison, values: readonly (string | number)[]): Query => ({
    terms: { [field]: values.map((value) => termOf(key, as, value)) },
  });
  const at = ({ as, value }: Operand): string => termOf(key, as, value);
  switch (condition.kind) {
    case 'compare': {
      const { operator, operand } = condition;
      if (operator === 'eq') return among(operand.as, [operand.value]);
      if (operator === 'ne') return not(among(operand.as, [operand.value]));
      const bound = { [operator]: at(operand) };
      const all = `${key}\0${operand.as}`;
      return operator === 'gt' || operator === 'gte'
        ? range(bound, { lt: `${all}\x01` })
        : range({ gte: `${all}\0` }, bound);
    }
    case 'between':
      return range({ gte: at(condition.min) }, { lte: at(condition.max) });
    case 'among': {
      const found = among(condition.set.as, condition.set.values);
      return condition.negated ? not(found) : found;
    }
    case 'text':
      return condition.operator === 'starts_with'
        ? { prefix: { [field]: `${key}\0text\0${condition.value}` } }
        : {
            wildcard: {
              [field]: { value: `${escaped(`${key}\0text\0`)}*${escaped(searchable(condition.value))}*` },
            },
          };
    case 'exists': {
      const some: Query = { prefix: { [field]: `${key}\0` } };
      return condition.expected ? some : not(some);
    }
  }
};

/** Lucene refuses patterns that are some hundred characters longer. UTF-16 units. */
const LONGEST_PART = 200;
/** @throws DomainError filter_invalid */
const searchable = (part: string): string => {
  if (part.length <= LONGEST_PART) return part;
  throw new DomainError(
    'filter_invalid',
    `contains takes at most ${LONGEST_PART} characters on this search engine: ask for a shorter part`,
  );
};

const not = (query: Query): Query => ({ bool: { must_not: [query] } });
const escaped = (text: string): string => text.replaceAll(/[*?\\]/g, String.raw`\$&`);
