import { describe, expect, it } from 'vitest';
import type { FetchedItem } from '../../../../../application/sources/ingestion/listed/listed-source.ts';
import {
  outcomeOf,
  rowsOf,
  type ItemVisit,
} from '../../../../../application/sources/ingestion/listed/item-visit.ts';
import type { NoText, ReadText } from '../../../../../application/sources/ingestion/read-documents.ts';
import type { ExtractedDocument } from '../../../../../application/ports/document-reader.ts';
import type { KnownItem } from '../../../../../application/ports/item-store.ts';
import { documentOf } from '../documents-in-memory.ts';

const [AT, ATTEMPT] = [1_800_000_000_000, 3];
const URL = 'https://host.example/a';
const RAW = { sha256: 'a'.repeat(64), bytes: 5 };
const KNOWN: KnownItem = { seen: false, fingerprint: '1', failed: false, skipped: null };
const visit = (more: Partial<ItemVisit>): ItemVisit => ({
  item: { locator: 'a', fingerprint: '2' },
  fetched: null,
  known: undefined,
  ...more,
});
const outcomeFor = (more: Partial<ItemVisit>) =>
  outcomeOf(visit(more), (name) => `id of ${name}`, AT, ATTEMPT);
/** The row of a visit that found nothing, and a fact about an item that was not known before. */
const ROW = {
  locator: 'a',
  sourceId: 'id of a',
  fingerprint: null,
  code: null,
  message: null,
  bytes: 0,
  at: AT,
  attempt: ATTEMPT,
};
const FACT = { locator: 'a', firstSeen: true, at: AT };
const document = (mediaType?: string): FetchedItem => ({
  kind: 'document',
  document: { body: RAW, url: URL, ...(mediaType !== undefined && { mediaType }) },
});
const readAs = (more: Partial<ExtractedDocument> = {}): ReadText => ({
  raw: RAW,
  chunkSet: { sha256: 'b'.repeat(64), bytes: 9 },
  outcome: documentOf('one', more),
});
const unread = (outcome: NoText['outcome'], title?: string): NoText => ({
  raw: RAW,
  outcome,
  chunkSet: null,
  ...(title !== undefined && { title }),
});

describe('the visit of an item', () => {
  it('that is as it was says so, and nothing of its document', () => {
    expect(outcomeFor({ known: KNOWN })).toEqual({
      visited: { ...ROW, outcome: 'unchanged', fingerprint: '2' },
      fact: null,
    });
    const skipped = { code: 'too_large', message: 'it is too large' };
    expect(outcomeFor({ known: { ...KNOWN, skipped } })).toEqual({
      visited: { ...ROW, outcome: 'skipped', ...skipped, fingerprint: '2' },
      fact: null,
    });
    expect(outcomeFor({}).visited).toMatchObject({ outcome: 'unchanged' });
  });

  it('brings what its provider tells of the document, the name of the author as policies leave it', () => {
    const fetched = { ...document(), metadata: { author: 'Ada', createdAt: 0, modifiedAt: 1_000 } } as const;
    expect(outcomeFor({ fetched, read: readAs(), author: '[name]' }).fact).toMatchObject({
      metadata: [
        { key: 'author', val: '[name]', type: 'string' },
        { key: 'created', val: '1970-01-01T00:00:00.000Z', type: 'datetime' },
        { key: 'modified', val: '1970-01-01T00:00:01.000Z', type: 'datetime' },
      ],
    });
  });

  it('that is left out says why, and by what it was found', () => {
    const skipped = { kind: 'skipped', reason: 'too_large', message: 'it is too large' } as const;
    const visited = {
      ...ROW,
      outcome: 'skipped',
      code: 'too_large',
      message: skipped.message,
      fingerprint: '2',
    };
    const fact = { kind: 'skipped', reason: 'too_large', ...FACT };
    const plain = outcomeFor({ fetched: skipped });
    expect(plain).toEqual({ visited, fact });
    expect(Object.keys(plain.fact!)).toEqual(['kind', 'reason', 'locator', 'firstSeen', 'at']);
    expect(
      outcomeFor({ fetched: { ...skipped, url: URL, title: 'Film of jo' }, title: 'Film of …' }),
    ).toEqual({
      visited,
      fact: { ...fact, url: URL, title: 'Film of …' },
    });
  });

  it('whose bytes have no text fails, or is left out as a type that is not read', () => {
    const failure = { code: 'encrypted', message: 'needs a password' } as const;
    const failed = unread({ kind: 'failed', ...failure }, 'Letter');
    expect(outcomeFor({ fetched: document(), read: failed })).toEqual({
      visited: { ...ROW, outcome: 'failed', ...failure },
      fact: { kind: 'failed', ...failure, url: URL, title: 'Letter', ...FACT },
    });
    const odd = unread({ kind: 'unsupported', mediaType: null, message: 'no such type' });
    const code = 'unsupported_file_type';
    const left = outcomeFor({ fetched: document(), read: odd });
    expect(left).toEqual({
      visited: { ...ROW, outcome: 'skipped', code, message: 'no such type', fingerprint: '2' },
      fact: { kind: 'skipped', reason: code, url: URL, ...FACT },
    });
    expect(left.fact).not.toHaveProperty('title');
  });

  it('cannot be told of where its bytes were not read', () => {
    expect(() => outcomeFor({ fetched: document() })).toThrow('a was fetched and not read');
  });
});

describe('the rows of an item that could not be read', () => {
  const rowsFor = (rowErrors: NonNullable<ExtractedDocument['rowErrors']>) =>
    rowsOf(visit({ read: readAs({ rowErrors }) }), AT, ATTEMPT);
  it('are listed under its name and their number, each with all that is wrong with it', () => {
    const wrong = [
      { row: 2, key: null, message: 'it breaks off' },
      { row: 7, key: 'year', message: 'no integer' },
      { row: 7, key: null, message: 'too short' },
    ];
    const row = { ...ROW, outcome: 'row_failed', sourceId: null };
    expect(rowsFor(wrong)).toEqual([
      { ...row, locator: 'a#row=2', code: 'row_invalid', message: 'it breaks off' },
      { ...row, locator: 'a#row=7', code: 'value_invalid', message: 'year: no integer; too short' },
    ]);
    const long = rowsFor([{ row: 1, key: null, message: 'x'.repeat(1_001) }]);
    expect(long.map(({ message }) => message?.length)).toEqual([1_000]);
  });
});
