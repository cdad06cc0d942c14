import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contradictions, dumpCatalog } from '../catalog/catalog-dump.ts';
import { storedPostings } from '../catalog/stored-postings.ts';
import { type CatalogFixture, createHistory, openCatalog, scope } from '../catalog/catalog-fixture.ts';

let fixture: CatalogFixture;
beforeAll(async () => {
  fixture = await openCatalog();
});
afterAll(() => fixture.close());

const segments = async (): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from ${sql.id(fixture.schema, 'lexical_segment')}`.execute(fixture.db);
  return rows[0]?.n ?? 0;
};
const merge = () => fixture.merge(fixture.schema);
const mergeAll = async (): Promise<void> => {
  while ((await merge()) > 0);
};
const dead = async (): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from ${sql.id(fixture.schema, 'lexical_dead')}`.execute(fixture.db);
  return rows[0]?.n ?? 0;
};
const rank = (tenant: string, query: string) =>
  fixture.searchIndex.rank(scope(tenant), { query, filter: {}, limit: 100 });

describe('mergeSegments', () => {
  it('leaves the ranking as it was, over fewer segments, tenant by tenant', async () => {
    const history = createHistory(fixture.files);
    for (let i = 0; i < 20; i++) {
      const page = { title: `Page ${i}`, chunks: [`common word${i % 4}`, `common other${i}`] };
      await fixture.apply(
        history.of('m1', 'ds m1').indexed(`m1 ${i}`, page),
        history.of('m2', 'ds m2').indexed(`m2 ${i}`, page),
      );
    }
    const before = [await rank('m1', 'common word2'), await rank('m2', 'common word2')];
    const dump = await dumpCatalog(fixture.db, fixture.schema);
    expect(await segments()).toBe(40);
    await mergeAll();
    expect(await segments()).toBeLessThan(12);
    expect([await rank('m1', 'common word2'), await rank('m2', 'common word2')]).toEqual(before);
    expect(await dumpCatalog(fixture.db, fixture.schema)).toEqual(dump);
    expect(await contradictions(fixture.db, fixture.schema)).toEqual([]);
    expect(await merge()).toBe(0);
  });

  it('takes out what is dead, and corrects the frequency of words with it', async () => {
    const of = createHistory(fixture.files).of('decay', 'ds decay');
    const names = Array.from({ length: 10 }, (_, i) => `decay ${i}`);
    await fixture.apply(...names.map((name) => of.indexed(name, { title: 't', chunks: [`rare ${name}`] })));
    await fixture.apply(...names.slice(0, 9).map((name) => of.removed(name)));
    expect(await dead()).toBe(9);
    expect((await rank('decay', 'rare')).ranked).toHaveLength(1);
    await mergeAll();
    expect(await dead()).toBe(0);
    const { rows } = await sql<{ df: number }>`
      select df from ${await storedPostings(fixture.db, fixture.schema)} p join read.lexical_tenant t on t.no = p.tenant_no
      where t.tenant = 'decay' and p.term = 'rare'`.execute(fixture.db);
    expect(rows).toEqual([{ df: 1 }]);
    expect(await contradictions(fixture.db, fixture.schema)).toEqual([]);
  });

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

  it('removes a segment of which nothing lives', async () => {
    const of = createHistory(fixture.files).of('gone', 'ds gone');
    const before = await segments();
    await fixture.apply(of.indexed('gone 1', { chunks: ['passing text'] }));
    await fixture.apply(of.removed('gone 1'));
    await mergeAll();
    expect(await segments()).toBe(before);
    expect((await rank('gone', 'passing')).ranked).toEqual([]);
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

  it('runs once at a time, and neither waits for nor hides what is projected meanwhile', async () => {
    const of = createHistory(fixture.files).of('busy', 'ds busy');
    for (let i = 0; i < 8; i++) await fixture.apply(of.indexed(`busy ${i}`, { chunks: [`steady text${i}`] }));
    await fixture.db.transaction().execute(async (held) => {
      // Holds what a running merge holds; then a second merge, a batch and a search come.
      await sql`select pg_advisory_xact_lock(hashtext(${`merge ${fixture.schema}`}))`.execute(held);
      expect(await merge()).toBe(0);
      await fixture.apply(of.removed('busy 0'), of.indexed('busy 8', { chunks: ['steady newcomer'] }));
      expect((await rank('busy', 'steady')).ranked).toHaveLength(8);
    });
    expect(await merge()).toBeGreaterThan(0);
    expect((await rank('busy', 'steady')).ranked).toHaveLength(8);
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
