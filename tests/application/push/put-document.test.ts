import { describe, expect, it } from 'vitest';
import { WaitedTooLong } from '../../../application/folding/patience.ts';
import { sourceStream } from '../../../application/streams.ts';
import type { UploadPart } from '../../../application/upload/upload-part.ts';
import { source } from '../../../domain/source/index.ts';
import { callerOf } from '../../support/conversations.ts';
import { ACME, NO_RULES, partsOf, pushesInMemory } from '../../support/pushes-in-memory.ts';

const TEXT = 'Falcons\nThey dive.';
const conflict = (message: string) => ({ code: 'conflict', message: expect.stringContaining(message) });
const invalid = (message: string) => ({
  code: 'invalid_request',
  message: expect.stringContaining(message),
});

/** A push with its first job, which has run for long enough that progress is due. */
const opened = async () => {
  const world = pushesInMemory();
  const one = world.open();
  const row = await one.create();
  world.time.now += 10_000;
  return { world, one, id: row.id, jobId: row.jobId };
};
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
    const { world, one, id } = await opened();
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

  it('has the title and the address of its own where nothing is said of them', async () => {
    const { one, id } = await opened();
    const { record } = await one.put(id, 'a.txt', TEXT, { title: 'Birds of prey' });
    expect(record).toMatchObject({ title: 'Birds of prey', url: `/raw/${record.id}`, metadata: [] });
    expect((await one.put(id, 'b.txt', TEXT)).record.title).toBe('Falcons');
  });

  it('has no type where none is claimed', async () => {
    const { one, id } = await opened();
    const { record } = await one.putParts(ACME, id, 'a', of(bytes(TEXT)), {});
    expect(record.mediaType).toBe('application/octet-stream');
  });

  it('keeps its bytes and its chunks in its push, and nothing where they came in', async () => {
    const { world, one, id } = await opened();
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
    const { one, id } = await opened();
    const first = (await one.put(id, 'a.txt', 'One\n1')).record;
    const second = (await one.put(id, 'a.txt', 'Two\n1\n2')).record;
    const other = (await one.put(id, 'b.txt', 'One\n1')).record;
    expect([second.id, second.title, second.contentCount]).toEqual([first.id, 'Two', 2]);
    expect(other.id).not.toBe(first.id);
  });

  it('changes nothing where it is there already, byte for byte and word for word', async () => {
    const { world, one, id } = await opened();
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
    const { world, one, id } = await opened();
    await one.put(id, 'a.txt', TEXT);
    expect((await one.put(id, 'a.txt', text, fields)).changed).toBe(true);
    expect(world.read).toEqual(['a.txt', 'a.txt']);
  });

  it('is a new version where its claimed type is another', async () => {
    const { world, one, id } = await opened();
    await one.put(id, 'a.txt', TEXT);
    await one.putParts(ACME, id, 'a.txt', partsOf(TEXT, 'text/markdown'), {});
    expect(world.read).toEqual(['a.txt', 'a.txt']);
  });

  it('takes other metadata without being read again', async () => {
    const { world, one, id } = await opened();
    await one.put(id, 'a.txt', TEXT);
    const metadata = [{ key: 'team', val: 'search', type: 'string' as const }];
    const second = await one.put(id, 'a.txt', TEXT, { metadata });
    expect([second.changed, second.record.metadata]).toEqual([true, metadata]);
    expect(second.position).toBe(await world.store.head());
    expect(world.read).toEqual(['a.txt']);
    expect((await one.put(id, 'a.txt', TEXT)).record.metadata).toEqual(metadata);
  });

  it('that an earlier job has read is only met again by the next, if that looks for changes alone', async () => {
    const { world, one, id, jobId } = await opened();
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
    const { world, one, id } = await opened();
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
    const { world, one, id } = await opened();
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
    const { one, id } = await opened();
    const parts = of(bytes(TEXT), field('title', 'Late'));
    expect((await one.putParts(ACME, id, 'a', parts, {})).record.title).toBe('Late');
  });

  it('are said once, whether in the form or beside it', async () => {
    const { one, id } = await opened();
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
    const { world, one, id } = await opened();
    await expect(one.putParts(ACME, id, 'a', parts(), {})).rejects.toMatchObject(invalid(message));
    expect(world.read).toEqual([]);
  });
});

describe('a push that does not take a document', () => {
  /** A form that nobody may ask for: what is refused is refused before anything is sent in vain. */
  async function* unread(): AsyncGenerator<UploadPart> {
    yield Promise.reject(new Error('the document was asked for')) as never;
  }

  it('refuses a name that is none before anything is sent', async () => {
    const { one, id } = await opened();
    await expect(one.putParts(ACME, id, '', unread(), {})).rejects.toMatchObject(
      invalid('the locator is empty'),
    );
  });

  it('is one that nobody knows of, or of another tenant, or outside of what the key may see', async () => {
    const { one, id } = await opened();
    const nowhere = '01900000-0000-7000-8000-00000000dead';
    const missing = { code: 'not_found', message: 'there is no such source group' };
    await expect(one.putParts(ACME, nowhere, 'a', unread(), {})).rejects.toMatchObject(missing);
    await expect(one.putParts(callerOf('other'), id, 'a', unread(), {})).rejects.toMatchObject(missing);
    const restricted = callerOf('acme', [nowhere]);
    await expect(one.putParts(restricted, id, 'a', unread(), {})).rejects.toMatchObject(missing);
    expect((await one.put(id, 'a', TEXT, {}, callerOf('acme', [id]))).changed).toBe(true);
  });

  it('is one without a job under way', async () => {
    const { one, id, jobId } = await opened();
    await one.jobs.complete(ACME, id, jobId);
    await expect(one.putParts(ACME, id, 'a', unread(), {})).rejects.toMatchObject(
      conflict('no job of this push is under way'),
    );
  });

  it('is one whose job ended while the document was on its way', async () => {
    const { one, id, jobId } = await opened();
    async function* slow(): AsyncGenerator<UploadPart> {
      await one.jobs.complete(ACME, id, jobId);
      yield* partsOf(TEXT);
    }
    await expect(one.putParts(ACME, id, 'a', slow(), {})).rejects.toMatchObject(
      conflict('no job of this push is under way'),
    );
  });

  it('is one that was deleted while the document was on its way', async () => {
    const { world, one, id } = await opened();
    async function* slow(): AsyncGenerator<UploadPart> {
      await world.command(id, { type: 'delete', at: world.time.now });
      await world.command(id, { type: 'delete_done', contents: 0, sources: 0, bytes: 0, at: world.time.now });
      yield* partsOf(TEXT);
    }
    await expect(one.putParts(ACME, id, 'a', slow(), {})).rejects.toMatchObject({ code: 'not_found' });
    expect(await world.keeps(id, TEXT)).toBe(false);
  });
});

describe('a document that a caller took out', () => {
  it('comes back with the next job, and not with the one under way', async () => {
    const { world, one, id, jobId } = await opened();
    const { record } = await one.put(id, 'a.txt', TEXT);
    const { time, execute } = world;
    const out = { type: 'remove', reason: 'caller', jobId: null, generation: 2, at: time.now } as const;
    await execute(source, sourceStream(record.id), out as never, ACME.context);
    await expect(one.put(id, 'a.txt', 'Newer\ntext')).rejects.toMatchObject(
      conflict('this document was taken out by DELETE /sources/{id}'),
    );
    await one.jobs.complete(ACME, id, jobId);
    await one.jobs.open(ACME, id, undefined);
    expect((await one.put(id, 'a.txt', 'Newer\ntext')).record.status).toBe('indexed');
  });
});

describe('two reports of one push', () => {
  it('are recorded in turn: what another has changed meanwhile is read again', async () => {
    const { world, one, id } = await opened();
    const two = world.open();
    let came = false;
    const deps = { ...world.deps };
    const slow = world.open({
      ledger: {
        ...deps.ledger,
        known: async (run, locators) => {
          const known = await deps.ledger.known(run, locators);
          if (!came) {
            came = true;
            await two.put(id, 'a.txt', 'Other\ntext');
          }
          return known;
        },
      },
    });
    await one.put(id, 'a.txt', TEXT);
    // When it looked first, nothing had to be read.
    const written = await slow.put(id, 'a.txt', TEXT);
    expect([written.changed, written.record.title]).toEqual([true, 'Falcons']);
    expect(world.read).toHaveLength(3);
  });
});

describe('a job of which nothing was heard for long', () => {
  const lost = async () => {
    const all = await opened();
    await all.world.command(all.id, { type: 'lost', at: all.world.time.now });
    return all;
  };

  it('goes on with the next document', async () => {
    const { world, one, id } = await lost();
    const { position } = await one.put(id, 'a.txt', TEXT);
    expect((await world.eventsOf(id)).slice(-2)).toEqual(['JobStatusReconciled', 'JobProgressed']);
    expect(position).toBe(await world.store.head());
    expect((await world.stored(`dataSource-${id}`)).at(-2)).toMatchObject({ status: 'managed' });
  });

  it('ends as canceled where that was asked for before, and takes no document', async () => {
    const { world, one, id } = await opened();
    await world.command(id, { type: 'cancel', at: world.time.now });
    await world.command(id, { type: 'lost', at: world.time.now });
    await expect(one.put(id, 'a.txt', TEXT)).rejects.toMatchObject(
      conflict('the job was canceled, and has ended by that now'),
    );
    expect((await world.stored(`dataSource-${id}`)).at(-1)).toMatchObject({
      type: 'JobStatusReconciled',
      status: 'canceled',
    });
  });
});

describe('progress of a push', () => {
  it('is told where it is due, and every report is heard', async () => {
    const { world, one, id } = await opened();
    await one.put(id, 'a.txt', TEXT);
    const told = await world.eventsOf(id);
    world.time.now += 1_000;
    await one.put(id, 'b.txt', TEXT);
    expect(await world.eventsOf(id)).toEqual(told);
    expect(await world.ledger.heardAt(id)).toBe(world.time.now);
    world.time.now += 2_000;
    await one.put(id, 'c.txt', TEXT);
    const last = (await world.stored(`dataSource-${id}`)).at(-1);
    expect(last).toMatchObject({ type: 'JobProgressed', counts: { seen: 3, indexed: 3 } });
  });
});

describe('reading a document', () => {
  it('waits for the policies that were there before, and for nothing of the catalog', async () => {
    const { world, one, id } = await opened();
    await one.put(id, 'a.txt', TEXT);
    expect(world.awaited).toEqual(['redaction_policy']);
  });

  it('fails as unavailable where these cannot be known, and leaves nothing', async () => {
    const { world, id } = await opened();
    const behind = world.open({ gate: { reached: async () => false } });
    await expect(behind.put(id, 'a.txt', TEXT)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'the redaction policies cannot be read now: try again',
    });
    expect(world.read).toEqual([]);
  });

  it('forgets the policies that it knew', async () => {
    const { world, id } = await opened();
    const told: string[] = [];
    const redaction = {
      at: async () => {
        told.push('asked for');
        return { rules: [], compiled: NO_RULES };
      },
      forget: () => void told.push('forgotten'),
    };
    await world.open({ redaction }).put(id, 'a.txt', TEXT);
    expect(told).toEqual(['forgotten', 'asked for']);
  });

  it('ends as waited for too long once its caller has gone', async () => {
    const { world, id } = await opened();
    const gone = new AbortController();
    const caller = { ...ACME, context: { ...ACME.context, signal: gone.signal } };
    const leaving = {
      ...world.deps.extractor,
      extractBatch: async () => {
        gone.abort();
        throw new Error('stopped');
      },
    };
    const reading = world.open({ extractor: leaving }).put(id, 'a.txt', TEXT, {}, caller);
    await expect(reading).rejects.toThrow(WaitedTooLong);
    const behind = world.open({ gate: { reached: async () => false } });
    await expect(behind.put(id, 'a.txt', TEXT, {}, caller)).rejects.toThrow(WaitedTooLong);
  });

  it('fails as its reader does while its caller waits', async () => {
    const { world, id } = await opened();
    const broken = { ...world.deps.extractor, extractBatch: () => Promise.reject(new Error('no reader')) };
    await expect(world.open({ extractor: broken }).put(id, 'a.txt', TEXT)).rejects.toThrow('no reader');
  });
});
