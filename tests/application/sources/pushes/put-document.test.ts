import { describe, expect, it } from 'vitest';
import { sourceStream } from '../../../../application/event-sourcing/streams.ts';
import type { UploadPart } from '../../../../application/sources/uploads/upload-part.ts';
import { ACME, openedPush, partsOf } from '../../../support/pushes-in-memory.ts';

const TEXT = 'Falcons\nThey dive.';
const invalid = (message: string) => ({
  code: 'invalid_request',
  message: expect.stringContaining(message),
});
async function* of(...parts: readonly UploadPart[]): AsyncGenerator<UploadPart> {
  yield* parts;
}
const field = (name: string, value: string): UploadPart => ({ kind: 'field', name, value });
const bytes = (text: string): UploadPart => ({
  kind: 'file',
  fileName: 'x',
  body: [Buffer.from(text)] as never,
});

describe('a document that is brought', () => {
  it('is answered as the catalog will tell it, at the position of what was written last', async () => {
    const { world, one, id } = await openedPush();
    const { time, hash, store } = world;
    const fields = { metadata: [{ key: 'team', val: 'search', type: 'string' as const }] };
    const parts = partsOf(TEXT, 'text/markdown', { url: 'https://a.example/falcons' });
    const { record, position, changed } = await one.putParts(ACME, id, 'birds/falcons.md', parts, fields);
    const seconds = Math.floor(time.now / 1_000);
    expect(record).toEqual({
      id: record.id,
      sourceGroupId: id,
      sourceType: 'push',
      title: 'Falcons',
      url: 'https://a.example/falcons',
      locator: 'birds/falcons.md',
      fileType: 'txt',
      language: 'en',
      mediaType: 'text/markdown',
      size: TEXT.length,
      sha256: hash.sha256(TEXT),
      status: 'indexed',
      skipReason: null,
      error: null,
      lastSeenTime: seconds,
      indexedTime: seconds,
      contentCount: 1,
      contentMissing: false,
      metadata: fields.metadata,
    });
    expect([changed, position]).toEqual([true, await store.head()]);
    expect(await world.eventsOfDocument(record.id)).toEqual(['SourceIndexed', 'SourceMetadataReplaced']);
    expect((await world.eventsOf(id)).at(-1)).toBe('JobProgressed');
    expect(await world.stored(sourceStream(record.id))).toMatchObject([
      { locator: 'birds/falcons.md', source_type: 'push', title: 'Falcons' },
      {},
    ]);
    expect(world.read).toEqual(['falcons.md']);
  });

  it('keeps its bytes and its chunks in its push, and nothing where they came in', async () => {
    const { world, one, id } = await openedPush();
    const upload = world.ids.made();
    await one.put(id, 'a.txt', TEXT);
    expect(await world.keeps(id, TEXT)).toBe(true);
    const { files } = world;
    for (let n = upload; n <= world.ids.made(); n++)
      expect(await files.remove(`01900000-0000-7000-8000-${String(n).padStart(12, '0')}`)).toBe(0);
    expect(await world.uploads.abandoned(9)).toEqual([]);
    world.time.now += 3_600_000;
    expect(await world.uploads.abandoned(9)).toEqual([]);
  });

  it('is the same under its name in every version, and another under another name', async () => {
    const { one, id } = await openedPush();
    const first = (await one.put(id, 'a.txt', 'One\n1')).record;
    const second = (await one.put(id, 'a.txt', 'Two\n1\n2')).record;
    const other = (await one.put(id, 'b.txt', 'One\n1')).record;
    expect([second.id, second.title, second.contentCount]).toEqual([first.id, 'Two', 2]);
    expect(other.id).not.toBe(first.id);
  });

  it('changes nothing where it is there already, byte for byte and word for word', async () => {
    const { world, one, id } = await openedPush();
    const fields = { title: 'A', url: 'https://a.example', metadata: [] };
    const first = await one.put(id, 'a.txt', TEXT, fields);
    const head = await world.store.head();
    world.read.length = 0;
    expect(await one.put(id, 'a.txt', TEXT, fields)).toEqual({
      record: first.record,
      position: '',
      changed: false,
    });
    expect([await world.store.head(), world.read]).toEqual([head, []]);
  });

  it.each([
    ['bytes', 'Other\ntext', {}],
    ['title', TEXT, { title: 'Another' }],
    ['address', TEXT, { url: 'https://a.example' }],
  ])('is a new version where its %s are others', async (_, text, fields) => {
    const { world, one, id } = await openedPush();
    await one.put(id, 'a.txt', TEXT);
    expect((await one.put(id, 'a.txt', text, fields)).changed).toBe(true);
    expect(world.read).toEqual(['a.txt', 'a.txt']);
  });

  it('takes other metadata without being read again', async () => {
    const { world, one, id } = await openedPush();
    await one.put(id, 'a.txt', TEXT);
    const metadata = [{ key: 'team', val: 'search', type: 'string' as const }];
    const second = await one.put(id, 'a.txt', TEXT, { metadata });
    expect([second.changed, second.record.metadata]).toEqual([true, metadata]);
    expect(second.position).toBe(await world.store.head());
    expect(world.read).toEqual(['a.txt']);
    expect((await one.put(id, 'a.txt', TEXT)).record.metadata).toEqual(metadata);
  });

  it('that an earlier job has read is only met again by the next, if that looks for changes alone', async () => {
    const { world, one, id, jobId } = await openedPush();
    await one.put(id, 'a.txt', TEXT);
    await one.jobs.complete(ACME, id, jobId);
    const { record } = await one.jobs.open(ACME, id, undefined);
    expect((await one.put(id, 'a.txt', TEXT)).changed).toBe(false);
    expect(world.read).toEqual(['a.txt']);
    world.time.now += 10_000;
    const done = await one.jobs.complete(ACME, id, record.row.jobId);
    expect(done.record.row.counts).toMatchObject({ seen: 1, unchanged: 1, indexed: 0 });
  });

  it('that could not be read is read again when it is brought again', async () => {
    const { world, one, id } = await openedPush();
    const failed = await one.put(id, 'a.txt', '!broken');
    expect(failed.record).toMatchObject({ status: 'failed', error: { code: 'parser_failed' }, size: null });
    expect(failed.record).toMatchObject({
      indexedTime: null,
      language: null,
      fileType: null,
      contentCount: 0,
    });
    await one.put(id, 'a.txt', '!broken');
    expect(world.read).toEqual(['a.txt', 'a.txt']);
  });

  it('is refused where no reader reads it, and leaves nothing', async () => {
    const { world, one, id } = await openedPush();
    const before = await world.eventsOf(id);
    await expect(one.put(id, 'a.bin', '!unknown')).rejects.toMatchObject({
      code: 'unsupported_media_type',
      message: 'this document cannot be read: these bytes are nothing known',
    });
    expect(await world.eventsOf(id)).toEqual(before);
    expect(await world.keeps(id, '!unknown')).toBe(false);
  });
});

describe('the parts of a document', () => {
  it('may come in any order', async () => {
    const { one, id } = await openedPush();
    const parts = of(bytes(TEXT), field('title', 'Late'));
    expect((await one.putParts(ACME, id, 'a', parts, {})).record.title).toBe('Late');
  });

  it('are said once, whether in the form or beside it', async () => {
    const { one, id } = await openedPush();
    const parts = () => of(field('title', 'B'), bytes(TEXT));
    await expect(one.putParts(ACME, id, 'a', parts(), { title: 'A' })).rejects.toMatchObject(
      invalid('send title once'),
    );
  });

  it.each([
    ['two files', () => of(bytes('a'), bytes('b')), 'send one file: it is the document'],
    ['no file', () => of(field('title', 'A')), 'send the document, in a form as a file named file'],
    ['a file without bytes', () => of(bytes('')), 'the document has no bytes'],
  ] as const)('are refused with %s', async (_, parts, message) => {
    const { world, one, id } = await openedPush();
    await expect(one.putParts(ACME, id, 'a', parts(), {})).rejects.toMatchObject(invalid(message));
    expect(world.read).toEqual([]);
  });
});
