import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProjectedEvent } from '../../../../application/event-sourcing/aggregates.ts';
import { contradictions, dumpCatalog, emptyCatalog } from './catalog-dump.ts';
import { type CatalogFixture, createHistory, openCatalog } from './catalog-fixture.ts';

let fixture: CatalogFixture;
beforeAll(async () => {
  fixture = await openCatalog();
  await sql`create schema other`.execute(fixture.db);
  await fixture.projection.create(fixture.db, 'other');
});
afterAll(() => fixture.close());

/** Pages that share chunks, repeat them, move them, and change what they are indexed under. */
const PAGES = [
  { title: 'One', chunks: ['red apples', 'green pears', 'blue plums'] },
  { title: 'One', chunks: ['blue plums', 'red apples'], pages: true },
  { title: 'Two', chunks: ['red apples', 'red apples', 'yellow bananas'] },
  {
    title: 'One',
    chunks: [['Fruit'], 'red apples'] as const,
    fileType: 'md',
    url: 'https://other.example/x',
  },
  { title: 'Empty', chunks: [] },
  { title: 'Words nobody keeps', chunks: ['the of and'] },
].map(({ chunks, ...page }) => ({ ...page, chunks: isPair(chunks) ? [chunks] : chunks }));

function isPair(chunks: readonly unknown[]): chunks is readonly [readonly string[], string] {
  return Array.isArray(chunks[0]);
}

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('indexed' as const),
      source: fc.nat({ max: 4 }),
      page: fc.nat({ max: PAGES.length - 1 }),
      missing: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('skipped', 'failed', 'removed', 'noMetadata'),
      source: fc.nat({ max: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('metadata' as const),
      source: fc.nat({ max: 4 }),
      values: fc.array(fc.constantFrom('a', 'b', '7'), { maxLength: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('deletionRequested', 'deleted'),
      source: fc.nat({ max: 4 }),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Sources 0 to 2 belong to one data source, 3 to another of the same tenant, 4 to a third of another tenant. */
const historyOf = (steps: readonly Step[]): readonly ProjectedEvent[] => {
  const history = createHistory(fixture.files);
  const visited = new Set<number>();
  const missing: string[] = [];
  const events = steps.flatMap((of, at): readonly ProjectedEvent[] => {
    const group = of.source < 3 ? 'a' : of.source === 3 ? 'b' : 'c';
    const write = history.of(group === 'c' ? 't2' : 't1', group);
    const name = `page ${of.source}`;
    if (of.kind === 'deletionRequested' || of.kind === 'deleted') return [write[of.kind]()];
    if (of.kind === 'indexed') {
      visited.add(of.source);
      const event = write.indexed(name, { ...(PAGES[of.page] as (typeof PAGES)[number]), at: 1000 + at });
      if (of.missing && at % 3 === 0 && event.event.type === 'SourceIndexed')
        missing.push(event.event.chunkSet.sha256);
      return [event];
    }
    if (of.kind === 'skipped' || of.kind === 'failed') visited.add(of.source);
    if (!visited.has(of.source)) return [];
    if (of.kind === 'metadata')
      return [
        write.metadata(
          name,
          of.values.map((val, i) => [`k${i}`, val, 'integer'] as const),
        ),
      ];
    // Of a source that is removed, no metadata can be replaced: the domain refuses.
    if (of.kind === 'removed') visited.delete(of.source);
    return [write[of.kind](name, 1000 + at)];
  });
  for (const sha256 of missing) fixture.files.delete(sha256);
  return events;
};

const applyTo = (schema: string, events: readonly ProjectedEvent[]): Promise<void> =>
  fixture.db.transaction().execute((trx) => fixture.projection.apply(trx, schema, events));

const RUNS = 25;

describe('a history of sources and data sources', () => {
  it('leads to the same catalog however it is cut into batches, also when every batch is applied twice', async () => {
    const reached = { contents: 0, hidden: 0, missing: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 25 }),
        fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 5 }),
        async (steps, sizes) => {
          const events = historyOf(steps);
          await emptyCatalog(fixture.db, fixture.schema);
          await emptyCatalog(fixture.db, 'other');
          await applyTo(fixture.schema, events);
          for (let i = 0, n = 0; i < events.length; n++) {
            const batch = events.slice(i, i + (sizes[n % sizes.length] ?? 1));
            await applyTo('other', batch);
            await applyTo('other', batch);
            await fixture.merge('other');
            i += batch.length;
          }
          const whole = await dumpCatalog(fixture.db, fixture.schema);
          expect(await dumpCatalog(fixture.db, 'other')).toEqual(whole);
          expect(await contradictions(fixture.db, fixture.schema)).toEqual([]);
          expect(await contradictions(fixture.db, 'other')).toEqual([]);
          await applyTo(fixture.schema, events);
          expect(await dumpCatalog(fixture.db, fixture.schema)).toEqual(whole);
          reached.contents += whole.contents.length;
          reached.hidden += whole.hidden.length;
          reached.missing += JSON.stringify(whole.sources).split('"contentMissing":true').length - 1;
        },
      ),
      { numRuns: RUNS },
    );
    expect(reached.contents).toBeGreaterThan(RUNS);
    expect(reached.hidden).toBeGreaterThan(RUNS / 10);
    expect(reached.missing).toBeGreaterThan(0);
  });
});
