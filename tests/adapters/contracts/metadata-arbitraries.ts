import fc from 'fast-check';
import type { MetadataRecord, MetadataValueType } from '../../../domain/source/events.ts';

/** How values of the keys are compared; those of others as texts. */
export const METADATA_TYPES: ReadonlyMap<string, MetadataValueType> = new Map<string, MetadataValueType>([
  ['n', 'integer'],
  ['f', 'float'],
  ['d', 'date'],
  ['t', 'datetime'],
]);

/** Few values, so that conditions meet them; odd ones among them. */
const VALUES: { readonly [key: string]: readonly string[] } = {
  n: ['0', '-1', '7', '007', '9007199254740991'],
  f: ['0', '-0', '0.1', '1e3', '-2.5', '7'],
  d: ['1970-01-01', '2024-02-29', '0001-01-01', '9999-12-31'],
  t: ['1970-01-01T00:00:00Z', '2024-02-29T12:00:00.5+09:00', '2024-02-29', '1969-12-31T23:59:59.999Z'],
  s: [
    '',
    'a',
    'A',
    'ab',
    'é',
    '100%',
    '_',
    "'",
    '\\',
    '"',
    '￿',
    '\u{1F600}',
    'x'.repeat(150),
    `${'x'.repeat(150)}y`,
  ],
};
const KEYS = Object.keys(VALUES);
const valueOf = (key: string) => fc.constantFrom(...(VALUES[key] as readonly string[]));
const typeOf = (key: string): MetadataValueType => METADATA_TYPES.get(key) ?? 'string';

const record = fc.constantFrom(...KEYS).chain((key) =>
  fc.record({
    key: fc.constant(key),
    // Now and then a text where another type is declared.
    val: fc.oneof({ weight: 9, arbitrary: valueOf(key) }, { weight: 1, arbitrary: valueOf('s') }),
    type: fc.constant(typeOf(key)),
  }),
);
export const metadataRecords: fc.Arbitrary<readonly MetadataRecord[]> = fc.array(record, { maxLength: 6 });

const condition = fc.constantFrom(...KEYS, 'absent').chain((key) => {
  const val = valueOf(key === 'absent' ? 's' : key);
  const of = (operator: string, rest: fc.Arbitrary<object>) =>
    rest.map((fields) => ({ key, operator, ...fields }));
  const order = fc.constantFrom('eq', 'ne', 'gt', 'gte', 'lt', 'lte');
  const text = fc.constantFrom('contains', 'starts_with');
  return fc.oneof(
    { weight: 6, arbitrary: fc.tuple(order, val).map(([operator, v]) => ({ key, operator, val: v })) },
    { weight: 2, arbitrary: of('between', fc.record({ min: val, max: val })) },
    { weight: 1, arbitrary: of('in', fc.record({ val: fc.array(val, { maxLength: 3 }) })) },
    { weight: 1, arbitrary: of('nin', fc.record({ val: fc.array(val, { maxLength: 3 }) })) },
    { weight: 1, arbitrary: of('exists', fc.record({ val: fc.boolean() })) },
    ...(typeOf(key) === 'string'
      ? [{ weight: 3, arbitrary: fc.tuple(text, val).map(([operator, v]) => ({ key, operator, val: v })) }]
      : []),
  );
});
/** Groups nested up to that many deep below this one. */
const group = (depth: number): fc.Arbitrary<object> =>
  fc.record(
    {
      logic: fc.constantFrom('AND', 'OR'),
      filters: fc.array(condition, { maxLength: 3 }),
      groups: depth === 0 ? fc.constant([]) : fc.array(group(depth - 1), { maxLength: 2 }),
    },
    { requiredKeys: ['filters'] },
  );

/** Filters as callers write them, nested up to three deep. */
export const metadataFilters = group(3);
