import { type Condition, EVERYTHING, type Filter, type KeyTypes, MAX_KEY_LENGTH } from '../filter/filter.ts';
import { readCondition } from '../filter/parse-condition.ts';
import { parseFilter } from '../filter/parse-filter.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { MetadataValueType } from '../source/events.ts';

/** A principal's attribute, which a policy's filter can refer to. */
export type AttributeValue = string | number | boolean | readonly string[];
export type Attributes = { readonly [key: string]: AttributeValue };

/** Returns an own attribute; ignores inherited properties. */
const attributeOf = (attributes: Attributes, key: string): AttributeValue | undefined =>
  Object.hasOwn(attributes, key) ? attributes[key] : undefined;

/** The API's filter object, in which `val`, `min` and `max` may be `{"subject": "<attribute>"}`. */
export interface PolicyFilter {
  readonly logic?: 'AND' | 'OR' | null;
  readonly filters?: readonly PolicyCondition[] | null;
  readonly groups?: readonly PolicyFilter[] | null;
}
export interface PolicyCondition {
  readonly key: string;
  readonly operator: string;
  readonly val?: unknown;
  readonly min?: unknown;
  readonly max?: unknown;
}

/**
 * Resolves the filter for one principal. A condition is FALSE, also with `ne` and `nin`, when an attribute that it
 * refers to is missing or cannot be read as the type of the key. Conditions cannot be negated, so this never allows
 * more.
 *
 * A list is the set of its items: `eq` and `in` match if some value of the key is in the set, `ne` and `nin` if none
 * is. A single value with `in` and `nin` is a set of one. With any other operator, a condition with a list is FALSE.
 */
export const resolve = (policy: PolicyFilter | null, types: KeyTypes, attributes: Attributes): Filter => {
  if (policy === null) return EVERYTHING;
  const { filters, groups } = policy;
  const conditions = (filters ?? []).map((condition) => resolveCondition(condition, types, attributes));
  const nested = (groups ?? []).map((group) => resolve(group, types, attributes));
  const parts = [...conditions, ...nested.filter((group) => group.parts.length > 0)];
  return { kind: 'group', logic: policy.logic ?? 'AND', parts };
};

/** @throws DomainError filter_invalid with the path and the reason */
export const checkPolicyFilter = (raw: unknown, types: KeyTypes, name: string): PolicyFilter => {
  parseFilter(withSamples(raw, types), types, name);
  return raw as PolicyFilter;
};

const resolveCondition = (raw: PolicyCondition, types: KeyTypes, attributes: Attributes): Condition => {
  const never: Condition = {
    kind: 'among',
    key: raw.key,
    negated: false,
    set: { as: 'text', values: [] },
  };
  try {
    return readCondition(
      substituted(raw, (key) => attributeOf(attributes, key)),
      types,
      () => {
        throw new Unreadable();
      },
    );
  } catch (error) {
    if (error instanceof Unreadable) return never;
    throw error;
  }
};

/** Thrown when an operand has no usable value, so that its condition is false. */
class Unreadable extends Error {}

const substituted = (raw: PolicyCondition, look: (key: string) => AttributeValue | undefined): object => {
  const valueOf = (operand: unknown): unknown => {
    const key = subjectKey(operand);
    if (key === null) return operand;
    const value = look(key);
    if (value === undefined) throw new Unreadable();
    return value;
  };
  const { operator, val, min, max, ...rest } = raw;
  const value = valueOf(val);
  const bounds = { min: valueOf(min), max: valueOf(max) };
  if (subjectKey(val) === null) return { ...rest, ...bounds, operator, val };
  const set = Array.isArray(value) ? value : [value];
  if (operator === 'in' || operator === 'nin') return { ...rest, ...bounds, operator, val: set };
  if (!Array.isArray(value)) return { ...rest, ...bounds, operator, val: value };
  const asSet = operator === 'eq' ? 'in' : operator === 'ne' ? 'nin' : null;
  if (asSet === null) throw new Unreadable();
  return { ...rest, ...bounds, operator: asSet, val: set };
};

/** The attribute that an operand refers to; null when the operand is a value. */
const subjectKey = (operand: unknown): string | null => {
  if (typeof operand !== 'object' || operand === null || Array.isArray(operand)) return null;
  const { subject, ...others } = operand as { subject?: unknown };
  return typeof subject === 'string' && Object.keys(others).length === 0 ? subject : null;
};

/** Replaces references by a sample value of the key's type, so that the result can be checked like any filter. */
const withSamples = (raw: unknown, types: KeyTypes): unknown => {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return raw;
  const { filters, groups } = raw as { filters?: unknown; groups?: unknown };
  return {
    ...raw,
    ...(Array.isArray(filters) && { filters: filters.map((item) => withSample(item, types)) }),
    ...(Array.isArray(groups) && { groups: groups.map((item) => withSamples(item, types)) }),
  };
};

const withSample = (raw: unknown, types: KeyTypes): unknown => {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return raw;
  const condition = raw as PolicyCondition;
  const { operator } = condition;
  if ([condition.val, condition.min, condition.max].every((operand) => subjectKey(operand) === null))
    return raw;
  if (operator === 'exists') throw invalid('exists does not compare values, so it takes no subject');
  return substituted(condition, (key) => {
    if (key === '' || key.length > MAX_KEY_LENGTH) {
      throw invalid(`a subject is the name of an attribute, of 1 to ${MAX_KEY_LENGTH} characters`);
    }
    return SAMPLES[types.get(condition.key) ?? 'string'];
  });
};

const SAMPLES: { readonly [type in MetadataValueType]: string } = {
  string: 'a',
  integer: '1',
  float: '1',
  date: '2000-01-01',
  datetime: '2000-01-01',
};

const invalid = (reason: string): DomainError => new DomainError('filter_invalid', reason);
