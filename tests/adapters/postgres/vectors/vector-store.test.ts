import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTombstones } from '../../../../adapters/postgres/read-your-writes/overlays.ts';
import { contentsWithoutVector } from '../../../../adapters/postgres/vectors/vector-store.ts';
import { EmbeddingRefused } from '../../../../application/ports/embedder.ts';
import { createHashedEmbedder } from '../../../support/embedding/hashed-embedder.ts';
import { emptyCatalog } from '../catalog/catalog-dump.ts';
import {
  type CatalogFixture,
  createHistory,
  idOf,
  openCatalog,
  scope,
  sha256,
} from '../catalog/catalog-fixture.ts';
import { counting, openVectors } from './embedding-fixture.ts';

let fixture: CatalogFixture;
let vectors: ReturnType<typeof openVectors>;
beforeAll(async () => {
  fixture = await openCatalog();
  vectors = openVectors(fixture);
});
beforeEach(async () => {
  await emptyCatalog(fixture.db, fixture.schema);
  await sql`truncate vectors.content, vectors.embedding, vectors.model cascade`.execute(fixture.db);
});
afterAll(() => fixture.close());

const share = async (tenant = 't1') =>
  (await vectors.index.coverage(tenant)).map((of) => `${of.model} ${of.share.toFixed(2)}`);

describe('embedding pending work', () => {
  it('is counted for all tenants, of the current model', async () => {
    const history = createHistory(fixture.files);
    await fixture.apply(history.of('t1', 'a').indexed('p', { chunks: ['one', 'two'] }));
    expect(await contentsWithoutVector(fixture.db)).toBeNull();
    await vectors.store.want('first');
    expect(await contentsWithoutVector(fixture.db)).toBe(2);
    await vectors.embedAll(createHashedEmbedder('first'));
    expect(await contentsWithoutVector(fixture.db)).toBe(0);
    await fixture.apply(history.of('t2', 'b').indexed('q', { chunks: ['three'] }));
    expect(await contentsWithoutVector(fixture.db)).toBe(1);
    await vectors.store.want('second');
    expect(await contentsWithoutVector(fixture.db)).toBe(3);
  });

  it('embeds title, headings and text of every content, equal ones of a tenant once', async () => {
    const { texts, embedder } = counting(createHashedEmbedder());
    const history = createHistory(fixture.files);
    const page = { title: 'Fruit', chunks: ['red apples', [['Pears', 'Green'], 'green pears']] as const };
    await fixture.apply(
      history.of('t1', 'a').indexed('p', page),
      history.of('t1', 'b').indexed('q', page),
      history.of('t2', 'c').indexed('r', page),
    );
    await vectors.embedAll(embedder);
    expect(texts.toSorted()).toEqual(
      [
        ...Array.from({ length: 2 }, () => 'Fruit\nred apples'),
        ...Array.from({ length: 2 }, () => 'Fruit\nPears\nGreen\ngreen pears'),
      ].toSorted(),
    );
    expect(await vectors.stored()).toEqual({ 't1 hashed': 2, 't2 hashed': 2 });
    expect(await share()).toEqual(['hashed 1.00']);
  });

  it('embeds nothing again that it has embedded: not after a sync, a rebuild, or a text that came back', async () => {
    const { texts, embedder } = counting(createHashedEmbedder());
    const history = createHistory(fixture.files);
    const write = history.of('t1', 'a');
    const events = [
      write.indexed('p', { chunks: ['one', 'two'] }),
      write.indexed('p', { chunks: ['two', 'three'] }),
    ];
    await fixture.apply(events[0]!);
    await vectors.embedAll(embedder);
    await fixture.apply(events[1]!);
    await vectors.embedAll(embedder);
    expect(texts.toSorted()).toEqual(['p\none', 'p\nthree', 'p\ntwo']);
    await emptyCatalog(fixture.db, fixture.schema);
    await fixture.apply(...events, write.indexed('p', { chunks: ['one', 'three'] }));
    await vectors.embedAll(embedder);
    expect(texts).toHaveLength(3);
    expect(await share()).toEqual(['hashed 1.00']);
  });

  it('embeds all of it again for another model, which takes the place of the one before', async () => {
    const history = createHistory(fixture.files);
    await fixture.apply(history.of('t1', 'a').indexed('p', { chunks: ['one', 'two'] }));
    await vectors.embedAll(createHashedEmbedder('old'));
    await vectors.embedAll(createHashedEmbedder('new', 32));
    expect(await vectors.stored()).toEqual({ 't1 new': 2 });
    expect(await share()).toEqual(['new 1.00']);
  });

  it('keeps the vectors of the model before until the other one has embedded everything', async () => {
    const history = createHistory(fixture.files);
    await fixture.apply(history.of('t1', 'a').indexed('p', { chunks: ['one', 'two'] }));
    await vectors.embedAll(createHashedEmbedder('old'));
    const fails = async () => Promise.reject(new Error('down'));
    await vectors.embedAll({ ...createHashedEmbedder('new'), embed: fails });
    expect(await vectors.stored()).toEqual({ 't1 old': 2 });
    expect(await share()).toEqual(['old 1.00']);
  });

  it('passes over a text that the model refuses, and does not ask for it again', async () => {
    const hashed = createHashedEmbedder();
    const { texts, embedder } = counting({
      ...hashed,
      embed: async (asked, kind, signal) => {
        if (asked.some((text) => text.includes('endless'))) throw new EmbeddingRefused('too long');
        return hashed.embed(asked, kind, signal);
      },
    });
    const history = createHistory(fixture.files);
    await fixture.apply(history.of('t1', 'a').indexed('p', { chunks: ['one', 'endless', 'two', 'three'] }));
    await vectors.embedAll(embedder);
    const asked = texts.length;
    await vectors.embedAll(embedder);
    expect(texts).toHaveLength(asked);
    expect(await share()).toEqual(['hashed 1.00']);
    const [vector] = await hashed.embed(['one'], 'query', new AbortController().signal);
    const { totalCandidates } = await vectors.index.rank(scope(), {
      model: 'hashed',
      vector: vector!,
      filter: {},
      limit: 10,
    });
    expect(totalCandidates).toBe(3);
  });

  it('starts anew for a model that answers vectors of another length under the same name', async () => {
    const history = createHistory(fixture.files);
    await fixture.apply(history.of('t1', 'a').indexed('p', { chunks: ['one', 'two'] }));
    await vectors.embedAll(createHashedEmbedder('same', 64));
    await fixture.apply(history.of('t1', 'a').indexed('q', { chunks: ['three'] }));
    const { texts, embedder } = counting(createHashedEmbedder('same', 32));
    await vectors.embedAll(embedder);
    await vectors.embedAll(embedder);
    expect(texts.toSorted()).toEqual(['p\none', 'p\ntwo', 'q\nthree']);
  });
});

describe('the end of a text', () => {
  it('takes its vector along at once when its data source is purged, unless another source has the text', async () => {
    const history = createHistory(fixture.files);
    const [a, b] = [history.of('t1', 'a'), history.of('t1', 'b')];
    await fixture.apply(
      a.indexed('p', { title: 'T', chunks: ['shared', 'own'] }),
      b.indexed('q', { title: 'T', chunks: ['shared'] }),
    );
    await vectors.embedAll(createHashedEmbedder());
    expect(await vectors.stored()).toEqual({ 't1 hashed': 2 });
    await fixture.apply(a.deletionRequested(), a.removed('p'));
    await vectors.store.forget('t1', idOf('a'));
    expect(await vectors.stored()).toEqual({ 't1 hashed': 1 });
    await vectors.store.forget('t1', idOf('b'));
    await vectors.store.forget('t2', idOf('b'));
    expect(await vectors.stored()).toEqual({});
  });

  it('leaves none behind a worker that was about to keep it', async () => {
    const history = createHistory(fixture.files);
    const write = history.of('t1', 'a');
    await fixture.apply(write.indexed('p', { chunks: ['one'] }));
    await vectors.store.want('hashed');
    const [pending] = await vectors.store.pending('hashed', 0, 10);
    const contents = [{ ...pending!, sha256: 'ab'.repeat(32) }];
    await fixture.apply(write.deletionRequested());
    await vectors.store.keep(
      'hashed',
      't1',
      [{ sha256: 'ab'.repeat(32), vector: Float32Array.of(1) }],
      contents,
    );
    expect(await vectors.stored()).toEqual({});
    expect(await vectors.store.pending('hashed', 0, 10)).toEqual([]);
  });

  it('is not waited for where a deletion was accepted that the catalog does not know of', async () => {
    const history = createHistory(fixture.files);
    const tombstones = createTombstones(fixture.db);
    const events = ['a', 'b', 'c'].map((name) => history.of('t1', name).indexed(name, { chunks: [name] }));
    await fixture.apply(...events);
    await vectors.store.want('hashed');
    const pending = await vectors.store.pending('hashed', 0, 10);
    expect(pending.map(({ text }) => text)).toEqual(['a', 'b', 'c']);
    await tombstones.putDataSource('t1', idOf('a'));
    await tombstones.putSource({
      sourceId: events[1]!.streamId,
      dataSourceId: idOf('b'),
      tenant: 't1',
      revision: 1n,
      generation: 1,
      position: '',
      files: [],
    });
    expect((await vectors.store.pending('hashed', 0, 10)).map(({ text }) => text)).toEqual(['c']);
    const contents = pending.map((of) => ({ ...of, sha256: sha256(of.text) }));
    const kept = contents.map((of) => ({ sha256: of.sha256, vector: Float32Array.of(1, 2) }));
    await vectors.store.keep('hashed', 't1', kept, contents);
    expect(await vectors.stored()).toEqual({ 't1 hashed': 1 });
    await sql`truncate work.withheld_data_source, work.withheld_source`.execute(fixture.db);
  });

  it('is swept: at once with a deleted data source, otherwise an hour later', async () => {
    const history = createHistory(fixture.files);
    const [a, b] = [history.of('t1', 'a'), history.of('t1', 'b')];
    await fixture.apply(a.indexed('p', { chunks: ['one'] }), b.indexed('q', { chunks: ['two', 'three'] }));
    await vectors.embedAll(createHashedEmbedder());
    await fixture.apply(a.deletionRequested(), a.deleted(), b.indexed('q', { chunks: ['three'] }));
    expect(await vectors.store.sweep()).toBe(1);
    expect(await vectors.stored()).toEqual({ 't1 hashed': 2 });
    await sql`update vectors.content set missed_since = missed_since - interval '2 hours'`.execute(
      fixture.db,
    );
    expect(await vectors.store.sweep()).toBe(1);
    expect(await vectors.stored()).toEqual({ 't1 hashed': 1 });
  });

  it('is no end where the text comes back within the hour', async () => {
    const history = createHistory(fixture.files);
    const write = history.of('t1', 'a');
    await fixture.apply(write.indexed('p', { chunks: ['one'] }));
    await vectors.embedAll(createHashedEmbedder());
    await fixture.apply(write.skipped('p'));
    await vectors.store.sweep();
    await fixture.apply(write.indexed('p', { chunks: ['one'] }));
    await sql`update vectors.content set missed_since = missed_since - interval '2 hours'`.execute(
      fixture.db,
    );
    expect(await vectors.store.sweep()).toBe(0);
    expect(await vectors.stored()).toEqual({ 't1 hashed': 1 });
  });
});
