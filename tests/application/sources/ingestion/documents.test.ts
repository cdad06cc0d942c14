import { describe, expect, it } from 'vitest';
import { derivedId } from '../../../../application/event-sourcing/derived-id.ts';
import { commandOf, type DocumentFact } from '../../../../application/sources/ingestion/document-fact.ts';
import { sourceStream } from '../../../../application/event-sourcing/streams.ts';
import { WorkLost } from '../../../../application/jobs/work-handler.ts';
import type { ExtractedDocument } from '../../../../application/ports/document-reader.ts';
import { NOW } from '../../../support/conversations.ts';
import { DATA_SOURCE, documentOf, EMAIL, openDocumentsInMemory } from './documents-in-memory.ts';

const RAW = { sha256: 'a'.repeat(64), bytes: 3 };
const CHUNKS = { sha256: 'b'.repeat(64), bytes: 9 };
const chunk = { text: 'x' } as never;
const fact = (more: object = {}) => ({ locator: 'a', firstSeen: true, at: NOW, ...more });
const indexed = (more: Partial<ExtractedDocument> = {}, mediaType = 'text/plain'): DocumentFact => ({
  ...fact(),
  kind: 'indexed',
  url: 'https://a.example/',
  mediaType,
  read: { raw: RAW, chunkSet: CHUNKS, outcome: documentOf('one', more) },
});
const skipped = (locator = 'a'): DocumentFact => ({
  ...fact({ locator }),
  kind: 'skipped',
  reason: 'too_large',
});

describe('the documents of a job', () => {
  it('are the same source whenever their item is met', () => {
    const { documents, hash } = openDocumentsInMemory();
    expect(documents.idOf('a')).toBe(derivedId(hash, 'source', DATA_SOURCE, 'a'));
    expect(documents.idOf('a')).not.toBe(documents.idOf('b'));
  });

  it('are recorded one fact each, in the order given, and only what is new becomes an event', async () => {
    const world = openDocumentsInMemory();
    const { documents, stored } = world;
    expect(documents.written()).toBe('');
    const [one, two] = [documents.idOf('a'), documents.idOf('b')];
    expect(await documents.record([skipped('a'), skipped('b')])).toEqual([
      { sourceId: one, same: false },
      { sourceId: two, same: false },
    ]);
    expect(await stored(sourceStream(one))).toEqual([
      {
        type: 'SourceSkipped',
        data_source_id: DATA_SOURCE,
        source_type: 'crawl',
        locator: 'a',
        job_id: 'job-1',
        generation: 2,
        reason: 'too_large',
        at: NOW,
      },
    ]);
    const head = await world.store.head();
    expect(documents.written()).toBe(head);
    await documents.record([skipped('a')]);
    expect([await world.store.head(), documents.written()]).toEqual([head, head]);
  });

  it('are the same as before only where an earlier job has stored this very text', async () => {
    const world = openDocumentsInMemory();
    const same = async (one: DocumentFact) => (await world.documents.record([one])).map((is) => is.same);
    expect(await same(indexed())).toEqual([false]);
    expect(await same(indexed())).toEqual([false]);
    world.generation = 3;
    expect(await same(indexed())).toEqual([true]);
    expect(await same(indexed({ title: 'Another' }))).toEqual([false]);
    expect(await same(skipped())).toEqual([false]);
    world.generation = 4;
    expect(await same(skipped())).toEqual([false]);
  });

  it('are removed for a reason, those that are there', async () => {
    const world = openDocumentsInMemory();
    const { documents, stored } = world;
    await documents.record([indexed()]);
    world.generation = 3;
    world.time.now += 5;
    const [id, unknown] = [documents.idOf('a'), documents.idOf('b')];
    await documents.remove([id, unknown], 'not_seen');
    const removal = { reason: 'not_seen', job_id: 'job-1', generation: 3, at: NOW + 5 };
    expect((await stored(sourceStream(id))).at(-1)).toEqual({
      type: 'SourceRemoved',
      data_source_id: DATA_SOURCE,
      ...removal,
    });
    expect(await stored(sourceStream(unknown))).toEqual([]);
    expect(documents.written()).toBe(await world.store.head());
  });

  it.each([1, 2])('are neither recorded nor removed once the job is lost, at look %i', async (lostAt) => {
    for (const work of ['record', 'remove'] as const) {
      const world = openDocumentsInMemory();
      const { documents, store } = world;
      await documents.record([indexed()]);
      const head = await store.head();
      world.generation = 3;
      let looks = 0;
      world.stillOurs = () => {
        if ((looks += 1) === lostAt) throw new WorkLost('frozen');
      };
      const doing =
        work === 'record' ? documents.record([skipped()]) : documents.remove([documents.idOf('a')], 'gone');
      await expect(doing).rejects.toThrow(WorkLost);
      expect(await store.head()).toBe(head);
    }
  });

  it('are none of a lost job, even where there is nothing to remove', async () => {
    const world = openDocumentsInMemory();
    world.stillOurs = () => {
      throw new WorkLost('frozen');
    };
    await expect(world.documents.remove([], 'gone')).rejects.toThrow(WorkLost);
    await expect(world.documents.record([])).rejects.toThrow(WorkLost);
  });

  it('have titles without what policies hide, for which nobody is asked where there is none', async () => {
    const { documents, told } = openDocumentsInMemory([EMAIL]);
    expect(await documents.hidden([])).toEqual([]);
    expect(told).toEqual([]);
    expect(await documents.hidden(['of a@b.example', 'plain'])).toEqual(['of [email]', 'plain']);
    expect(told).toEqual([['policies', 'acme', 'ingestion']]);
  });
});

describe('a fact about a document', () => {
  const commandFor = (one: DocumentFact) => commandOf(one, openDocumentsInMemory().job, 'crawl');
  const visit = {
    dataSourceId: DATA_SOURCE,
    sourceType: 'crawl',
    locator: 'a',
    jobId: 'job-1',
    generation: 2,
    at: NOW,
  };
  const long = 'x'.repeat(501);

  it('of one that was read tells where its bytes and its text are', () => {
    const { chunkSet } = documentOf('one');
    const read = { ...chunkSet, source: { ...chunkSet.source, language: 'de' }, chunks: [chunk, chunk] };
    const encoding = 'windows-1252';
    expect(commandFor(indexed({ chunkSet: read, title: long, encoding }, 'text/html'))).toEqual({
      type: 'record_indexed',
      ...visit,
      url: 'https://a.example/',
      title: 'x'.repeat(500),
      language: 'de',
      fileType: 'txt',
      mediaType: 'text/html; charset=windows-1252',
      raw: RAW,
      chunkSet: { ...CHUNKS, chunks: 2 },
    });
    expect(commandFor(indexed())).not.toHaveProperty('language');
  });

  it.each([
    ['text/plain', 'text/plain; charset=utf-8'],
    ['application/xml', 'application/xml; charset=utf-8'],
    ['application/xhtml+xml', 'application/xhtml+xml; charset=utf-8'],
    ['application/xml-dtd', 'application/xml-dtd'],
    ['application/pdf', 'application/pdf'],
    ['x-text/plain', 'x-text/plain'],
  ])('of %s has the encoding with the type of a text alone', (type, mediaType) => {
    expect(commandFor(indexed({ encoding: 'utf-8' }, type))).toMatchObject({ mediaType });
    expect(commandFor(indexed({}, type))).toMatchObject({ mediaType: type });
  });

  it('of one that was left out, or failed, tells how it was found where that is known', () => {
    const about = { url: 'https://a.example/', title: 'x'.repeat(500) };
    const found = { ...about, title: long };
    const failure = { code: 'encrypted', message: 'needs a password' };
    const cases: readonly [object, object][] = [
      [
        { kind: 'skipped', reason: 'too_large' },
        { type: 'record_skipped', reason: 'too_large' },
      ],
      [
        { kind: 'failed', ...failure },
        { type: 'record_failed', ...failure },
      ],
    ];
    for (const [of, command] of cases) {
      expect(commandFor(fact(of) as DocumentFact)).toEqual({ ...command, ...visit });
      expect(commandFor(fact({ ...of, ...found }) as DocumentFact)).toEqual({
        ...command,
        ...visit,
        ...about,
      });
    }
  });

  it('of one that is gone removes it', () => {
    const gone = { type: 'remove', reason: 'gone', jobId: 'job-1', generation: 2, at: NOW };
    expect(commandFor({ ...fact(), kind: 'gone' })).toEqual(gone);
  });
});
