import type { MetadataValueType } from '../source/events.ts';
import type { Comparison, Operand } from './value.ts';

/**
 * A filter over the metadata of one record, where a key may have no value, one, or several.
 *
 * Every condition is true or false, never unknown. `eq`, the comparisons, `between`, `in`, `contains` and
 * `starts_with` ask for SOME value of the key that satisfies them: an absent key satisfies none. `ne` and `nin` are
 * the exact opposites of `eq` and `in`: NO value of the key is the one, or among those, given; an absent key
 * satisfies them. `exists` asks for any value, an empty one included. A value that is not of the compared kind (a
 * stored text where numbers are compared) satisfies nothing but `exists`, `ne` and `nin`.
 */
export interface Filter {
  readonly kind: 'group';
  readonly logic: Logic;
  /** Empty only at the root: everything matches. */
  readonly parts: readonly (Filter | Condition)[];
}
export type Logic = 'AND' | 'OR';

export type Condition =
  | { readonly kind: 'compare'; readonly key: string; readonly operator: Order; readonly operand: Operand }
  /** Both bounds belong to it. Lower above upper: nothing matches. */
  | { readonly kind: 'between'; readonly key: string; readonly min: Operand; readonly max: Operand }
  /** `in` of nothing is false, `nin` of nothing is true. */
  | { readonly kind: 'among'; readonly key: string; readonly negated: boolean; readonly set: OperandSet }
  /** By code points: case counts. */
  | { readonly kind: 'text'; readonly key: string; readonly operator: TextOperator; readonly value: string }
  | { readonly kind: 'exists'; readonly key: string; readonly expected: boolean };

export type Order = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte';
export type TextOperator = 'contains' | 'starts_with';

/** Operands that all compare alike. */
export interface OperandSet {
  readonly as: Comparison;
  readonly values: readonly (string | number)[];
}

/** Declared types by key; a key that is absent compares as a string. */
export type KeyTypes = ReadonlyMap<string, MetadataValueType>;

export const ORDERS: readonly Order[] = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte'];
export const OPERATORS = [...ORDERS, 'between', 'in', 'nin', 'contains', 'starts_with', 'exists'] as const;
export type Operator = (typeof OPERATORS)[number];

/** How deep groups may lie below the root. */
export const MAX_NESTING = 5;
/** Over all groups. */
export const MAX_CONDITIONS = 50;
/** Values of one `in` or `nin`. */
export const MAX_SET = 1_000;
/** UTF-16 units. */
export const MAX_KEY_LENGTH = 200;

export const EVERYTHING: Filter = { kind: 'group', logic: 'AND', parts: [] };
