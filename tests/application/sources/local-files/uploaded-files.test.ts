import { describe, expect, it } from 'vitest';
import { createMemoryItemStore } from '../../../support/memory/item-store.ts';
import {
  createLocalFiles,
  createLocalFilesConnector,
} from '../../../../application/sources/local-files/connector.ts';
import { dataSourceStream, sourceStream } from '../../../../application/event-sourcing/streams.ts';
import { growList } from '../../../../application/sources/uploads/file-list.ts';
import { dataSource, type JobState } from '../../../../domain/data-source/index.ts';
import type { LocalFileGroupParameters } from '../../../../domain/ingestion-setting/index.ts';
import { callerOf, NOW } from '../../../support/conversations.ts';
import { outcomesIn } from '../../../support/item-outcomes.ts';
import { DATA_SOURCE, openDocumentsInMemory } from '../ingestion/documents-in-memory.ts';

const PARAMETERS: LocalFileGroupParameters = {
  kind: 'local_file_group',
  chunkMetadataKeys: [{ key: 'year', type: 'integer' }],
};
const SUBJECT = { kind: 'local_file_group', chunkMetadataKeys: PARAMETERS.chunkMetadataKeys } as const;
const signal = new AbortController().signal;
const FOR = { tenant: 'acme', syncToken: null, readAll: false, known: async () => new Map() };

/** A group of files in memory, and the jobs that read it. */
const openGroup = async () => {
  const documents = openDocumentsInMemory();
  const { execute, clock, hash, deps: stores } = documents;
  const itemStore = createMemoryItemStore();
  const deps = { execute, files: stores.files, hash, urlOf: (id: string) => `https://service.example/${id}` };
  const connector = createLocalFilesConnector(deps, { itemStore, clock, hash });
  const stream = dataSourceStream(DATA_SOURCE);
  const { context } = callerOf('acme');
  const registration = { subject: SUBJECT, ingestionSettingId: 's', metadata: [], ready: false };
  const first = { jobId: 'job-1', trigger: 'create', mode: 'full', at: NOW } as const;
  let newest: string | null = null;
  const world = { registered: false };
  const area = () => stores.files.area(DATA_SOURCE);
  return Object.assign(world, {
    documents,
    connector,
    outcomes: () => outcomesIn(itemStore, DATA_SOURCE),
    area,
    register: () => execute(dataSource, stream, { type: 'enqueue', registration, ...first }, context),
    /** Puts texts under their names into the group. */
    upload: async (texts: Readonly<Record<string, string>>) => {
      const files = await Promise.all(
        Object.entries(texts).map(async ([name, text]) => ({
          name,
          ...(await (await area()).putText(text)),
          modified: 1,
        })),
      );
      const { list, added, replaced, bytes } = (await growList(await area(), newest, files))!;
      newest = list.sha256;
      const facts = { list: list as never, added, replaced, bytes, jobId: 'job-1', at: NOW };
      await execute(dataSource, stream, { type: 'add_files', ...facts }, context);
      return newest;
    },
    open: () => createLocalFiles(deps).open(PARAMETERS, signal, { ...FOR, dataSourceId: DATA_SOURCE }),
    run: (generation: number, more: Partial<JobState> = {}) => {
      documents.generation = generation;
      documents.more = { mode: generation === 1 ? 'full' : 'incremental', attempt: 1, ...more };
      const { job, documents: of } = documents;
      return connector.run({ job, documents: of, parameters: PARAMETERS, rulesChangedAt: 0 }, signal);
    },
    idOf: documents.documents.idOf,
    factsOf: async (name: string) =>
      (await documents.stored(sourceStream(documents.documents.idOf(name)))).map(({ type }) => type),
  });
};
const uploaded = async (texts: Readonly<Record<string, string>>) => {
  const group = await openGroup();
  await group.register();
  const newest = await group.upload(texts);
  return Object.assign(group, { newest });
};

describe('a group of uploaded files', () => {
  it('has a document for each file, under its name, read from where its bytes are', async () => {
    const group = await uploaded({ 'a.txt': 'text a', 'b.csv': 'text b' });
    expect(await group.run(1)).toMatchObject({ counts: { seen: 2, indexed: 2 }, complete: true });
    const [, b] = group.documents.requests;
    expect(b).toEqual({
      file: `${DATA_SOURCE} ${group.documents.hash.sha256('text b')}`,
      bytes: 6,
      queueKey: DATA_SOURCE,
      fileName: 'b.csv',
      url: `https://service.example/${group.idOf('b.csv')}`,
      chunkMetadataKeys: PARAMETERS.chunkMetadataKeys,
    });
    expect(await group.factsOf('a.txt')).toEqual(['SourceIndexed']);
  });

  it('has only files read that are new or replaced', async () => {
    const group = await uploaded({ 'a.txt': 'text a', 'b.csv': 'text b' });
    await group.run(1);
    await group.upload({ 'b.csv': 'newer b', 'c.txt': 'text c' });
    expect(await group.run(2)).toMatchObject({ counts: { seen: 3, indexed: 2, unchanged: 1 } });
  });

  it('has nothing before the first upload, nor where there is no such group', async () => {
    const group = await openGroup();
    const empty = { items: [], next: null };
    expect(await (await group.open()).list(null, signal)).toEqual(empty);
    expect(await group.connector.retainedFiles!(DATA_SOURCE)).toEqual(new Set());
    await group.register();
    expect(await (await group.open()).list(null, signal)).toEqual(empty);
    expect(await group.connector.retainedFiles!(DATA_SOURCE)).toEqual(new Set());
  });

  it('is listed by the 500, and from its beginning on where the list has changed since', async () => {
    const names = Array.from({ length: 1_001 }, (_, i) => `f${String(i).padStart(4, '0')}`);
    const group = await uploaded(Object.fromEntries(names.map((name) => [name, `text of ${name}`])));
    const { list } = await group.open();
    const page = async (cursor: string | null) => {
      const { items, next } = await list(cursor, signal);
      return [items[0]?.locator, items.length, next];
    };
    expect(await page(null)).toEqual(['f0000', 500, `${group.newest} 500`]);
    expect(await page(`${group.newest} 500`)).toEqual(['f0500', 500, `${group.newest} 1000`]);
    expect(await page(`${group.newest} 1000`)).toEqual(['f1000', 1, null]);
    expect(await page('older 1000')).toEqual(['f0000', 500, `${group.newest} 500`]);
    const exact = await uploaded(Object.fromEntries(names.slice(0, 500).map((name) => [name, name])));
    expect((await (await exact.open()).list(null, signal)).next).toBeNull();
    const { items } = await list(null, signal);
    expect(items[0]).toEqual({ locator: 'f0000', fingerprint: group.documents.hash.sha256('text of f0000') });
  });

  it('finds files by their names', async () => {
    const group = await uploaded({ 'a.txt': 'text a' });
    const { find } = await group.open();
    const item = { locator: 'a.txt', fingerprint: group.documents.hash.sha256('text a') };
    expect(await find!(['x', 'a.txt'], signal)).toEqual([null, item]);
  });

  it('has lost a file whose bytes are not there, but for one that a caller has taken out', async () => {
    const group = await uploaded({ 'a.txt': 'text a', 'b.txt': 'text b' });
    await group.run(1);
    for (const text of ['text a', 'text b'])
      await (await group.area()).delete(group.documents.hash.sha256(text));
    await group.documents.documents.remove([group.idOf('b.txt')], 'requested');
    const { fetch } = await group.open();
    const fetched = (locator: string) => fetch({ locator, fingerprint: '' }, signal);
    expect(await fetched('a.txt')).toEqual({
      kind: 'failed',
      code: 'bytes_missing',
      message: 'its bytes are missing: upload it again',
    });
    expect([await fetched('b.txt'), await fetched('x')]).toEqual([{ kind: 'gone' }, { kind: 'gone' }]);
    expect(
      await (
        await (await uploaded({ 'c.txt': 'c' })).open()
      ).fetch({ locator: 'c.txt', fingerprint: '' }, signal),
    ).toMatchObject({ kind: 'document' });
  });

  it('keeps its list and its files from being swept, but for those of these documents alone', async () => {
    const group = await uploaded({ 'a.txt': 'text a', 'b.txt': 'text b' });
    const { hash } = group.documents;
    const [a, b] = [hash.sha256('text a'), hash.sha256('text b')];
    expect(await group.connector.retainedFiles!(DATA_SOURCE)).toEqual(new Set([group.newest, a, b]));
    const without = new Set([group.idOf('b.txt')]);
    expect(await group.connector.retainedFiles!(DATA_SOURCE, without)).toEqual(new Set([group.newest, a]));
  });

  it('is what it is: a group whose rows have declared keys, by which items are judged', async () => {
    const { connector } = await openGroup();
    expect(connector).toMatchObject({
      kind: 'local_file_group',
      sourceType: 'local_file',
      contentParameters: ['chunkMetadataKeys'],
    });
    expect(connector.check(PARAMETERS)).toBeUndefined();
    expect(connector.subjectOf(PARAMETERS)).toEqual(SUBJECT);
    const of = { dataSourceId: DATA_SOURCE, parameters: PARAMETERS };
    expect(await connector.itemsToSync!(of, ['b', 'a', 'b'])).toEqual(['b', 'a']);
  });
});
