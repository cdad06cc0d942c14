import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Attributes, checkPolicyFilter, resolve } from '../../../domain/authz/policy-filter.ts';
import { type KeyTypes, MAX_KEY_LENGTH } from '../../../domain/filter/filter.ts';
import { matches } from '../../../domain/filter/matches.ts';
import type { MetadataRecord, MetadataValueType } from '../../../domain/source/events.ts';
import { refusalOf } from '../../support/decisions.ts';

const record = (key: string, val: string, type: MetadataValueType = 'string'): MetadataRecord => ({
  key,
  val,
  type,
});
const METADATA = [
  record('department', 'sales'),
  record('department', 'support'),
  record('level', '3', 'integer'),
];
const TYPES = new Map([['level', 'integer' as const]]);
const SUBJECT = { subject: 'it' };
const one = (key: string, operator: string, operand: object) => ({
  filters: [{ key, operator, ...operand }],
});
const allows = (policy: object, attributes: Attributes): boolean =>
  matches(resolve(checkPolicyFilter(policy, TYPES, 'p'), TYPES, attributes), METADATA);

describe('a condition that refers to an attribute', () => {
  it.each<readonly [string, string, unknown, boolean]>([
    ['department', 'eq', 'sales', true],
    ['department', 'eq', 'legal', false],
    ['department', 'eq', ['legal', 'support'], true],
    ['department', 'eq', [], false],
    ['department', 'ne', 'legal', true],
    ['department', 'ne', 'sales', false],
    ['department', 'ne', ['legal', 'sales'], false],
    ['department', 'ne', ['legal'], true],
    ['department', 'in', 'sales', true],
    ['department', 'in', ['legal', 'sales'], true],
    ['department', 'in', ['legal'], false],
    ['department', 'nin', 'legal', true],
    ['department', 'nin', ['sales'], false],
    ['department', 'nin', [], true],
    ['department', 'starts_with', 'sal', true],
    ['department', 'starts_with', ['sal'], false],
    ['department', 'contains', ['sal'], false],
    ['level', 'lte', 3, true],
    ['level', 'lte', '3', true],
    ['level', 'lte', 2, false],
    ['level', 'lte', [3], false],
    ['level', 'lte', 'high', false],
    ['level', 'ne', 'high', false],
    ['level', 'nin', ['7', 'high'], false],
    ['level', 'lte', true, false],
  ])('%s %s %j is %s', (key, operator, value, expected) => {
    expect(allows(one(key, operator, { val: SUBJECT }), { it: value as string })).toBe(expected);
  });

  it.each(['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'nin', 'contains', 'starts_with'])(
    'is false without the attribute, and for what objects inherit: %s',
    (operator) => {
      expect(allows(one('department', operator, { val: SUBJECT }), {})).toBe(false);
      expect(allows(one('absent', operator, { val: { subject: 'constructor' } }), {})).toBe(false);
    },
  );

  it('takes its bounds from attributes, each of which must be there', () => {
    const within = one('level', 'between', { min: 1, max: { subject: 'most' } });
    expect(allows(within, { most: 3 })).toBe(true);
    expect(allows(within, { most: 2 })).toBe(false);
    expect(allows(within, {})).toBe(false);
  });

  it('is one way in of several in an OR', () => {
    const [mine, open] = [one('department', 'eq', { val: SUBJECT }), one('level', 'lt', { val: 4 })];
    expect(allows({ logic: 'OR', groups: [mine, open] }, {})).toBe(true);
    expect(allows({ groups: [mine, open] }, {})).toBe(false);
    expect(allows({ groups: [mine, open] }, { it: 'sales' })).toBe(true);
    expect(allows({ groups: [{}] }, {})).toBe(true);
    // An empty group beside it is no way in.
    expect(allows({ logic: 'OR', groups: [mine, {}] }, {})).toBe(false);
  });

  it('is an empty set where it cannot be read, for every index to find nothing by', () => {
    const policy = one('department', 'ne', { val: SUBJECT });
    expect(resolve(policy, TYPES, {})).toEqual({
      kind: 'group',
      logic: 'AND',
      parts: [{ kind: 'among', key: 'department', negated: false, set: { as: 'text', values: [] } }],
    });
    // A list that is written into the policy is none of attributes.
    const unread = one('department', 'eq', { val: ['sales'] });
    expect(matches(resolve(unread, TYPES, {}), METADATA)).toBe(false);
  });

  it('hides no fault of the program behind a condition that is false', () => {
    const types: KeyTypes = Object.assign(new Map(), {
      get: () => {
        throw new TypeError('broken');
      },
    });
    const policy = one('level', 'eq', { val: SUBJECT });
    expect(() => resolve(policy, types, { it: 3 })).toThrow('broken');
  });

  it('never allows more when attributes are taken away', () => {
    const value = fc.oneof(fc.constantFrom('sales', 'legal', ''), fc.integer({ min: 1, max: 5 }));
    const condition = fc.record({
      key: fc.constantFrom('department', 'level', 'absent'),
      operator: fc.constantFrom('eq', 'ne', 'in', 'nin'),
      val: fc.constantFrom({ subject: 'a' }, { subject: 'b' }),
    });
    const group = fc.record({
      logic: fc.constantFrom('AND', 'OR'),
      filters: fc.array(condition, { minLength: 1, maxLength: 4 }),
    });
    const policy = fc.record({
      logic: fc.constantFrom('AND', 'OR'),
      groups: fc.array(group, { maxLength: 3 }),
    });
    fc.assert(
      fc.property(policy, value, value, (filter, a, b) => {
        expect(!allows(filter, { a }) || allows(filter, { a, b })).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it.each<readonly [object, string]>([
    [one('level', 'eq', { val: 'high' }), 'p.filters[0]'],
    [one('level', 'contains', { val: SUBJECT }), 'p.filters[0]'],
    [one('department', 'exists', { val: SUBJECT }), 'exists'],
    [one('department', 'eq', { val: { subject: '' } }), 'subject'],
    [one('department', 'eq', { val: { subject: 'a', other: 1 } }), 'val'],
    [one('department', 'eq', { val: { subject: 7 } }), 'val'],
    [one('department', 'eq', { val: null }), 'p.filters[0]'],
    [one('department', 'in', { val: [SUBJECT] }), 'val[0]'],
    [{ filter: [] }, 'filter'],
  ])('is refused where it can never be read: %j', (policy, place) => {
    expect(() => checkPolicyFilter(policy, TYPES, 'p')).toThrow(place);
  });

  it.each<readonly [MetadataValueType, string, string]>([
    ['string', 'sales', 'legal'],
    ['integer', '3', '4'],
    ['float', '3.5', '4.5'],
    ['date', '2024-05-06', '2024-05-07'],
    ['datetime', '2024-05-06T07:08:09Z', '2024-05-06T07:08:10Z'],
  ])('is accepted before anybody is known, for a key of type %s', (type, val, other) => {
    const types = new Map([['key', type]]);
    const policy = checkPolicyFilter(one('key', 'eq', { val: SUBJECT }), types, 'p');
    const finds = (known: string) =>
      matches(resolve(policy, types, { it: known }), [record('key', val, type)]);
    expect([finds(val), finds(other)]).toEqual([true, false]);
  });

  it('refers to an attribute by a name of 1 to 256 characters', () => {
    const checked = (name: string) => () =>
      checkPolicyFilter(one('department', 'eq', { val: { subject: name } }), TYPES, 'p');
    expect(refusalOf(checked('a'.repeat(MAX_KEY_LENGTH)))).toBeNull();
    expect(refusalOf(checked('a'.repeat(MAX_KEY_LENGTH + 1)))).toBe('filter_invalid');
    expect(refusalOf(checked(''))).toBe('filter_invalid');
    expect(refusalOf(() => checkPolicyFilter(one('department', 'exists', {}), TYPES, 'p'))).toBeNull();
    const exists = one('department', 'exists', { val: SUBJECT });
    expect(refusalOf(() => checkPolicyFilter(exists, TYPES, 'p'))).toBe('filter_invalid');
  });
});

describe('a policy without conditions', () => {
  it.each([[null], [{}], [{ filters: null, groups: null, logic: null }], [{ groups: [{}, {}] }]])(
    'allows everything: %j',
    (policy) => {
      expect(matches(resolve(policy, TYPES, {}), METADATA)).toBe(true);
    },
  );

  it.each([
    [null],
    [7],
    ['all'],
    [[]],
    [{ filters: 7 }],
    [{ filters: [7] }],
    [{ filters: [null] }],
    [{ filters: [[]] }],
    [{ groups: [null] }],
  ])('is not what %j is', (policy) => {
    expect(refusalOf(() => checkPolicyFilter(policy, TYPES, 'p'))).toBe('filter_invalid');
  });
});
