import { describe, expect, it } from 'vitest';
import { keysOf, parseFilter } from '../../../domain/filter/parse-filter.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { MetadataValueType } from '../../../domain/source/events.ts';

const types = new Map<string, MetadataValueType>([
  ['year', 'integer'],
  ['price', 'float'],
  ['day', 'date'],
  ['at', 'datetime'],
]);
const parse = (raw: unknown) => parseFilter(raw, types, 'metadata');
const condition = (fields: object) => parse({ filters: [fields] });
const nested = (depth: number): object =>
  depth === 0
    ? { filters: [{ key: 'a', operator: 'eq', val: 'x' }] }
    : { logic: 'OR', groups: [nested(depth - 1)] };

describe('parseFilter', () => {
  it('reads values as the declared type of their key', () => {
    const filter = parse({
      logic: 'OR',
      filters: [
        { key: 'year', operator: 'gte', val: '2020' },
        { key: 'price', operator: 'lt', val: 1.5 },
        { key: 'day', operator: 'between', min: '1970-01-01', max: '1970-01-02' },
        { key: 'undeclared', operator: 'eq', val: 2020 },
        { key: 'undeclared', operator: 'in', val: ['a', true] },
      ],
    });
    expect(filter).toEqual({
      kind: 'group',
      logic: 'OR',
      parts: [
        { kind: 'compare', key: 'year', operator: 'gte', operand: { as: 'number', value: 2020 } },
        { kind: 'compare', key: 'price', operator: 'lt', operand: { as: 'number', value: 1.5 } },
        {
          kind: 'between',
          key: 'day',
          min: { as: 'time', value: 0 },
          max: { as: 'time', value: 86_400_000 },
        },
        { kind: 'compare', key: 'undeclared', operator: 'eq', operand: { as: 'text', value: '2020' } },
        { kind: 'among', key: 'undeclared', negated: false, set: { as: 'text', values: ['a', 'true'] } },
      ],
    });
  });

  it('defaults to AND, takes null for absent, and leaves out groups that say nothing', () => {
    expect(parse({})).toEqual({ kind: 'group', logic: 'AND', parts: [] });
    expect(
      parse({ logic: null, filters: null, groups: [{ groups: [{}] }, { logic: 'OR', filters: [] }] }),
    ).toEqual({
      kind: 'group',
      logic: 'AND',
      parts: [],
    });
    expect(condition({ key: 'a', operator: 'exists', val: null, min: null, max: null }).parts).toEqual([
      { kind: 'exists', key: 'a', expected: true },
    ]);
  });

  it.each([
    ['no object', null, 'metadata: must be an object'],
    ['an array', [], 'metadata: must be an object'],
    ['a text', 'x', 'metadata: must be an object'],
    ['groups that are no array', { groups: {} }, 'metadata.groups: must be an array'],
    ['a condition that is null', { filters: [null] }, 'metadata.filters[0]: must be an object'],
    ['an unknown field', { filter: [] }, 'metadata: has no field "filter"'],
    ['another logic', { logic: 'XOR' }, 'metadata: logic must be AND or OR'],
    ['filters that are no array', { filters: {} }, 'metadata.filters: must be an array'],
    ['a condition that is no object', { filters: ['a'] }, 'metadata.filters[0]: must be an object'],
    [
      'a fault deep inside',
      { groups: [{ filters: [{}] }] },
      'metadata.groups[0].filters[0]: operator must be one of',
    ],
  ])('refuses %s', (_, raw, message) => expect(() => parse(raw)).toThrow(message));

  it.each([
    [{ key: 'a', operator: 'like', val: 'x' }, 'operator must be one of eq, ne'],
    [{ key: '', operator: 'eq', val: 'x' }, 'key must be a string that is not empty'],
    [{ key: 7, operator: 'eq', val: 'x' }, 'key must be a string'],
    [{ key: 'k'.repeat(201), operator: 'eq', val: 'x' }, 'key is longer than 200'],
    [{ key: 'a\0', operator: 'eq', val: 'x' }, 'key contains characters'],
    [{ key: 'a', operator: 'eq' }, 'val is missing'],
    [{ key: 'a', operator: 'eq', val: null }, 'val is missing'],
    [{ key: 'a', operator: 'eq', val: {} }, 'val must be a string, a number or a boolean'],
    [{ key: 'a', operator: 'eq', val: 'x', min: 1 }, 'eq takes val, not min or max'],
    [{ key: 'a', operator: 'eq', val: 'x', value: 1 }, 'has no field "value"'],
    [{ key: 'a', operator: 'eq', val: 'x\0' }, 'is not a valid string'],
    [{ key: 'year', operator: 'eq', val: 'two' }, 'val "two" is not a valid integer'],
    [{ key: 'year', operator: 'gt', val: 2020.5 }, 'is not a valid integer'],
    [{ key: 'day', operator: 'eq', val: '2024-02-30' }, 'is not a valid date'],
    [{ key: 'at', operator: 'eq', val: '2024-02-01T10:00' }, 'is not a valid datetime'],
    [{ key: 'price', operator: 'in', val: [1, 'x'] }, 'val[1] "x" is not a valid float'],
    [{ key: 'a', operator: 'in', val: 'x' }, 'val of in must be an array'],
    [{ key: 'a', operator: 'nin', val: Array(1001).fill('x') }, 'more than 1000 items'],
    [{ key: 'a', operator: 'between', min: 'x' }, 'max is missing'],
    [{ key: 'a', operator: 'between', max: 'x' }, 'min is missing'],
    [{ key: 'a', operator: 'contains' }, 'val is missing'],
    [{ key: 'a', operator: 'between', val: 'x', min: 'a', max: 'b' }, 'between takes min and max'],
    [
      { key: 'year', operator: 'contains', val: '2' },
      'contains compares text, and "year" is declared as integer',
    ],
    [{ key: 'a', operator: 'exists', val: 'yes' }, 'val of exists must be true or false'],
  ])('refuses the condition %j', (fields, message) => {
    expect(() => condition(fields)).toThrow(message);
    expect(() => condition(fields)).toThrow(DomainError);
    expect(() => condition(fields)).toThrow('metadata.filters[0]: ');
  });

  it('takes a key of 200 characters, and a thousand values', () => {
    const values = Array.from({ length: 1_000 }, () => 'x');
    expect(condition({ key: 'k'.repeat(200), operator: 'in', val: values }).parts).toHaveLength(1);
  });

  it('compares sets as the type of their key, and an empty one as text', () => {
    const setOf = (key: string, val: unknown) => condition({ key, operator: 'in', val }).parts[0];
    expect(setOf('year', [1, 2])).toMatchObject({ set: { as: 'number', values: [1, 2] } });
    expect(setOf('year', [])).toMatchObject({ set: { as: 'text', values: [] } });
    expect(parse({ logic: 'AND' }).logic).toBe('AND');
  });

  it('takes groups five deep below the root and no deeper', () => {
    expect(() => parse(nested(5))).not.toThrow();
    expect(() => parse(nested(6))).toThrow('nested more than 5 deep');
  });

  it('takes fifty conditions over all groups and no more', () => {
    const some = (n: number) => Array.from({ length: n }, () => ({ key: 'a', operator: 'eq', val: 'x' }));
    expect(parse({ filters: some(25), groups: [{ filters: some(25) }] }).parts).toHaveLength(26);
    expect(() => parse({ filters: some(25), groups: [{ filters: some(26) }] })).toThrow(
      '50 are allowed in all',
    );
  });
});

describe('keysOf', () => {
  it('names every key once, and survives whatever is no filter', () => {
    const filters = [{ key: 'a' }, { key: 'b' }, null, { key: 1 }];
    expect(keysOf({ filters, groups: [{ filters: [{ key: 'a' }, { key: 'c' }] }, 7] })).toEqual([
      'a',
      'b',
      'c',
    ]);
    for (const none of ['x', null, undefined]) expect(keysOf(none)).toEqual([]);
    expect(keysOf(nested(5))).toEqual(['a']);
    expect(keysOf(nested(6))).toEqual([]);
    expect(keysOf({ filters: 'x', groups: 'y' })).toEqual([]);
  });
});
