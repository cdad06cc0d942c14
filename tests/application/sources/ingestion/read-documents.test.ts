import { describe, expect, it } from 'vitest';
import { serialiseChunkSet } from '../../../../domain/chunking/chunk-set.ts';
import { WorkLost } from '../../../../application/jobs/work-handler.ts';
import { DATA_SOURCE, documentOf, EMAIL, openDocumentsInMemory } from './documents-in-memory.ts';

const never = new AbortController().signal;
const body = (text: string): Uint8Array => new TextEncoder().encode(text);

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

  it('has the policies of ingestion applied by the reader, and looks for them once where all can be read', async () => {
    const { documents, requests, told } = openDocumentsInMemory([EMAIL]);
    await documents.read([{ body: body('one') }], never);
    expect(requests).toMatchObject([{ redaction: [EMAIL] }]);
    expect(told.filter(([what]) => what === 'policies')).toHaveLength(1);
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
