import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contradictions } from '../catalog/catalog-dump.ts';
import { type CatalogFixture, createHistory, openCatalog, scope } from '../catalog/catalog-fixture.ts';

let fixture: CatalogFixture;
beforeAll(async () => {
  fixture = await openCatalog();
});
afterAll(() => fixture.close());

const merge = () => fixture.merge(fixture.schema);
const mergeAll = async (): Promise<void> => {
  while ((await merge()) > 0);
};
const rank = (tenant: string, query: string) =>
  fixture.searchIndex.rank(scope(tenant), { query, filter: {}, limit: 100 });

describe('mergeSegments', () => {
  it('keeps the words for correcting spelling, less those of the dead', async () => {
    const of = createHistory(fixture.files).of('spelt', 'ds spelt');
    const names = Array.from({ length: 10 }, (_, i) => `spelt ${i}`);
    for (const name of names) await fixture.apply(of.indexed(name, { title: 't', chunks: ['replications'] }));
    await fixture.apply(of.indexed('secret', { title: 't', chunks: ['confidential'] }));
    await mergeAll();
    expect((await rank('spelt', 'relpications')).correctedQuery).toBe('replications');
    expect((await rank('spelt', 'confidentail')).correctedQuery).toBe('confidential');
    await fixture.apply(of.removed('secret'), ...names.slice(0, 8).map((name) => of.removed(name)));
    await mergeAll();
    expect((await rank('spelt', 'relpications')).correctedQuery).toBe('replications');
    const { rows } = await sql<{ words: string }>`
      select words from read.lexical_vocabulary v join read.lexical_tenant t on t.no = v.tenant_no
      where t.tenant = 'spelt'`.execute(fixture.db);
    expect(rows).toEqual([{ words: 'replications replic' }]);
  });

  it('gives up the words of a single content a day after it is gone', async () => {
    const of = createHistory(fixture.files).of('erased', 'ds erased');
    const others = Array.from({ length: 10 }, (_, i) => of.indexed(`kept ${i}`, { chunks: ['falcons'] }));
    await fixture.apply(...others, of.indexed('erased', { chunks: ['confidential'] }));
    await fixture.apply(of.removed('erased'));
    const vocabulariesAfter = async (age: string): Promise<readonly unknown[]> => {
      await sql`update read.lexical_dead set since = now() - ${age}::interval`.execute(fixture.db);
      await mergeAll();
      const { rows } = await sql`
        select from read.lexical_vocabulary v join read.lexical_tenant t on t.no = v.tenant_no
        where t.tenant = 'erased' and v.words like '%confidential%'`.execute(fixture.db);
      return rows;
    };
    expect(await vocabulariesAfter('23 hours')).toHaveLength(1);
    expect(await vocabulariesAfter('25 hours')).toHaveLength(0);
    expect((await rank('erased', 'falcons')).ranked).toHaveLength(10);
    expect(await contradictions(fixture.db, fixture.schema)).toEqual([]);
  });

  it('writes a few rows down for each content that dies, whatever the words that it had', async () => {
    const of = createHistory(fixture.files).of('rows', 'ds rows');
    const rows = async (): Promise<number> => {
      const { rows: counted } = await sql`select from read.lexical_dead_term d join read.lexical_tenant t
        on t.no = d.tenant_no where t.tenant = 'rows'`.execute(fixture.db);
      return counted.length;
    };
    const words = (n: number) => Array.from({ length: 400 }, (_, i) => `word${n}x${i}`).join(' ');
    for (let i = 0; i < 20; i++)
      await fixture.apply(of.indexed(`${i}`, { chunks: [words(i), words(i + 100)] }));
    for (let i = 0; i < 4; i++) await fixture.apply(of.indexed(`${i}`, { chunks: [words(i + 200)] }));
    expect(await rows()).toBeLessThan(4 * 2 * 4);
    await mergeAll();
    expect(await contradictions(fixture.db, fixture.schema)).toEqual([]);
  });

  it('keeps postings in the order of their contents when a segment before others was made after them', async () => {
    const of = createHistory(fixture.files).of('order', 'ds order');
    const batch = (name: string) =>
      fixture.apply(
        ...Array.from({ length: 5 }, (_, i) => of.indexed(`${name} ${i}`, { chunks: ['sentinel'] })),
      );
    await batch('first');
    await batch('second');
    await fixture.apply(...[0, 1, 2].map((i) => of.removed(`first ${i}`)));
    await mergeAll();
    for (let i = 0; i < 6; i++) await batch(`later ${i}`);
    await mergeAll();
    expect((await rank('order', 'sentinel')).ranked).toHaveLength(37);
    expect(await contradictions(fixture.db, fixture.schema)).toEqual([]);
  });

  it('keeps what dies while a merge is under way dead', async () => {
    const of = createHistory(fixture.files).of('race', 'ds race');
    for (let i = 0; i < 8; i++)
      await fixture.apply(of.indexed(`race ${i}`, { chunks: [`durable text${i}`] }));
    // Segments, merges, removals and searches all at once, on connections of their own.
    const removals = [0, 1, 2].map((i) => fixture.apply(of.removed(`race ${i}`)));
    const searches = [0, 1, 2, 3].map(() => rank('race', 'durable'));
    const merges = [merge(), merge()];
    await Promise.all([...removals, ...merges]);
    for (const { ranked } of await Promise.all(searches)) {
      expect(ranked.length).toBeGreaterThanOrEqual(5);
      expect(ranked.length).toBeLessThanOrEqual(8);
    }
    await mergeAll();
    expect((await rank('race', 'durable')).ranked).toHaveLength(5);
    expect(await contradictions(fixture.db, fixture.schema)).toEqual([]);
  });
});
