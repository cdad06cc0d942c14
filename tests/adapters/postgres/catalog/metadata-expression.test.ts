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
import type { MetadataRecord } from '../../../../domain/source/events.ts';
import { METADATA_TYPES, metadataFilters, metadataRecords } from '../../contracts/metadata-arbitraries.ts';
import { type CatalogFixture, createHistory, idOf, openCatalog } from '../catalog/catalog-fixture.ts';

let fixture: CatalogFixture;
beforeAll(async () => {
  fixture = await openCatalog();
});
afterAll(() => fixture.close());

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
    const samples = fc.sample(metadataRecords, { numRuns: DOCUMENTS, seed: 7 });
    await write('property', samples);
    const seen = { some: 0, none: 0, all: 0, kinds: new Set<string>() };
    await fc.assert(
      fc.asyncProperty(metadataFilters, async (raw) => {
        const filter = parseFilter(raw, METADATA_TYPES);
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
    const eq = parseFilter({ filters: [{ key: `${key}2`, operator: 'eq', val: 'x' }] }, METADATA_TYPES);
    expect(await select('long', eq)).toEqual([1]);
  });
});
