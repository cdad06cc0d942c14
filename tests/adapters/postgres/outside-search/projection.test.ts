import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReadEngineScope } from '../../../../adapters/postgres/outside-search/engine-scope.ts';
import { createSearchProjection } from '../../../../adapters/postgres/outside-search/projection.ts';
import { createVersion, dropRetired } from '../../../../adapters/postgres/projections/versions.ts';
import type { ProjectedEvent } from '../../../../application/event-sourcing/aggregates.ts';
import type { ChunkSet } from '../../../../domain/chunking/chunk-set.ts';
import { createMemoryIndexes } from '../../../support/memory/search-indexes.ts';
import { type CatalogFixture, createHistory, idOf, openCatalog } from '../catalog/catalog-fixture.ts';

const words = fc.constantFrom('apple', 'pear', 'plum');
const step = fc.record({
  name: fc.constantFrom('a', 'b', 'c'),
  group: fc.constantFrom('one', 'two'),
  kind: fc.constantFrom(
    'indexed',
    'indexed',
    'indexed',
    'removed',
    'metadata',
    'failed',
    'requested',
    'deleted',
  ),
  title: words,
  chunks: fc.uniqueArray(words, { minLength: 1 }),
});

describe('the view of another search engine', () => {
  let fixture: CatalogFixture;
  beforeAll(async () => {
    fixture = await openCatalog();
  });
  afterAll(() => fixture.close());

  const open = (reached = true) => {
    const indexes = createMemoryIndexes();
    const projection = createSearchProjection({
      indexes: indexes.port,
      gate: { reached: async () => reached },
    });
    const apply = (index: string, events: readonly ProjectedEvent[]) =>
      fixture.db.transaction().execute((trx) => projection.apply(trx, index, events));
    const create = (index: string) => projection.create(fixture.db, index);
    return { ...indexes, projection, create, apply };
  };

  const inCatalog = async (tenant: string) => {
    const { rows } = await sql<{ id: string }>`
      select c.id, s.title, c.timestamp, c.page_number, x.heading_path, x.text, '[]'::jsonb as metadata
      from read.content c join read.source s on s.no = c.source_no
        join read.content_text x on x.content_no = c.no
      where c.tenant = ${tenant}
        and not exists (select from read.hidden_data_source h where h.data_source_id = c.data_source_id)`.execute(
      fixture.db,
    );
    return new Map(rows.map(({ id, ...of }) => [id, of]));
  };

  it('has what the catalog has, however far behind it was, and whatever was applied twice', async () => {
    let tenants = 0;
    let found = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 1, max: 8 }),
        async (steps, catalogBatch, batch) => {
          tenants += 1;
          const tenant = `searched ${tenants}`;
          const history = createHistory(fixture.files);
          const events = steps.map(({ name, group, kind, title, chunks }, i) => {
            const of = history.of(tenant, `${tenant} ${group}`);
            const source = `${tenant} ${group} ${name}`;
            if (kind === 'removed') return of.removed(source, i);
            if (kind === 'failed') return of.failed(source, i);
            if (kind === 'metadata') return of.metadata(source, [['level', '1', 'integer']]);
            if (kind === 'requested') return of.deletionRequested();
            if (kind === 'deleted') return of.deleted();
            return of.indexed(source, { title, chunks, at: i });
          });
          const { create, apply, contents, writes } = open();
          await create('search_v1');
          let behind = 0;
          for (let i = 0; i < events.length; i += catalogBatch) {
            await fixture.apply(...events.slice(i, i + catalogBatch));
            for (; behind + batch <= i + catalogBatch && behind < events.length; behind += batch)
              await apply('search_v1', events.slice(behind, behind + batch));
          }
          await apply('search_v1', events.slice(Math.max(0, behind - batch)));
          const expected = await inCatalog(tenant);
          expect(contents('search_v1')).toEqual(expected);
          found += expected.size;
          await create('search_v2');
          const before = writes();
          await apply('search_v2', events);
          expect(contents('search_v2')).toEqual(expected);
          expect(writes() - before).toBeLessThanOrEqual(6);
        },
      ),
      { numRuns: 40 },
    );
    expect(found).toBeGreaterThan(20);
  });

  it('has what chunks declare of themselves beside their pages and headings', async () => {
    const { create, apply, contents } = open();
    await create('search_v1');
    const history = createHistory(fixture.files).of('rows', 'rows');
    const event = history.indexed('table', { chunks: [[['Heading'], 'apple']], pages: true });
    const [[hash, set]] = [...fixture.files].slice(-1) as [[string, ChunkSet]];
    const declared = [{ key: 'heading', val: 'own', type: 'string' } as const];
    fixture.files.set(hash, {
      ...set,
      chunks: set.chunks.map((chunk) => ({ ...chunk, metadata: declared })),
    });
    await fixture.apply(event);
    await apply('search_v1', [event]);
    expect([...contents('search_v1').values()]).toMatchObject([
      { pageNumber: 1, headingPath: ['Heading'], metadata: declared },
    ]);
  });

  it('waits for the catalog, writes nothing before, and says so', async () => {
    const { create, apply, contents } = open(false);
    await create('search_v1');
    const event = createHistory(fixture.files)
      .of('late', 'late')
      .indexed('late', { chunks: ['apple'] });
    await fixture.apply(event);
    await expect(apply('search_v1', [event])).rejects.toThrow(/catalog has not read as far/);
    expect(contents('search_v1').size).toBe(0);
  });

  it('goes back to the position of its index where that was restored, and begins anew where it was lost', async () => {
    const { port, projection } = open();
    expect(await projection.resumeFrom?.('search_v1', '7')).toBe('');
    await port.keepPosition('search_v1', '3');
    expect(await projection.resumeFrom?.('search_v1', '7')).toBe('3');
    await port.keepPosition('search_v1', '8');
    expect(await projection.resumeFrom?.('search_v1', '7')).toBe('7');
  });

  it('writes nothing to an index that was lost meanwhile: it would look whole', async () => {
    const { port, create, apply, names } = open();
    await create('search_v1');
    await port.drop('search_v1');
    const event = createHistory(fixture.files)
      .of('lost', 'lost')
      .indexed('lost', { chunks: ['apple'] });
    await fixture.apply(event);
    await expect(apply('search_v1', [event])).rejects.toThrow(/lost/);
    expect(names()).toEqual([]);
  });

  it('has an index for each version, of which searches read the live one, and drops the others', async () => {
    const { projection, names } = open();
    const scopeOf = createReadEngineScope(fixture.db);
    expect((await scopeOf('t')).index).toBeNull();
    await createVersion(fixture.db, projection, true);
    const next = await createVersion(fixture.db, projection, false);
    expect(names()).toEqual(['search_v1', 'search_v2']);
    expect((await scopeOf('t')).index).toBe('search_v1');
    await dropRetired(fixture.db, projection, 1);
    expect(names()).toEqual(['search_v1']);
    expect(next.version).toBe(2);
  });

  it('tells a search which data sources are hidden, and which groups have the tags', async () => {
    const history = createHistory(fixture.files).of('hiding', 'hidden');
    await fixture.apply(history.indexed('hidden', { chunks: ['apple'] }), history.deletionRequested());
    const scope = await createReadEngineScope(fixture.db)('hiding');
    expect(scope.hiddenDataSources).toEqual([idOf('hidden')]);
    expect(scope.hiddenSources).toEqual([]);
    expect(scope.tagged).toBeUndefined();
  });
});
