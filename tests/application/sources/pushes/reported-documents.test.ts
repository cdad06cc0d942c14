import { ContentionTimeout } from '../../../../application/event-sourcing/back-off.ts';
import { sourceStream } from '../../../../application/event-sourcing/streams.ts';
import type { UploadPart } from '../../../../application/sources/uploads/upload-area.ts';
import { source } from '../../../../domain/source/decider.ts';
import { callerOf, refused } from '../../../support/conversations.ts';
import { ACME, openedPush, partsOf, pushesInMemory } from '../../../support/pushes-in-memory.ts';
import { describe, expect, it } from 'vitest';

const TEXT = 'Falcons\nThey dive.';

const conflict = (message: string) => ({ code: 'conflict', message: expect.stringContaining(message) });

const invalid = (message: string) => ({
  code: 'invalid_request',
  message: expect.stringContaining(message),
});

describe('a push that does not take a document', () => {
  /** A form that nobody may ask for: what is refused is refused before anything is sent in vain. */
  async function* unread(): AsyncGenerator<UploadPart> {
    yield Promise.reject(new Error('the document was asked for')) as never;
  }

  it('refuses a name that is none before anything is sent', async () => {
    const { one, id } = await openedPush();
    await expect(one.putParts(ACME, id, '', unread(), {})).rejects.toMatchObject(
      invalid('the locator is empty'),
    );
  });

  it('is one that nobody knows of, or of another tenant, or outside of what the key may see', async () => {
    const { one, id } = await openedPush();
    const nowhere = '01900000-0000-7000-8000-00000000dead';
    const missing = { code: 'not_found', message: 'there is no such source group' };
    await expect(one.putParts(ACME, nowhere, 'a', unread(), {})).rejects.toMatchObject(missing);
    await expect(one.putParts(callerOf('other'), id, 'a', unread(), {})).rejects.toMatchObject(missing);
    const restricted = callerOf('acme', [nowhere]);
    await expect(one.putParts(restricted, id, 'a', unread(), {})).rejects.toMatchObject(missing);
    expect((await one.put(id, 'a', TEXT, {}, callerOf('acme', [id]))).changed).toBe(true);
  });

  it('is one whose job ended while the document was on its way', async () => {
    const { one, id, jobId } = await openedPush();
    async function* slow(): AsyncGenerator<UploadPart> {
      await one.jobs.complete(ACME, id, jobId);
      yield* partsOf(TEXT);
    }
    await expect(one.putParts(ACME, id, 'a', slow(), {})).rejects.toMatchObject(
      conflict('no job of this push is under way'),
    );
  });
});

describe('a document that a caller took out', () => {
  it('comes back with the next job, and not with the one under way', async () => {
    const { world, one, id, jobId } = await openedPush();
    const { record } = await one.put(id, 'a.txt', TEXT);
    const { time, execute } = world;
    const out = { type: 'remove', reason: 'caller', jobId: null, generation: 2, at: time.now } as const;
    await execute(source, sourceStream(record.id), out as never, ACME.context);
    await expect(one.put(id, 'a.txt', 'Newer\ntext')).rejects.toMatchObject(
      conflict('this document was removed by DELETE /sources/{id}'),
    );
    await one.jobs.complete(ACME, id, jobId);
    await one.jobs.open(ACME, id, undefined);
    expect((await one.put(id, 'a.txt', 'Newer\ntext')).record.status).toBe('indexed');
  });
});

describe('a report that others have overtaken', () => {
  it('puts no bytes into a push that is not its own any more', async () => {
    const { world, one, id } = await openedPush();
    const slow = world.open({}, (caller, push, use) =>
      one.lockPush(caller, push, ({ state }) =>
        use({
          state,
          assertLeaseHeld: () => {
            throw new Error('not ours any more');
          },
        }),
      ),
    );
    await expect(slow.put(id, 'a.txt', TEXT)).rejects.toThrow('not ours any more');
    expect(await world.retainedFiles(id, TEXT)).toBe(false);
  });

  it('answers what it wrote where a caller has taken its document out before the answer', async () => {
    const { world, id } = await openedPush();
    const { itemStore, execute, time, store } = world;
    const heard: typeof itemStore.recordHeartbeat = async (...of) => {
      const { events } = await store.read('', { categories: ['source'] }, 9);
      const out = { type: 'remove', reason: 'caller', jobId: null, generation: 2, at: time.now };
      await execute(source, events[0]!.stream as never, out as never, ACME.context);
      await itemStore.recordHeartbeat(...of);
    };
    const late = world.open({ itemStore: { ...itemStore, recordHeartbeat: heard } });
    const { record, changed } = await late.put(id, 'a.txt', TEXT);
    expect([changed, record.title, record.status]).toEqual([true, 'Falcons', 'indexed']);
    await expect(world.open().put(id, 'a.txt', TEXT)).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('two reports of one push', () => {
  it('are recorded in turn: what another has changed meanwhile is read again', async () => {
    const { world, one, id } = await openedPush();
    const two = world.open();
    let came = false;
    const deps = { ...world.deps };
    const slow = world.open({
      itemStore: {
        ...deps.itemStore,
        known: async (run, locators) => {
          const known = await deps.itemStore.known(run, locators);
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
    const all = await openedPush();
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
    const { world, one, id } = await openedPush();
    await world.command(id, { type: 'cancel', at: world.time.now });
    await world.command(id, { type: 'lost', at: world.time.now });
    await expect(one.put(id, 'a.txt', TEXT)).rejects.toMatchObject(
      conflict('the job was canceled and has ended'),
    );
    expect((await world.stored(`dataSource-${id}`)).at(-1)).toMatchObject({
      type: 'JobStatusReconciled',
      status: 'canceled',
    });
  });
});

describe('reading a document', () => {
  it('fails as unavailable where these cannot be known, and leaves nothing', async () => {
    const { world, id } = await openedPush();
    const behind = world.open({ gate: { reached: async () => false } });
    await expect(behind.put(id, 'a.txt', TEXT)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'the redaction policies are not available now: try again',
    });
    expect(world.read).toEqual([]);
  });

  it('ends as waited for too long once its caller has gone', async () => {
    const { world, id } = await openedPush();
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
    await expect(reading).rejects.toThrow(ContentionTimeout);
    const behind = world.open({ gate: { reached: async () => false } });
    await expect(behind.put(id, 'a.txt', TEXT, {}, caller)).rejects.toThrow(ContentionTimeout);
  });
});

const opened = async () => {
  const world = pushesInMemory();
  const one = world.open();
  const row = await one.create();
  world.time.now += 10_000;
  const { record } = await one.put(row.id, 'a.txt', TEXT);
  world.time.now += 10_000;
  return { world, one, id: row.id, jobId: row.jobId, document: record };
};

describe('a document that its executor takes out', () => {
  it('is answered as it was, at the position of the fact, and told of as gone', async () => {
    const { world, one, id, jobId, document } = await opened();
    const { record, position, changed } = await one.remove(ACME, id, 'a.txt');
    expect([record, changed]).toEqual([document, true]);
    const events = await world.store.readStream(sourceStream(document.id));
    expect(events.at(-1)).toMatchObject({
      type: 'SourceRemoved',
      position,
      data: { reason: 'gone', job_id: jobId, generation: 1, at: world.time.now },
    });
  });

  it('is withheld from every read, and its files with it, until the catalog knows', async () => {
    const { world, one, id, document } = await opened();
    const { position } = await one.remove(ACME, id, 'a.txt');
    expect(world.tombstones).toEqual([
      {
        sourceId: document.id,
        dataSourceId: id,
        tenant: 'acme',
        revision: 1n,
        generation: 1,
        position,
        files: [world.hash.sha256(TEXT), expect.stringMatching(/^[0-9a-f]{64}$/)],
      },
    ]);
    const failed = await one.put(id, 'b.txt', '!broken');
    await one.remove(ACME, id, 'b.txt');
    expect(world.tombstones.at(-1)).toMatchObject({ sourceId: failed.record.id, files: [] });
  });

  it('may be brought again, byte for byte, and is read then', async () => {
    const { world, one, id, document } = await opened();
    await one.remove(ACME, id, 'a.txt');
    const again = await one.put(id, 'a.txt', TEXT);
    expect(again.record).toMatchObject({ id: document.id, status: 'indexed' });
    expect(world.read).toEqual(['a.txt', 'a.txt']);
  });

  it('is forgotten by the item store before the fact: broken off in between, it would be read again', async () => {
    const { world, id } = await opened();
    const away = world.open({
      execute: Object.assign(() => Promise.reject(new Error('the log is away')), world.execute),
    });
    await expect(away.remove(ACME, id, 'a.txt')).rejects.toThrow('the log is away');
    const run = { dataSourceId: id, generation: 1, rulesChangedAt: 0 };
    expect(await world.itemStore.known(run, ['a.txt'])).toEqual(new Map());
    expect(world.tombstones).toEqual([]);
  });

  it('stays where a newer job has written of it', async () => {
    const { world, one, id } = await opened();
    const { record } = await one.put(id, 'b.txt', TEXT);
    const newer = {
      type: 'record_skipped',
      reason: 'unsupported_file_type',
      dataSourceId: id,
      sourceType: 'push',
      locator: 'b.txt',
      jobId: 'newer',
      generation: 2,
      at: world.time.now,
    };
    await world.execute(source, sourceStream(record.id), newer as never, ACME.context);
    await expect(one.remove(ACME, id, 'b.txt')).rejects.toMatchObject({
      code: 'conflict',
      message: 'a newer job has changed this document',
    });
  });

  it('is refused by a name that is none, by a push that takes none, and to whoever may not see it', async () => {
    const { world, one, id, jobId, document } = await opened();
    const code = (caller: typeof ACME, locator: string) => refused(one.remove(caller, id, locator));
    expect(await code(ACME, '')).toBe('invalid_request');
    expect(await code(ACME, 'nothing.txt')).toBe('not_found');
    expect(await code(callerOf('other'), 'a.txt')).toBe('not_found');
    await one.jobs.complete(ACME, id, jobId);
    expect(await code(ACME, 'a.txt')).toBe('conflict');
    expect(await world.eventsOfDocument(document.id)).toEqual(['SourceIndexed']);
  });
});
