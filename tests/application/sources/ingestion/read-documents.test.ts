import { describe, expect, it } from 'vitest';
import { serialiseChunkSet } from '../../../../domain/chunking/chunk-set.ts';
import { lengthOf, readDocuments } from '../../../../application/sources/ingestion/read-documents.ts';
import type { ExtractionOutcome } from '../../../../application/ports/document-reader.ts';
import { WorkLost } from '../../../../application/jobs/work-handler.ts';
import { idOf } from '../../../support/memory-parts.ts';
import { DATA_SOURCE, documentOf, EMAIL, openDocumentsInMemory } from './documents-in-memory.ts';

const never = new AbortController().signal;
const body = (text: string): Uint8Array => new TextEncoder().encode(text);
const UNSUPPORTED: ExtractionOutcome = { kind: 'unsupported', mediaType: null, message: 'no such type' };
const FAILED: ExtractionOutcome = { kind: 'failed', code: 'encrypted', message: 'needs a password' };
const AS_SAID: Readonly<Record<string, ExtractionOutcome>> = { odd: UNSUPPORTED, locked: FAILED };

describe('reading documents', () => {
  it('keeps the bytes, has them read with what is claimed of them, and keeps the text', async () => {
    const { documents, requests, signals, fileOf, hash } = openDocumentsInMemory();
    const claims = {
      mediaType: 'text/html',
      charset: 'latin1',
      fileName: 'a.html',
      url: 'https://a.example/',
    };
    const [read] = await documents.read([{ body: body('one'), ...claims }], never);
    const raw = { sha256: hash.sha256('one'), bytes: 3 };
    const text = serialiseChunkSet(documentOf('one').chunkSet);
    const chunkSet = { sha256: hash.sha256(text), bytes: text.length };
    expect(read).toEqual({ raw, outcome: documentOf('one'), chunkSet });
    expect(await fileOf(DATA_SOURCE, chunkSet.sha256)).toBe(text);
    expect(requests).toEqual([
      { ...claims, file: `${DATA_SOURCE} ${raw.sha256}`, bytes: 3, turn: DATA_SOURCE },
    ]);
    expect(signals).toEqual([never]);
  });

  it('answers in the order given, whatever can be read of which', async () => {
    const world = openDocumentsInMemory();
    world.read = (text) => AS_SAID[text] ?? documentOf(text);
    const texts = ['odd', 'one', 'locked', 'two'];
    const read = await world.documents.read(
      texts.map((text) => ({ body: body(text) })),
      never,
    );
    expect(read.map(({ outcome }) => outcome)).toEqual([
      UNSUPPORTED,
      documentOf('one'),
      FAILED,
      documentOf('two'),
    ]);
    const stored = read.map(({ chunkSet }) => chunkSet?.sha256 ?? null);
    const hashOf = (text: string) => world.hash.sha256(serialiseChunkSet(documentOf(text).chunkSet));
    expect(stored).toEqual([null, hashOf('one'), null, hashOf('two')]);
    expect(read.map(({ raw }) => raw.sha256)).toEqual(texts.map((text) => world.hash.sha256(text)));
    expect(world.told).toEqual([
      ['bytes', DATA_SOURCE, 4],
      ['policies', 'acme', 'ingestion'],
      ['policies', 'acme', 'ingestion'],
      ['texts', DATA_SOURCE, 2],
    ]);
  });

  it('has the policies of ingestion applied by the reader, and looks for them once where all can be read', async () => {
    const { documents, requests, told } = openDocumentsInMemory([EMAIL]);
    await documents.read([{ body: body('one') }], never);
    expect(requests).toMatchObject([{ redaction: [EMAIL] }]);
    expect(told.filter(([what]) => what === 'policies')).toHaveLength(1);
  });

  it('names what has no text by what it was found by, without what policies hide', async () => {
    const world = openDocumentsInMemory([EMAIL]);
    world.read = (text) => AS_SAID[text] ?? documentOf(text);
    const found = [
      { body: body('odd'), title: 'Film of a@b.example', fileName: 'x.mov' },
      { body: body('locked'), fileName: 'Letter to a@b.example' },
      { body: body('locked') },
      { body: body('locked'), title: ' ', fileName: '\t' },
      { body: body('one'), title: 'One' },
    ];
    const titles = (await world.documents.read(found, never)).map((one) =>
      'title' in one ? one.title : null,
    );
    expect(titles).toEqual(['Film of [email]', 'Letter to [email]', null, null, null]);
  });

  it('takes a file that is kept already as it is, from another area where it is said so', async () => {
    const { deps, job, requests, hash, fileOf } = openDocumentsInMemory();
    const kept = { sha256: hash.sha256('kept'), bytes: 4 };
    const [other, text] = [idOf(7), serialiseChunkSet(documentOf('nothing').chunkSet)];
    const [read] = await readDocuments(deps, { ...job, areaId: other }, [{ body: kept }], never);
    expect(read?.raw).toEqual(kept);
    expect(requests).toEqual([{ file: `${other} ${kept.sha256}`, bytes: 4, turn: DATA_SOURCE }]);
    expect(await fileOf(other, hash.sha256(text))).toBe(text);
    expect([lengthOf({ body: kept }), lengthOf({ body: body('four') })]).toEqual([4, 4]);
  });

  it.each([
    [1, []],
    [2, ['bytes', 'policies']],
  ])('keeps nothing more once the job is lost, at look %i', async (lostAt, done) => {
    const world = openDocumentsInMemory();
    world.stillOurs = (look) => {
      if (look === lostAt) throw new WorkLost('frozen');
    };
    await expect(world.documents.read([{ body: body('one') }], never)).rejects.toThrow(WorkLost);
    expect(world.told.map(([what]) => what)).toEqual(done);
  });
});
