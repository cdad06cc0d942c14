import { describe, expect, it } from 'vitest';
import { EVERYTHING } from '../../../domain/filter/filter.ts';
import { matches } from '../../../domain/filter/matches.ts';
import { parseFilter } from '../../../domain/filter/parse-filter.ts';
import type { MetadataRecord, MetadataValueType } from '../../../domain/source/events.ts';

const types = new Map<string, MetadataValueType>([
  ['year', 'integer'],
  ['day', 'date'],
]);
const record = (key: string, val: string, type: MetadataValueType = 'string'): MetadataRecord => ({
  key,
  val,
  type,
});
const records = [
  record('tag', 'red'),
  record('tag', 'Blue'),
  record('empty', ''),
  record('year', '2021', 'integer'),
  record('day', '2024-05-01', 'date'),
  record('broken', 'many', 'integer'),
];
const match = (raw: object, of = records) => matches(parseFilter(raw, types), of);
const one = (key: string, operator: string, rest: object, of = records) =>
  match({ filters: [{ key, operator, ...rest }] }, of);

describe('a condition', () => {
  it.each([
    ['tag', 'eq', { val: 'red' }, true],
    ['tag', 'eq', { val: 'Red' }, false],
    ['tag', 'ne', { val: 'red' }, false],
    ['tag', 'ne', { val: 'green' }, true],
    ['none', 'eq', { val: 'red' }, false],
    ['none', 'ne', { val: 'red' }, true],
    ['none', 'nin', { val: ['red'] }, true],
    ['none', 'gt', { val: '' }, false],
    ['tag', 'in', { val: ['green', 'Blue'] }, true],
    ['tag', 'in', { val: [] }, false],
    ['tag', 'nin', { val: [] }, true],
    ['tag', 'nin', { val: ['green', 'Blue'] }, false],
    ['tag', 'contains', { val: 'lu' }, true],
    ['tag', 'contains', { val: '' }, true],
    ['none', 'contains', { val: '' }, false],
    ['tag', 'starts_with', { val: 'lue' }, false],
    ['tag', 'starts_with', { val: 'Bl' }, true],
    ['tag', 'between', { min: 'a', max: 's' }, true],
    ['tag', 'between', { min: 's', max: 'a' }, false],
    ['empty', 'exists', {}, true],
    ['none', 'exists', {}, false],
    ['none', 'exists', { val: false }, true],
    ['year', 'eq', { val: '02021' }, true],
    ['year', 'gt', { val: 2021 }, false],
    ['year', 'gte', { val: 2021 }, true],
    ['year', 'lt', { val: 2022 }, true],
    ['year', 'lt', { val: 2021 }, false],
    ['year', 'lt', { val: 2020 }, false],
    ['year', 'lte', { val: 2020 }, false],
    ['year', 'lte', { val: 2021 }, true],
    ['year', 'between', { min: 2021, max: 2021 }, true],
    ['day', 'lt', { val: '2024-10-01' }, true],
    ['day', 'eq', { val: '2024-05-01' }, true],
  ])('%s %s %j is %s', (key, operator, rest, expected) => expect(one(key, operator, rest)).toBe(expected));

  it('holds when some value of a key does, and ne when none does', () => {
    expect(one('tag', 'gt', { val: 'm' })).toBe(true);
    expect(one('tag', 'lt', { val: 'm' })).toBe(true);
    expect(one('tag', 'ne', { val: 'Blue' })).toBe(false);
  });

  it('does not let a value of another kind satisfy a comparison, only exists and the negations', () => {
    const of = [record('year', 'unknown')];
    for (const operator of ['eq', 'lt', 'lte', 'gt', 'gte'])
      expect([operator, one('year', operator, { val: 3000 }, of)]).toEqual([operator, false]);
    expect(one('day', 'lt', { val: '2024-10-01' }, [record('day', 'soon', 'date')])).toBe(false);
    expect(one('year', 'ne', { val: 3000 }, of)).toBe(true);
    expect(one('year', 'exists', {}, of)).toBe(true);
    expect(one('broken', 'eq', { val: 'many' })).toBe(true);
  });
});

describe('a group', () => {
  const yes = { key: 'tag', operator: 'eq', val: 'red' };
  const no = { key: 'tag', operator: 'eq', val: 'green' };

  it('joins its conditions and groups by its logic', () => {
    expect(match({ filters: [yes, no] })).toBe(false);
    expect(match({ logic: 'OR', filters: [yes, no] })).toBe(true);
    expect(match({ filters: [yes], groups: [{ logic: 'OR', filters: [no, yes] }] })).toBe(true);
    expect(match({ logic: 'OR', filters: [no], groups: [{ filters: [no, yes] }] })).toBe(false);
  });

  it('of everything matches what has no metadata too', () => {
    expect(EVERYTHING).toEqual(parseFilter({}, types));
    expect(matches(EVERYTHING, [])).toBe(true);
  });

  it('matches everything when it is empty, and asks nothing of its neighbours', () => {
    expect(match({ logic: 'OR' })).toBe(true);
    expect(match({ logic: 'OR', filters: [no], groups: [{}] })).toBe(false);
  });
});
