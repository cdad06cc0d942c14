import { DomainError } from '../shared/domain-error.ts';
import {
  type Condition,
  type Filter,
  type KeyTypes,
  type Logic,
  MAX_CONDITIONS,
  MAX_NESTING,
} from './filter.ts';
import { readCondition } from './parse-condition.ts';

/**
 * Parses the API's filter object `{logic, filters, groups}`. `logic` defaults to AND; groups without conditions are
 * dropped.
 *
 * @param name of the field, for messages
 * @throws DomainError filter_invalid with the path and the reason
 */
export const parseFilter = (raw: unknown, types: KeyTypes, name = 'filter'): Filter => {
  const budget = { left: MAX_CONDITIONS };
  return readGroup(raw, { types, budget, at: name, depth: 0 });
};

/** The keys in an unparsed filter object, so that their types can be looked up. */
export const keysOf = (raw: unknown, depth = 0): readonly string[] => {
  if (typeof raw !== 'object' || raw === null || depth > MAX_NESTING) return [];
  const { filters, groups } = raw as { filters?: unknown; groups?: unknown };
  const own = listed(filters).map((condition) => (condition as { key?: unknown } | null)?.key);
  const nested = listed(groups).flatMap((group) => keysOf(group, depth + 1));
  return [...new Set([...own.filter((key) => typeof key === 'string'), ...nested])];
};

const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

interface ParseContext {
  readonly types: KeyTypes;
  readonly budget: { left: number };
  readonly at: string;
  readonly depth: number;
}

const readGroup = (raw: unknown, context: ParseContext): Filter => {
  const { at, depth } = context;
  if (depth > MAX_NESTING) refuse(at, `groups are nested more than ${MAX_NESTING} deep`);
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) refuse(at, 'must be an object');
  const { logic, filters, groups, ...others } = raw as Record<string, unknown>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) refuse(at, `has no field "${unknown}"; it takes logic, filters and groups`);
  const conditions = list(filters, `${at}.filters`).map((item, i) =>
    countedCondition(item, context, `${at}.filters[${i}]`),
  );
  const nested = list(groups, `${at}.groups`).map((item, i) =>
    readGroup(item, { ...context, at: `${at}.groups[${i}]`, depth: depth + 1 }),
  );
  return {
    kind: 'group',
    logic: readLogic(logic, at),
    parts: [...conditions, ...nested.filter(({ parts }) => parts.length > 0)],
  };
};

const countedCondition = (raw: unknown, { types, budget }: ParseContext, at: string): Condition => {
  budget.left -= 1;
  if (budget.left < 0) refuse(at, `is one condition too many: ${MAX_CONDITIONS} are allowed in all`);
  return readCondition(raw, types, (reason) => refuse(at, reason));
};

const readLogic = (logic: unknown, at: string): Logic => {
  if (logic === undefined || logic === null) return 'AND';
  if (logic === 'AND' || logic === 'OR') return logic;
  return refuse(at, 'logic must be AND or OR');
};

const list = (value: unknown, at: string): readonly unknown[] => {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : refuse(at, 'must be an array');
};

const refuse = (at: string, reason: string): never => {
  throw new DomainError('filter_invalid', `${at}: ${reason}`);
};
