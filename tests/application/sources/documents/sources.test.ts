import { sourceStream } from '../../../../application/event-sourcing/streams.ts';
import type { CatalogScope, SourceRecord } from '../../../../application/ports/catalog.ts';
import type { SourceTombstone } from '../../../../application/ports/read-your-writes.ts';
import { checkMetadata } from '../../../../application/sources/documents/check-metadata.ts';
import {
  type SourceDeps,
  createSourceOperations,
} from '../../../../application/sources/documents/operations.ts';
import { source } from '../../../../domain/source/decider.ts';
import type { MetadataRecord } from '../../../../domain/source/events.ts';
import { contentOf } from '../../../support/completions.ts';
import { callerOf } from '../../../support/conversations.ts';
import { AT_WORK, idOf, memoryParts } from '../../../support/memory-parts.ts';
import { describe, expect, it } from 'vitest';

const caller = callerOf('acme');

const GROUP = idOf(1);

const SOURCE = idOf(2);

const [RAW, CHUNKS] = ['a'.repeat(64), 'b'.repeat(64)];

const ACCESS = { tenant: 'acme', only: null, access: {} } as unknown as CatalogScope;

const ROW: SourceRecord = {
  id: SOURCE,
  sourceGroupId: GROUP,
  sourceType: 'crawl',
  title: 'A page',
  url: 'https://docs.example.com/a%20b/c%20d',
  locator: 'https://docs.example.com/a%20b/c%20d',
  fileType: 'html',
  language: null,
  mediaType: 'text/html',
  size: 7,
  sha256: RAW,
  status: 'indexed',
  skipReason: null,
  error: null,
  lastSeenTime: 1,
  indexedTime: 1,
  contentCount: 2,
  contentMissing: false,
  metadata: [],
};

/** One document, as its events and a catalog that is not behind have it; `told`: what was asked, in order. */
const openSources = (row: Partial<SourceRecord> = {}, stored = true) => {
  const parts = memoryParts();
  const told: unknown[] = [];
  const rowOf = (id: string) => (id === SOURCE ? { ...ROW, ...row } : null);
  const catalog = {
    getSource: async (scope: CatalogScope, id: string) => {
      told.push(['source', scope]);
      return rowOf(id);
    },
    listSources: async (...asked: readonly unknown[]) => {
      told.push(['list', ...asked]);
      return { rows: [ROW], hasMore: false, total: 1 };
    },
    contentsOfSource: async (scope: CatalogScope, id: string, page: unknown) => {
      told.push(['contents', scope, page]);
      return id === SOURCE ? { rows: [contentOf(1)], hasMore: false, total: 1 } : null;
    },
    getContent: async (scope: CatalogScope, id: string) => {
      told.push(['content', scope]);
      return id === contentOf(1).id ? contentOf(1) : null;
    },
  };
  const tombstones: SourceTombstone[] = [];
  const forgetting = {
    forgetDocument: async (...of: readonly unknown[]) => void told.push(['forget', ...of]),
  };
  const operations = createSourceOperations({
    ...parts,
    catalog: catalog as unknown as SourceDeps['catalog'],
    redactTextFor: async () => (text) => text,
    connectors: { crawl: forgetting } as unknown as SourceDeps['connectors'],
    tombstones: {
      putSource: async (mark) => {
        told.push('withheld');
        tombstones.push(mark);
      },
    },
    accessTo: async (_, onBehalfOf) => {
      told.push(onBehalfOf);
      return ACCESS;
    },
    files: {
      area: async (...of: readonly unknown[]) => {
        told.push(['area', ...of]);
        const open = async (...asked: readonly unknown[]) => {
          told.push(['open', ...asked]);
          return stored ? ({ bytes: 7 } as never) : null;
        };
        return { open };
      },
    } as unknown as SourceDeps['files'],
  });
  /** What a job records of it. */
  const indexed = (generation = 1) => {
    const visit = {
      dataSourceId: GROUP,
      sourceType: 'crawl',
      locator: ROW.url,
      jobId: 'job-1',
      generation,
    } as const;
    const files = { raw: { sha256: RAW, bytes: 7 }, chunkSet: { sha256: CHUNKS, bytes: 9, chunks: 2 } };
    const { url, title } = ROW;
    const command = { type: 'record_indexed', ...visit, ...files, url, title, at: parts.time.now } as const;
    const known = { ...command, fileType: 'html', mediaType: 'text/html' };
    return parts.execute(source, sourceStream(SOURCE), known, caller.context);
  };
  return { ...parts, ...operations, told, tombstones, indexed };
};

const NO_SOURCE = { code: 'not_found', message: 'there is no such source' };

const NO_CONTENT = { code: 'not_found', message: 'there is no such content' };

const NOT_KEPT = { code: 'raw_not_kept', message: 'the bytes of this source are not stored' };

const NONE = idOf(99);

const jo = { principalId: 'jo' };

const WHOLE = { tenant: 'acme', only: [GROUP], access: null };

const TEAM = [{ key: 'team', val: 'a', type: 'string' }] as const;

describe('reads of documents', () => {
  it('are as the policy allows whom the request names', async () => {
    const page = { limit: 3 };
    const { get, list, contents, content, told } = openSources();
    const id = contentOf(1).id;
    expect(await get(caller, SOURCE, jo)).toEqual(ROW);
    expect((await list(caller, { fileType: 'html' }, page, jo)).rows).toEqual([ROW]);
    expect((await contents(caller, SOURCE, page, jo)).rows).toEqual([contentOf(1)]);
    expect(await content(caller, id, jo)).toEqual(contentOf(1));
    expect(told).toEqual([
      jo,
      ['source', ACCESS],
      jo,
      ['list', ACCESS, { fileType: 'html' }, page, 'newest'],
      jo,
      ['contents', ACCESS, page],
      jo,
      ['content', ACCESS],
    ]);
    told.length = 0;
    await Promise.all([
      get(caller, SOURCE),
      list(caller, {}, page),
      contents(caller, SOURCE, page),
      content(caller, id),
    ]);
    expect(told.filter((one) => !Array.isArray(one))).toEqual([{}, {}, {}, {}]);
  });

  it('find nothing where there is nothing', async () => {
    const { get, raw, contents, content } = openSources();
    await expect(get(caller, NONE)).rejects.toMatchObject(NO_SOURCE);
    await expect(raw(caller, NONE)).rejects.toMatchObject(NO_SOURCE);
    await expect(contents(caller, NONE, { limit: 1 })).rejects.toMatchObject(NO_SOURCE);
    await expect(content(caller, NONE)).rejects.toMatchObject(NO_CONTENT);
  });
});

describe('the bytes of a document', () => {
  it('are opened when they are asked for, on behalf of the caller', async () => {
    const { raw, told } = openSources();
    const { open, ...file } = await raw(caller, SOURCE, jo);
    expect(file).toEqual({ sha256: RAW, bytes: 7, mediaType: 'text/html', name: 'c d' });
    expect(told).toEqual([jo, ['source', ACCESS]]);
    expect(await open({ from: 1, to: 2 } as never)).toEqual({ bytes: 7 });
    expect(told.slice(2)).toEqual([
      ['area', GROUP, 'caller'],
      ['open', RAW, { from: 1, to: 2 }],
    ]);
  });

  it.each([
    ['https://docs.example.com/a/b.pdf/', 'b.pdf'],
    ['https://docs.example.com/', 'index'],
    ['https://docs.example.com/%E0%A4%A', '%E0%A4%A'],
  ])('are called by the end of its path: %s', async (url, name) => {
    expect((await openSources({ url }).raw(caller, SOURCE)).name).toBe(name);
  });

  it.each([
    ['plans/2026/100%25 ünï (2).txt', '100%25 ünï (2).txt'],
    ['/', 'index'],
  ])('are called as the file or the push did that has no other address: %s', async (locator, name) => {
    const url = `/api/v1/sources/${SOURCE}/raw`;
    expect((await openSources({ url, locator }).raw(caller, SOURCE)).name).toBe(name);
  });

  it('are not found where one of its contents is denied', async () => {
    await expect(openSources({ deniedCount: 1 }).raw(caller, SOURCE)).rejects.toMatchObject(NO_SOURCE);
    expect((await openSources({ deniedCount: 0 }).raw(caller, SOURCE)).bytes).toBe(7);
  });

  it('are not kept where none were stored, or are not any more', async () => {
    for (const row of [{ sha256: null }, { size: null }])
      await expect(openSources(row).raw(caller, SOURCE)).rejects.toMatchObject(NOT_KEPT);
    const { open } = await openSources({}, false).raw(caller, SOURCE);
    await expect(open()).rejects.toMatchObject(NOT_KEPT);
  });
});

describe('metadata', () => {
  it('is replaced as a whole, by whoever reaches the source group, whatever policies allow', async () => {
    const { replaceMetadata, deleteMetadata, indexed, stored, told, time } = openSources();
    await indexed();
    const by = callerOf('acme', [GROUP]);
    time.now += 1;
    const written = await replaceMetadata(by, SOURCE, TEAM);
    expect(written).toMatchObject({ record: { ...ROW, metadata: TEAM }, changed: true });
    expect(told).toEqual([['source', WHOLE]]);
    expect((await stored(sourceStream(SOURCE))).at(-1)).toEqual({
      type: 'SourceMetadataReplaced',
      records: TEAM,
      at: time.now,
    });
    expect(await replaceMetadata(by, SOURCE, TEAM)).toEqual({ ...written, changed: false });
    time.now += 1;
    const gone = await deleteMetadata(by, SOURCE);
    expect(gone).toMatchObject({ record: ROW, changed: true });
    expect((await stored(sourceStream(SOURCE))).at(-1)).toEqual({
      type: 'SourceMetadataDeleted',
      at: time.now,
    });
    expect(await deleteMetadata(by, SOURCE)).toEqual({ ...gone, changed: false });
  });

  it('is of a document that is there, and well formed', async () => {
    const { replaceMetadata, deleteMetadata, told } = openSources();
    const wrong = [{ key: 'size', val: 'big', type: 'integer' }] as const;
    await expect(replaceMetadata(caller, SOURCE, wrong)).rejects.toMatchObject({ code: 'invalid_request' });
    expect(told).toEqual([]);
    await expect(replaceMetadata(caller, NONE, TEAM)).rejects.toMatchObject(NO_SOURCE);
    await expect(deleteMetadata(caller, NONE)).rejects.toMatchObject(NO_SOURCE);
  });
});

describe('taking a document out', () => {
  it('forgets what is known of it, then records it, then hides it', async () => {
    const { remove, indexed, stored, told, tombstones, dataSource, time } = openSources();
    await dataSource(GROUP, AT_WORK);
    await indexed();
    const { record, changed, position } = await remove(caller, SOURCE);
    expect([record, changed]).toEqual([ROW, true]);
    expect(told.slice(1)).toEqual([['forget', { dataSourceId: GROUP, generation: 2 }, SOURCE], 'withheld']);
    expect((await stored(sourceStream(SOURCE))).at(-1)).toEqual({
      type: 'SourceRemoved',
      data_source_id: GROUP,
      reason: 'requested',
      job_id: '',
      generation: 2,
      at: time.now,
    });
    const of = { sourceId: SOURCE, dataSourceId: GROUP, tenant: 'acme' };
    expect(tombstones).toEqual([{ ...of, revision: 1n, generation: 2, position, files: [RAW, CHUNKS] }]);
  });

  it('twice hides it twice, and names no files any more', async () => {
    const { remove, indexed, tombstones } = openSources();
    await indexed();
    const { position } = await remove(caller, SOURCE);
    expect(await remove(caller, SOURCE)).toEqual({ record: ROW, position, changed: false });
    // No data source is known: its first job may bring the document back.
    expect(tombstones.map(({ generation, files }) => [generation, files])).toEqual([
      [1, [RAW, CHUNKS]],
      [1, []],
    ]);
  });

  it('is of a document that is there', async () => {
    const { remove, told } = openSources();
    await expect(remove(caller, NONE)).rejects.toMatchObject(NO_SOURCE);
    expect(told).toEqual([['source', { ...WHOLE, only: null }]]);
  });
});

const check = (...records: readonly MetadataRecord[]) => {
  try {
    checkMetadata(records);
    return 'taken';
  } catch (error) {
    return [(error as { readonly code: string }).code, (error as Error).message];
  }
};

describe('metadata of a document', () => {
  it('is taken where each value is of its type, and each key has one', () => {
    expect(check()).toBe('taken');
    expect(
      check(
        { key: 'team', val: 'a', type: 'string' },
        { key: 'team', val: 'b', type: 'string' },
        { key: 'size', val: '4', type: 'integer' },
      ),
    ).toBe('taken');
  });

  it('is refused with a value that is none of its type, of which it tells the first hundred characters', () => {
    expect(check({ key: 'size', val: 'big'.repeat(50), type: 'integer' })).toEqual([
      'invalid_request',
      `the value of "size" is not a valid integer: "${'big'.repeat(50).slice(0, 100)}"`,
    ]);
  });

  it('is refused with a key of two types, wherever they stand', () => {
    const [text, number] = [
      { key: 'a', val: '1', type: 'string' },
      { key: 'a', val: '1', type: 'integer' },
    ] as const;
    const between = { key: 'b', val: '1', type: 'integer' } as const;
    for (const records of [
      [text, number],
      [number, between, text],
    ])
      expect(check(...records)).toEqual(['invalid_request', '"a" is given with two types: use one']);
  });
});
