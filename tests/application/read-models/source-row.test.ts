import { contentChanges, replaceContents } from '../../../application/read-models/source-contents.ts';
import { type SourceRow, sourceRow } from '../../../application/read-models/source-row.ts';
import type { SourceEvent } from '../../../domain/source/events.ts';
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';

const visit = {
  dataSourceId: 'ds',
  sourceType: 'crawl',
  locator: 'https://e.com/a',
  jobId: 'job',
  generation: 3,
  at: 5_000,
} as const;

const indexed: SourceEvent = {
  ...visit,
  type: 'SourceIndexed',
  url: 'https://e.com/a?x',
  title: 'T',
  fileType: 'html',
  mediaType: 'text/html',
  raw: { sha256: 'raw', bytes: 7 },
  chunkSet: { sha256: 'set', bytes: 9, chunks: 1 },
};

const failed: SourceEvent = { ...visit, at: 6_000, type: 'SourceFailed', code: 'timeout', message: 'm' };

const skipped: SourceEvent = { ...visit, at: 7_000, type: 'SourceSkipped', reason: 'r' };

const removed: SourceEvent = {
  type: 'SourceRemoved',
  dataSourceId: 'ds',
  reason: 'gone',
  jobId: 'job',
  generation: 4,
  at: 8_000,
};

const records = [{ key: 'k', val: 'v', type: 'string' }] as const;

const replaced: SourceEvent = { type: 'SourceMetadataReplaced', records, at: 1 };

const deleted: SourceEvent = { type: 'SourceMetadataDeleted', at: 1 };

const fold = (...events: readonly SourceEvent[]): SourceRow | null =>
  events.reduce<SourceRow | null>(
    (row, event, i) => sourceRow(row, event, { id: 's', tenant: 't', revision: BigInt(i) }),
    null,
  );

describe('sourceRow', () => {
  it('holds what the newest version is', () => {
    expect(fold(indexed)).toEqual({
      id: 's',
      tenant: 't',
      dataSourceId: 'ds',
      sourceType: 'crawl',
      locator: 'https://e.com/a',
      url: 'https://e.com/a?x',
      title: 'T',
      status: 'indexed',
      skipReason: null,
      error: null,
      indexed: {
        fileType: 'html',
        mediaType: 'text/html',
        rawSha256: 'raw',
        rawBytes: 7,
        chunkSetSha256: 'set',
        indexedAt: 5_000,
      },
      metadata: [],
      generation: 3,
      lastSeenAt: 5_000,
      revision: 0n,
    });
  });

  it.each([
    [
      'a failure leaves what was indexed',
      [indexed, failed],
      { status: 'failed', title: 'T', indexed: { rawBytes: 7 } },
    ],
    [
      'a failure has the title and address that it was found by',
      [failed, { ...failed, title: 'Found', url: 'https://e.com/found' }],
      { title: 'Found', url: 'https://e.com/found' },
    ],
    [
      'a failure leaves the title and address of what is readable',
      [indexed, { ...failed, title: 'Found', url: 'https://e.com/found' }],
      { title: 'T', url: 'https://e.com/a?x' },
    ],
    ['a failure names its cause', [failed], { error: { code: 'timeout', message: 'm' }, indexed: null }],
    ['a skip takes it away', [indexed, skipped], { status: 'skipped', skipReason: 'r', indexed: null }],
    [
      'a success clears both',
      [failed, skipped, indexed],
      { status: 'indexed', skipReason: null, error: null },
    ],
    ['without a URL the locator stands for it', [skipped], { url: 'https://e.com/a', title: '' }],
    [
      'removal leaves a row without anything',
      [indexed, replaced, removed],
      { status: 'removed', indexed: null, metadata: [] },
    ],
    ['it may come back', [indexed, removed, indexed], { status: 'indexed', metadata: [] }],
    ['metadata stays over visits', [indexed, replaced, failed, indexed], { metadata: records }],
    ['metadata is deleted', [indexed, replaced, deleted], { metadata: [] }],
    ['metadata changes neither status nor time', [failed, replaced], { status: 'failed', lastSeenAt: 6_000 }],
  ] as const)('%s', (_, events, expected) => expect(fold(...events)).toMatchObject(expected));

  it('leaves a row as it is for an event that it holds', () => {
    const row = fold(indexed, failed);
    expect(sourceRow(row, indexed, { id: 's', tenant: 't', revision: 1n })).toBe(row);
    expect(sourceRow(row, skipped, { id: 's', tenant: 't', revision: 0n })).toBe(row);
  });
});

const digest = (text: string): Uint8Array => createHash('sha256').update(text).digest();

const chunk = (text: string, occurrence = 0, headingPath: readonly string[] = [], pageNumber = 0) => ({
  text,
  headingPath,
  pageNumber,
  tokenCount: 1,
  textHash: createHash('sha256').update(text).digest('hex'),
  occurrence,
});

const version = (at: number, chunks: readonly ReturnType<typeof chunk>[], title = 'T') => ({
  sourceId: 'source',
  title,
  chunks,
  at,
});

const first = replaceContents([], version(5_999, [chunk('a'), chunk('b'), chunk('b', 1)]), digest);

describe('replaceContents', () => {
  it('keeps id and time of a text, and its label under the same title and headings', () => {
    const second = replaceContents(
      first,
      version(9_000, [chunk('new'), chunk('b', 0, ['H']), chunk('a')]),
      digest,
    );
    expect(second.map(({ timestamp }) => timestamp)).toEqual([9, 5, 5]);
    expect(second[2]).toMatchObject({ id: first[0]?.id, label: first[0]?.label });
    expect(second[1]?.id).toBe(first[1]?.id);
    expect(second[1]?.label).not.toBe(first[1]?.label);
    const rows = ['x', 'y'].map((val) => ({
      ...chunk(val),
      metadata: [{ key: 'k', val, type: 'string' as const }],
    }));
    const labels = replaceContents([], version(5_999, rows), digest).map(({ label }) => label);
    expect(new Set(labels).size).toBe(2);
  });
});

describe('contentChanges', () => {
  it('is a move where only the lines are others', () => {
    const at = (line: number) => [{ ...chunk('a'), lines: { first: line, last: line + 2 } }];
    const before = replaceContents([], version(5_999, at(3)), digest);
    const same = replaceContents(before, version(7_000, at(3)), digest);
    const after = replaceContents(before, version(7_000, at(4)), digest);
    expect(contentChanges(before, same).moved).toEqual([]);
    expect(contentChanges(before, after)).toEqual({
      gone: [],
      moved: [{ before: before[0], after: after[0] }],
      fresh: [],
    });
  });

  it('tells apart what goes, what moves, and what is indexed anew', () => {
    const after = replaceContents(
      first,
      version(9_000, [chunk('b', 0, [], 3), chunk('a', 0, ['H']), chunk('c')]),
      digest,
    );
    const { gone, moved, fresh } = contentChanges(first, after);
    expect(gone).toEqual([first[0], first[2]]);
    expect(moved).toEqual([{ before: first[1], after: after[0] }]);
    expect(fresh).toEqual([after[1], after[2]]);
  });
});
