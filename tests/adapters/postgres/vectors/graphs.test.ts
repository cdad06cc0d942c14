import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { VectorIndex } from '../../../../application/ports/search-engine.ts';
import { createHashedEmbedder, hashedVector } from '../../../support/embedding/hashed-embedder.ts';
import { emptyCatalog } from '../catalog/catalog-dump.ts';
import { type CatalogFixture, createHistory, scope } from '../catalog/catalog-fixture.ts';
import { openVectors } from './embedding-fixture.ts';
import { graphScans, graphsFrom, graphSizes, openGraphCatalog } from './graph-fixture.ts';

const EXACT_UP_TO = 50;
const graphs = graphsFrom(EXACT_UP_TO);
const WORDS = 'apple pear plum turbine valve steam river stone letter window garden engine'.split(' ');

/** Texts of four words, each another combination of them. */
const textsFrom = (first: number, n: number): readonly string[] =>
  Array.from({ length: n }, (_, i) => {
    const at = (first + i) * 7919;
    return [at, at / 12, at / 144, at / 1728].map((of) => WORDS[Math.floor(of) % 12]).join(' ');
  });

let fixture: CatalogFixture;
let history: ReturnType<typeof createHistory>;
beforeAll(async () => {
  fixture = await openGraphCatalog();
});
beforeEach(async () => {
  await sql`create extension if not exists vector`.execute(fixture.db);
  await emptyCatalog(fixture.db, fixture.schema);
  await sql`truncate vectors.content, vectors.embedding, vectors.model cascade`.execute(fixture.db);
  history = createHistory(fixture.files);
});
afterAll(() => fixture?.close());

/** Writes contents in pages of fifty; every second page is a PDF. */
const write = async (tenant: string, group: string, texts: readonly string[]): Promise<void> => {
  for (let at = 0; at < texts.length; at += 50)
    await fixture.apply(
      history.of(tenant, group).indexed(`${group} ${texts[at]} ${at}`, {
        title: 'x',
        chunks: texts.slice(at, at + 50),
        fileType: at % 100 === 0 ? 'html' : 'pdf',
      }),
    );
};
const vectors = () => openVectors(fixture, { graphs });
const exact = () => openVectors(fixture).index;

const ask = (index: VectorIndex, query: string, more: object = {}, tenant = 't') =>
  index.rank(scope(tenant), { model: 'hashed', vector: hashedVector(query), filter: {}, limit: 10, ...more });

/** The share of what an exact search finds that this one finds; whatever it finds must have the right score. */
const recall = async (index: VectorIndex, more: object = {}): Promise<number> => {
  let [found, wanted] = [0, 0];
  for (const query of WORDS.flatMap((word, i) => [word, `${word} ${WORDS[(i + 5) % 12]}`])) {
    const [by, of] = [await ask(index, query, more), await ask(exact(), query, more)];
    expect(by.totalCandidates).toBe(of.totalCandidates);
    expect(by.ranked).toHaveLength(of.ranked.length);
    const scores = new Map(of.ranked.map(({ contentId, score }) => [contentId, score]));
    for (const { contentId, score } of by.ranked)
      if (scores.has(contentId)) expect(score).toBeCloseTo(scores.get(contentId)!, 6);
    found += by.ranked.filter(({ contentId }) => scores.has(contentId)).length;
    wanted += of.ranked.length;
  }
  return found / wanted;
};

describe('graphs of vectors', () => {
  it('find nearly all that an exact search finds, through filters too, and count what it counts', async () => {
    const { index, embedAll } = vectors();
    await write('t', 'a', textsFrom(0, 500));
    await write('other', 'o', textsFrom(0, 100));
    await embedAll(createHashedEmbedder());
    const before = await graphScans(fixture.db);
    expect(await recall(index)).toBeGreaterThan(0.97);
    expect(await recall(index, { limit: 200 })).toBeGreaterThan(0.97);
    expect(await recall(index, { filter: { fileTypes: ['pdf'] } })).toBeGreaterThan(0.95);
    expect(await recall(index, { filter: { fileTypes: ['pdf'] }, usePostfilter: true })).toBeGreaterThan(
      0.95,
    );
    expect((await graphScans(fixture.db)) - before).toBeGreaterThanOrEqual(5 * 24);
    expect(await recall(index, { filter: { fileTypes: ['none'] } })).toBeNaN();
  });

  it('grow piece by piece, and at each step a search finds the same', async () => {
    await write('t', 'a', textsFrom(0, 350));
    await openVectors(fixture).embedAll(createHashedEmbedder());
    const { store, index } = vectors();
    const [word] = WORDS;
    const wanted = await ask(exact(), word!, { limit: 5 });
    const sizes: unknown[] = [];
    for (let more = true; more; sizes.push(await graphSizes(fixture.db))) {
      more = await store.maintain();
      expect(await ask(index, word!, { limit: 5 })).toEqual(wanted);
    }
    expect(sizes.length).toBeGreaterThan(3);
    expect(sizes.at(-1)).toEqual({ vectors: await embedded(), graphs: 1, indexes: 1 });
  });

  it('are told of what came after them, and of what has no vector yet', async () => {
    const { store, index, embedAll } = vectors();
    await write('t', 'a', textsFrom(0, 100));
    await embedAll(createHashedEmbedder());
    await openVectors(fixture).embedAll(createHashedEmbedder());
    await write('t', 'b', ['zebra crossing']);
    expect((await ask(index, 'zebra crossing')).totalCandidates).toBe(100);
    await openVectors(fixture).embedAll(createHashedEmbedder());
    const late = await ask(index, 'zebra crossing');
    expect(late).toMatchObject({ totalCandidates: 101, ranked: { 0: { score: 1 } } });
    expect(late).toEqual(await ask(exact(), 'zebra crossing'));
    expect(await store.maintain()).toBe(true);
    expect(await ask(index, 'zebra crossing')).toEqual(late);
  });

  it('hold nothing of what is forgotten, swept or retired', async () => {
    const { store, embedAll } = vectors();
    await write('t', 'a', textsFrom(0, 100));
    await write('t', 'b', textsFrom(500, 60));
    await embedAll(createHashedEmbedder());
    const all = await embedded();
    await store.forget('t', history.of('t', 'b').deleted().streamId);
    expect(await embedded()).toBeLessThan(all);
    expect(await graphSizes(fixture.db)).toMatchObject({ vectors: await embedded() });
    await vectors().embedAll(createHashedEmbedder('new'));
    expect(await graphSizes(fixture.db)).toEqual({ vectors: await embedded(), graphs: 1, indexes: 2 });
    await vectors().store.maintain();
    expect(await graphSizes(fixture.db)).toMatchObject({ graphs: 1, indexes: 1 });
  });

  it('are not grown for a model that another one is to replace', async () => {
    await write('t', 'a', textsFrom(0, 200));
    await openVectors(fixture).embedAll(createHashedEmbedder());
    const { store } = vectors();
    expect(await store.maintain()).toBe(true);
    const before = await graphSizes(fixture.db);
    expect(before).toMatchObject({ graphs: 1 });
    await store.want('new');
    expect(await store.maintain()).toBe(false);
    await sql`delete from vectors.graph`.execute(fixture.db);
    expect(await vectors().store.maintain()).toBe(false);
    expect(await graphSizes(fixture.db)).toMatchObject({ graphs: 0 });
  });

  it('begin anew when a model answers vectors of another length', async () => {
    await write('t', 'a', textsFrom(0, 100));
    await vectors().embedAll(createHashedEmbedder());
    await vectors().store.keep('hashed', 't', [{ sha256: 'ab', vector: Float32Array.of(1, 2, 3) }], []);
    await vectors().embedAll(createHashedEmbedder('hashed', 3));
    await vectors().store.maintain();
    const { index } = vectors();
    expect(await graphSizes(fixture.db)).toEqual({ vectors: await embedded(), graphs: 1, indexes: 1 });
    const question = { model: 'hashed', vector: hashedVector('apple', 3), filter: {}, limit: 9 };
    const before = await graphScans(fixture.db);
    expect((await index.rank(scope('t'), question)).totalCandidates).toBe(100);
    expect(await graphScans(fixture.db)).toBe(before + 1);
  });

  it('are done without while the extension is gone, and made anew when it is back', async () => {
    const { index, embedAll } = vectors();
    await write('t', 'a', textsFrom(0, 100));
    await embedAll(createHashedEmbedder());
    const found = await ask(index, 'apple', { limit: 3 });
    // The mean of what was ranked is added up in another order.
    const same = { ...found, floor: expect.closeTo(found.floor, 6) };
    await sql`drop extension vector cascade`.execute(fixture.db);
    expect(await ask(index, 'apple', { limit: 3 })).toEqual(same);
    const told: string[] = [];
    const without = openVectors(fixture, {
      graphs: { ...graphs, onError: (error) => told.push(error.message) },
    });
    expect(await without.store.maintain()).toBe(false);
    expect(told).toEqual([expect.stringContaining('halfvec')]);
    await sql`create extension vector`.execute(fixture.db);
    while (await vectors().store.maintain());
    expect(await graphSizes(fixture.db)).toEqual({ vectors: await embedded(), graphs: 1, indexes: 1 });
    expect(await ask(vectors().index, 'apple', { limit: 3 })).toEqual(found);
  });

  it('fail no search: one that cannot use them looks at all, and says so', async () => {
    await write('t', 'a', textsFrom(0, 60));
    await vectors().embedAll(createHashedEmbedder());
    const told: string[] = [];
    const onError = (error: Error) => told.push(error.message);
    const { index } = openVectors(fixture, { graphs: { ...graphs, schema: 'moved', onError } });
    expect(await ask(index, 'apple')).toEqual(await ask(exact(), 'apple'));
    expect(told).toEqual([expect.stringContaining('moved')]);
  });

  it('are not made of vectors that an index cannot hold', async () => {
    await write('t', 'a', textsFrom(0, 60));
    await vectors().embedAll(createHashedEmbedder('hashed', 4_001));
    expect(await graphSizes(fixture.db)).toMatchObject({ vectors: 0, graphs: 0 });
  });
});

const embedded = async (): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from vectors.embedding`.execute(fixture.db);
  return rows[0]?.n ?? 0;
};
