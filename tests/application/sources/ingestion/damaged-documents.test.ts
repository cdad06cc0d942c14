import { expect, it } from 'vitest';
import { sourceStream } from '../../../../application/event-sourcing/streams.ts';
import { createExecute } from '../../../../application/event-sourcing/execute.ts';
import { openDocuments, visitAfter } from '../../../../application/sources/ingestion/documents.ts';
import { openDocumentsInMemory } from './documents-in-memory.ts';

it('a document whose stream was cut fails alone, and is named', async () => {
  const world = openDocumentsInMemory();
  const fact = (locator: string, message: string) =>
    ({ kind: 'failed', locator, firstSeen: false, at: 1, code: 'not_found', message }) as const;
  await world.documents.record([fact('a', 'one'), fact('b', 'one')]);
  await world.documents.record([fact('a', 'two')]);
  const cut = sourceStream(world.documents.idOf('a'));
  world.store.cut(cut, 1n);
  // Another process, which has kept no state.
  const documents = openDocuments({ ...world.deps, execute: createExecute(world) }, world.job, 'crawl');

  const recorded = await documents.record([fact('a', 'three'), fact('b', 'two')]);
  expect(recorded.map(({ damaged }) => damaged)).toEqual([true, undefined]);
  expect(await world.store.readStream(sourceStream(world.documents.idOf('b')))).toHaveLength(2);
  await documents.remove([world.documents.idOf('a'), world.documents.idOf('b')], 'not_seen');
  const lines = world.told.filter(([message]) => message === 'a stream of the event store was tampered with');
  expect(lines).toHaveLength(2);
  expect(JSON.stringify(lines)).toContain(cut);

  const visit = { outcome: 'indexed', code: null, message: null };
  expect(visitAfter(visit, recorded[0])).toMatchObject({ outcome: 'failed', code: 'history_damaged' });
  expect(visitAfter(visit, recorded[1])).toBe(visit);
});
