import { describe, expect, it } from 'vitest';
import { type DocumentFact } from '../../../../application/sources/ingestion/document-fact.ts';
import { sourceStream } from '../../../../application/event-sourcing/streams.ts';
import { WorkLost } from '../../../../application/jobs/work-handler.ts';
import type { ExtractedDocument } from '../../../../application/ports/document-reader.ts';
import { NOW } from '../../../support/conversations.ts';
import { DATA_SOURCE, documentOf, EMAIL, openDocumentsInMemory } from './documents-in-memory.ts';

const RAW = { sha256: 'a'.repeat(64), bytes: 3 };
const CHUNKS = { sha256: 'b'.repeat(64), bytes: 9 };
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

  it('have titles without what policies hide, for which nobody is asked where there is none', async () => {
    const { documents, told } = openDocumentsInMemory([EMAIL]);
    expect(await documents.hidden([])).toEqual([]);
    expect(told).toEqual([]);
    expect(await documents.hidden(['of a@b.example', 'plain'])).toEqual(['of [email]', 'plain']);
    expect(told).toEqual([['policies', 'acme', 'ingestion']]);
  });
});
