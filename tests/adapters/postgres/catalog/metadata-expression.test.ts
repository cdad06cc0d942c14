import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type MetadataTable,
  metadataExpression,
} from '../../../../adapters/postgres/catalog/metadata-filter.ts';
import { EVERYTHING, type Filter } from '../../../../domain/filter/filter.ts';
import { matches } from '../../../../domain/filter/matches.ts';
import { parseFilter } from '../../../../domain/filter/parse-filter.ts';
import type { MetadataRecord, MetadataValueType } from '../../../../domain/source/events.ts';
import { type CatalogFixture, createHistory, idOf, openCatalog } from '../catalog/catalog-fixture.ts';

let fixture: CatalogFixture;
beforeAll(async () => {
  fixture = await openCatalog();
});
afterAll(() => fixture.close());

const TYPES = new Map<string, MetadataValueType>([
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
const typeOf = (key: string): MetadataValueType => TYPES.get(key) ?? 'string';

const record = fc.constantFrom(...KEYS).chain((key) =>
  fc.record({
    key: fc.constant(key),
    // Now and then a text where another type is declared.
    val: fc.oneof({ weight: 9, arbitrary: valueOf(key) }, { weight: 1, arbitrary: valueOf('s') }),
    type: fc.constant(typeOf(key)),
  }),
);
const records: fc.Arbitrary<readonly MetadataRecord[]> = fc.array(record, { maxLength: 6 });

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

const DOCUMENTS = 30;
const write = async (tenant: string, all: readonly (readonly MetadataRecord[])[]): Promise<void> => {
  const of = createHistory(fixture.files).of(tenant, `ds ${tenant}`);
  const events = all.flatMap((metadata, i) => [
    of.skipped(`${tenant} ${i}`),
    of.metadata(
      `${tenant} ${i}`,
      metadata.map(({ key, val, type }) => [key, val, type] as const),
    ),
  ]);
  await fixture.apply(...events);
};

/** Names of the sources that the statement selects. */
const select = async (tenant: string, filter: Filter): Promise<readonly number[]> => {
  const of: MetadataTable = {
    table: sql`read.source_metadata`,
    owned: sql<boolean>`m.source_no = s.no`,
    tenant,
  };
  const { rows } = await sql<{ id: string }>`
    select s.id from read.source s where s.tenant = ${tenant} and ${metadataExpression(filter, of)}`.execute(
    fixture.db,
  );
  const ids = new Set(rows.map(({ id }) => id));
  return Array.from({ length: DOCUMENTS }, (_, i) => i).filter((i) => ids.has(idOf(`${tenant} ${i}`)));
};

describe('metadataExpression', () => {
  it('selects exactly what the evaluator of the domain matches', async () => {
    const samples = fc.sample(records, { numRuns: DOCUMENTS, seed: 7 });
    await write('property', samples);
    const seen = { some: 0, none: 0, all: 0, kinds: new Set<string>() };
    await fc.assert(
      fc.asyncProperty(group(3), async (raw) => {
        const filter = parseFilter(raw, TYPES);
        const expected = samples.flatMap((of, i) => (matches(filter, of) ? [i] : []));
        expect(await select('property', filter)).toEqual(expected);
        seen[expected.length === 0 ? 'none' : expected.length === DOCUMENTS ? 'all' : 'some'] += 1;
        for (const part of filter.parts) seen.kinds.add(part.kind);
      }),
      { numRuns: 400 },
    );
    expect(seen.some).toBeGreaterThan(150);
    expect([...seen.kinds].toSorted()).toEqual(['among', 'between', 'compare', 'exists', 'group', 'text']);
  });

  it('lets everything through when it asks nothing', async () => {
    await write('everything', [[], [{ key: 'a', val: '', type: 'string' }]]);
    expect(await select('everything', EVERYTHING)).toEqual([0, 1]);
  });

  it('tells keys apart that agree in all that is indexed', async () => {
    const key = 'k'.repeat(150);
    await write('long', [
      [{ key: `${key}1`, val: 'x', type: 'string' }],
      [{ key: `${key}2`, val: 'x', type: 'string' }],
    ]);
    const eq = parseFilter({ filters: [{ key: `${key}2`, operator: 'eq', val: 'x' }] }, TYPES);
    expect(await select('long', eq)).toEqual([1]);
  });
});
