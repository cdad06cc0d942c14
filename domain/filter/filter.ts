import type { MetadataValueType } from '../source/events.ts';
import type { Comparison, Operand } from './value.ts';

/**
 * A filter on the metadata of one record, in which a key may have no value, one, or several.
 *
 * Every condition is true or false, never unknown. `eq`, the comparisons, `between`, `in`, `contains` and
 * `starts_with` are true if SOME value of the key satisfies them; for an absent key they are false. `ne` and `nin` are
 * the exact negations of `eq` and `in`: NO value of the key equals the operand, or one of the operands; for an absent
 * key they are true. `exists` is true for any value, even an empty one. A value of another type (a stored text where
 * numbers are compared) satisfies only `exists`, `ne` and `nin`.
 */
export interface Filter {
  readonly kind: 'group';
  readonly logic: Logic;
  /** Empty only at the root: then everything matches. */
  readonly parts: readonly (Filter | Condition)[];
}
export type Logic = 'AND' | 'OR';

export type Condition =
  | { readonly kind: 'compare'; readonly key: string; readonly operator: Order; readonly operand: Operand }
  /** Both bounds are inclusive. If min is above max, nothing matches. */
  | { readonly kind: 'between'; readonly key: string; readonly min: Operand; readonly max: Operand }
  /** `in` with no values is false, `nin` with no values is true. */
  | { readonly kind: 'among'; readonly key: string; readonly negated: boolean; readonly set: OperandSet }
  /** Compares code points; case-sensitive. */
  | { readonly kind: 'text'; readonly key: string; readonly operator: TextOperator; readonly value: string }
  | { readonly kind: 'exists'; readonly key: string; readonly expected: boolean };

export type Order = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte';
export type TextOperator = 'contains' | 'starts_with';

/** Operands that are compared in the same way. */
export interface OperandSet {
  readonly as: Comparison;
  readonly values: readonly (string | number)[];
}

/** Declared types by key; a key without a type is compared as a string. */
export type KeyTypes = ReadonlyMap<string, MetadataValueType>;

export const ORDERS: readonly Order[] = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte'];
export const OPERATORS = [...ORDERS, 'between', 'in', 'nin', 'contains', 'starts_with', 'exists'] as const;
export type Operator = (typeof OPERATORS)[number];

/** Maximum depth of groups below the root. */
export const MAX_NESTING = 5;
/** Maximum conditions in all groups. */
export const MAX_CONDITIONS = 50;
/** Maximum values of one `in` or `nin`. */
export const MAX_SET = 1_000;
/** Maximum length of a key in UTF-16 units. */
export const MAX_KEY_LENGTH = 200;

export const EVERYTHING: Filter = { kind: 'group', logic: 'AND', parts: [] };
