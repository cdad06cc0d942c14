import type { MetadataValueType } from '../source/events.ts';
import {
  type Condition,
  type KeyTypes,
  type Operator,
  type OperandSet,
  type Order,
  MAX_KEY_LENGTH,
  MAX_SET,
  OPERATORS,
  ORDERS,
} from './filter.ts';

import { isStorable, type Operand, readOperand } from './value.ts';

/** Stops parsing with a reason. */
export type Refuse = (reason: string) => never;

interface Fields {
  readonly key: string;
  readonly type: MetadataValueType;
  readonly val: unknown;
  readonly min: unknown;
  readonly max: unknown;
  readonly refuse: Refuse;
}

/** Parses `{key, operator, val, min, max}`; a field that the operator does not use must be absent or null. */
export const readCondition = (raw: unknown, types: KeyTypes, refuse: Refuse): Condition => {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return refuse('must be an object');
  const { key: rawKey, operator, val, min, max, ...others } = raw as Record<string, unknown>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) refuse(`has no field "${unknown}"; it takes key, operator, val, min and max`);
  if (!isOperator(operator)) return refuse(`operator must be one of ${OPERATORS.join(', ')}`);
  const key = readKey(rawKey, refuse);
  const bounded = operator === 'between';
  if (bounded && given(val)) refuse('between takes min and max, not val');
  if (!bounded && (given(min) || given(max))) refuse(`${operator} takes val, not min or max`);
  return conditionOf(operator, { key, type: types.get(key) ?? 'string', val, min, max, refuse });
};

const given = (value: unknown): boolean => value !== undefined && value !== null;

const isOperator = (value: unknown): value is Operator => OPERATORS.some((operator) => operator === value);

const isOrder = (operator: Operator): operator is Order => ORDERS.some((order) => order === operator);

const readKey = (key: unknown, refuse: Refuse): string => {
  if (typeof key !== 'string' || key === '') return refuse('key must be a string that is not empty');
  if (key.length > MAX_KEY_LENGTH) refuse(`key is longer than ${MAX_KEY_LENGTH} characters`);
  if (!isStorable(key)) refuse('key contains characters that metadata cannot contain');
  return key;
};

const conditionOf = (operator: Operator, fields: Fields): Condition => {
  const { key, type, val, min, max, refuse } = fields;
  if (isOrder(operator)) return { kind: 'compare', key, operator, operand: operandOf(val, 'val', fields) };
  switch (operator) {
    case 'between':
      return {
        kind: 'between',
        key,
        min: operandOf(min, 'min', fields),
        max: operandOf(max, 'max', fields),
      };
    case 'in':
    case 'nin':
      return { kind: 'among', key, negated: operator === 'nin', set: setOf(operator, fields) };
    case 'contains':
    case 'starts_with': {
      if (type !== 'string') return refuse(`${operator} compares text, and "${key}" is declared as ${type}`);
      return { kind: 'text', key, operator, value: String(operandOf(val, 'val', fields).value) };
    }
    case 'exists': {
      if (given(val) && typeof val !== 'boolean') return refuse('val of exists must be true or false');
      return { kind: 'exists', key, expected: val !== false };
    }
  }
};

const operandOf = (value: unknown, field: string, { key, type, refuse }: Fields): Operand => {
  if (!given(value)) return refuse(`${field} is missing`);
  const text = scalarText(value);
  if (text === null) return refuse(`${field} must be a string, a number or a boolean`);
  return (
    readOperand(text, type) ??
    refuse(`${field} ${quote(text)} is not a valid ${type}, which is the type of "${key}"`)
  );
};

const setOf = (operator: Operator, fields: Fields): OperandSet => {
  const { val, refuse } = fields;
  if (!Array.isArray(val)) return refuse(`val of ${operator} must be an array`);
  if (val.length > MAX_SET) refuse(`val of ${operator} has more than ${MAX_SET} items`);
  const operands = val.map((item, i) => operandOf(item, `val[${i}]`, fields));
  return { as: operands[0]?.as ?? 'text', values: operands.map(({ value }) => value) };
};

const scalarText = (value: unknown): string | null => {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
};

const quote = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
