import { sourceStream } from '../../../../application/event-sourcing/streams.ts';
import {
  type DocumentFields,
  mustBeLocator,
  withDocumentField,
} from '../../../../application/sources/pushes/document-fields.ts';
import type { UploadPart } from '../../../../application/sources/uploads/upload-area.ts';
import { ACME, openedPush, partsOf } from '../../../support/pushes-in-memory.ts';
import { describe, expect, it } from 'vitest';

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
    expect(await world.retainedFiles(id, TEXT)).toBe(true);
    const { files } = world;
    for (let n = upload; n <= world.ids.made(); n++)
      expect(await files.remove(`01900000-0000-7000-8000-${String(n).padStart(12, '0')}`)).toBe(0);
    expect(await world.uploads.abandoned(9)).toEqual([]);
    world.time.now += 3_600_000;
    expect(await world.uploads.abandoned(9)).toEqual([]);
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

  it('is refused where no reader reads it, and leaves nothing', async () => {
    const { world, one, id } = await openedPush();
    const before = await world.eventsOf(id);
    await expect(one.put(id, 'a.bin', '!unknown')).rejects.toMatchObject({
      code: 'unsupported_media_type',
      message: 'this document cannot be read: these bytes are nothing known',
    });
    expect(await world.eventsOf(id)).toEqual(before);
    expect(await world.retainedFiles(id, '!unknown')).toBe(false);
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
    [
      'no file',
      () => of(field('title', 'A')),
      'send the document as the body, or in a form as a file named file',
    ],
    ['a file without bytes', () => of(bytes('')), 'the document has no bytes'],
  ] as const)('are refused with %s', async (_, parts, message) => {
    const { world, one, id } = await openedPush();
    await expect(one.putParts(ACME, id, 'a', parts(), {})).rejects.toMatchObject(invalid(message));
    expect(world.read).toEqual([]);
  });
});

const taken = (name: string, value: string, before: DocumentFields = {}) =>
  withDocumentField(before, name, value);

const records = (...given: readonly unknown[]): string => JSON.stringify({ records: given });

/** What is refused, with the message that says why. */
const refusal = (message: string) => ({ code: 'invalid_request', message: expect.stringContaining(message) });

const refusing = (name: string, value: string, before?: DocumentFields): unknown => {
  try {
    return taken(name, value, before);
  } catch (error) {
    return error;
  }
};

describe('what is said of a document beside its bytes', () => {
  it('is its title, its address and its metadata, each beside the others', () => {
    const fields = taken('url', 'https://a.example/b', taken('title', ' A falcon '));
    expect(fields).toEqual({ title: ' A falcon ', url: 'https://a.example/b' });
    expect(taken('metadata', records(), fields)).toEqual({ ...fields, metadata: [] });
  });

  it('is nothing else, which is named as it was sent', () => {
    expect(refusing('colour', 'red')).toMatchObject(
      refusal('"colour" is not a field of a document: the fields are title, url and metadata'),
    );
    const long = refusing('x'.repeat(101), '') as Error;
    expect(long.message).toContain(`"${'x'.repeat(100)}"`);
    expect((refusing('\ud800', '') as Error).message).toContain('"\ufffd"');
    expect(refusing('toString', '')).toMatchObject(refusal('"toString" is not a field'));
  });
});

describe('the title of a document', () => {
  it('is not blank, and has 500 characters at most', () => {
    expect(taken('title', 'x'.repeat(500)).title).toHaveLength(500);
    expect(refusing('title', 'x'.repeat(501))).toMatchObject(
      refusal('title must have at most 500 characters'),
    );
    expect(refusing('title', ' \n ')).toMatchObject(refusal('title must not be blank: leave it out'));
  });
});

describe('the address of a document', () => {
  const at = (length: number): string => `https://a.example/${'b'.repeat(length - 18)}`;

  it.each(['http://a', 'HTTPS://A.EXAMPLE', 'https://a.example/b?c#d', at(2_000)])(
    'is one of the web, as it was written: %s',
    (url) => {
      expect(taken('url', url)).toEqual({ url });
    },
  );

  it.each([
    'javascript:alert(1)',
    'ftp://a.example',
    'view https://a.example',
    'https://',
    'https:///a',
    'https://?a',
    'https://#a',
    '/a/b',
    'https://a.example/b c',
    'https://a.example/b\n',
    'https:// a',
    ' https://a.example',
  ])('is nothing that leads elsewhere, or holds blanks: %j', (url) => {
    expect(refusing('url', url)).toMatchObject(refusal('url must be an absolute http or https URL'));
  });
});

describe('the metadata of a document', () => {
  it.each(['', 'no JSON', 'null', '[]', '7', '{}', '{"records":{}}', '{"records":[],"more":1}'])(
    'are one object with a list of records, and not %j',
    (value) => {
      expect(refusing('metadata', value)).toMatchObject(
        refusal('metadata must be JSON: {"records": [{"key", "val", "type"}]}'),
      );
    },
  );

  it.each([
    null,
    'key=val',
    7,
    { val: 'v' },
    { key: 'k' },
    { key: '', val: 'v' },
    { key: 7, val: 'v' },
    { key: 'k', val: 7 },
    { key: 'x'.repeat(201), val: 'v' },
    { key: 'k', val: 'x'.repeat(2_001) },
    { key: 'k\0', val: 'v' },
    { key: 'k', val: 'v\0' },
    { key: 'k\ud800', val: 'v' },
    { key: 'k', val: 'v', type: 'text' },
    { key: 'k', val: 'v', more: 1 },
  ])('have no such record: %j', (record) => {
    expect(refusing('metadata', records({ key: 'well', val: 'v' }, record))).toMatchObject(
      refusal('record 1 of metadata must be {"key", "val", "type"}: a key of 1 to 200 characters'),
    );
    expect(refusing('metadata', records(record))).toMatchObject(refusal('record 0 of metadata'));
    expect((refusing('metadata', records(record)) as Error).message).toContain(
      'a val of at most 2000, and as type string (which is the default), integer, float, date or datetime',
    );
  });

  it('have values of the types that they name', () => {
    expect(refusing('metadata', records({ key: 'year', val: 'soon', type: 'integer' }))).toMatchObject({
      name: 'DomainError',
    });
  });
});

describe('the name of a document', () => {
  const refused = (locator: string): unknown => {
    try {
      return mustBeLocator(locator);
    } catch (error) {
      return error;
    }
  };

  it('is any text of up to 2,000 characters and 2,500 bytes, which leads nowhere', () => {
    for (const locator of ['a', '../../etc/passwd', ' ', 'x'.repeat(2_000), 'é'.repeat(1_250)])
      expect(refused(locator)).toBeUndefined();
    expect(refused('x'.repeat(2_001))).toMatchObject(
      refusal('has 2001 characters and 2001 bytes of UTF-8: at most 2000 and 2500'),
    );
    expect(refused(`${'é'.repeat(1_250)}x`)).toMatchObject(refusal('1251 characters and 2501 bytes'));
  });
});
