import { describe, expect, it } from 'vitest';
import { dataSourceStream, derivedId, sourceStream } from '../../../../application/event-sourcing/streams.ts';
import { source } from '../../../../domain/source/decider.ts';
import { DomainError } from '../../../../domain/shared/domain-error.ts';
import { callerOf } from '../../../support/conversations.ts';
import { idOf } from '../../../support/memory-parts.ts';
import {
  ACME,
  field,
  file,
  form,
  NAMED,
  type UploadParts,
  uploadsInMemory,
} from '../../../support/uploads-in-memory.ts';

const opened = async (...texts: readonly string[]) => {
  const world = uploadsInMemory();
  const id = await world.groupOf(...(texts.length === 0 ? ['falcon'] : texts));
  const { add } = world.open();
  return { world, id, add: (parts: UploadParts, caller = ACME) => add(caller, id, parts) };
};
type World = Awaited<ReturnType<typeof opened>>['world'];
const invalid = (message: string) => ({ code: 'invalid_request', message: expect.stringContaining(message) });
/** A form that nobody may ask for. */
async function* unread(): UploadParts {
  yield Promise.reject(new Error('the form was asked for')) as never;
}
/** Records of a document of the group what a job has found. */
const found = async ({ execute, hash, time }: World, id: string, name: string, command: object) => {
  const about = { dataSourceId: id, sourceType: 'local_file', locator: name, jobId: 'job', generation: 1 };
  const stream = sourceStream(derivedId(hash, 'source', id, name));
  await execute(source, stream, { ...about, at: time.now, ...command } as never, ACME.context);
};
const SKIPPED = { type: 'record_skipped', reason: 'unsupported_file_type' };
const FAILED = { type: 'record_failed', code: 'parser_failed', message: 'it broke' };

describe('files that are added to a group', () => {
  it('are there beside the others, in place of those of their names, and a job reads them', async () => {
    const { world, id, add } = await opened('falcon', 'owl');
    async function* parts(): UploadParts {
      yield* [file('a newer owl', 'owl.txt'), file('heron'), field('last_modified', '[1, 2]')];
    }
    const { changed, position } = await add(parts());
    expect(await world.listOf(id)).toEqual({
      'falcon.txt': 'falcon',
      'heron.txt': 'heron',
      'owl.txt': 'a newer owl',
    });
    expect([changed, position]).toEqual([true, await world.store.head()]);
    const uploaded = (await world.stored(dataSourceStream(id))).filter(
      ({ type }) => type === 'FilesUploaded',
    );
    expect(uploaded.at(-1)).toMatchObject({ added: 1, replaced: 1, bytes: 16, at: world.time.now });
  });

  it('keep their bytes in the group alone, however the form ends', async () => {
    const { world, id, add } = await opened();
    await add(form(['owl']));
    await expect(add(form(['heron'], field('name', 'Fish')))).rejects.toMatchObject({
      code: 'invalid_request',
    });
    for (let n = 1; n <= world.ids.made(); n++) {
      const area = `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`;
      expect([await world.retainedFiles(area, 'owl'), await world.retainedFiles(area, 'heron')]).toEqual([
        area === id,
        false,
      ]);
    }
    world.time.now += 60_000;
    expect(await world.uploads.abandoned(9)).toEqual([]);
  });

  it('change nothing where they are there already, byte for byte', async () => {
    const { world, id, add } = await opened();
    const before = await world.eventsOf(id);
    const { changed, record, position } = await add(form(['falcon']));
    expect([changed, record.row.id, position]).toEqual([false, id, await world.store.head()]);
    expect(await world.eventsOf(id)).toEqual(before);
  });

  it('begin a job where none is under way', async () => {
    const { world, id, add } = await opened();
    await world.command(id, { type: 'cancel', at: world.time.now });
    const { record } = await add(form(['owl']));
    expect([record.row.status, record.row.generation]).toEqual(['queued', 2]);
    const [uploaded, queued] = (await world.stored(dataSourceStream(id))).slice(-2);
    expect([uploaded?.type, queued?.type]).toEqual(['FilesUploaded', 'JobQueued']);
  });
});

describe('a group that was canceled before its first files came', () => {
  it('takes files all the same, which a job then reads', async () => {
    const world = uploadsInMemory();
    const files = { ...world.files, move: () => Promise.reject(new Error('the disk is full')) };
    await expect(world.open({ files }).create(form(['falcon'], NAMED), 'key')).rejects.toThrow('full');
    const { events } = await world.store.read('', { categories: ['dataSource'] }, 9);
    const id = events[0]!.stream.slice('dataSource-'.length);
    await world.command(id, { type: 'cancel', at: world.time.now });
    expect((await world.open().add(ACME, id, form(['owl']))).record.row.status).toBe('queued');
    expect(await world.listOf(id)).toEqual({ 'owl.txt': 'owl' });
  });
});

describe('files that a group has already', () => {
  it.each([
    ['was taken out', [SKIPPED, { type: 'remove', reason: 'caller', jobId: null, generation: 1 }]],
    ['could not be read', [FAILED]],
  ] as const)('count as changed where the document %s', async (_, commands) => {
    const { world, id, add } = await opened('falcon', 'owl');
    for (const command of commands) await found(world, id, 'falcon.txt', command);
    await found(world, id, 'owl.txt', SKIPPED);
    expect((await add(form(['falcon', 'owl']))).changed).toBe(true);
    const last = (await world.stored(dataSourceStream(id))).findLast(({ type }) => type === 'FilesUploaded');
    expect(last).toMatchObject({ added: 0, replaced: 1, bytes: 6 });
  });

  it('count as changed where their bytes are lost', async () => {
    const { world, id, add } = await opened('falcon', 'owl');
    await (await world.files.area(id)).delete(world.hash.sha256('falcon'));
    expect((await add(form(['falcon', 'owl']))).changed).toBe(true);
    expect(await world.listOf(id)).toEqual({ 'falcon.txt': 'falcon', 'owl.txt': 'owl' });
  });
});

describe('a whole form that is sent again', () => {
  it('means the same group by its name and its keys', async () => {
    const { world, add } = await opened();
    const none = field('chunk_metadata_keys', '[]');
    expect((await add(form(['owl'], NAMED, none))).changed).toBe(true);
    await expect(add(form(['heron'], field('name', 'Fish')))).rejects.toMatchObject(
      invalid('the group has another name: leave name out, or change it with PUT /source-groups/{id}'),
    );
    const keys = field('chunk_metadata_keys', '[{"key":"price","type":"float"}]');
    await expect(add(form(['heron'], keys))).rejects.toMatchObject(
      invalid('the group has other chunk_metadata_keys, which are fixed at its creation: leave them out'),
    );
    expect(await world.uploads.abandoned(9)).toEqual([]);
  });
});

describe('a group that takes no files', () => {
  it('is one that the caller may not know of', async () => {
    const { world, add } = await opened();
    const missing = { code: 'not_found', message: 'there is no such local file group' };
    const at = (id: string, caller = ACME) => world.open().add(caller, id, unread());
    await expect(at(idOf(9))).rejects.toMatchObject(missing);
    await expect(add(unread(), callerOf('other'))).rejects.toMatchObject(missing);
    await expect(add(unread(), callerOf('acme', [idOf(9)]))).rejects.toMatchObject(missing);
    const registration = {
      subject: { kind: 'push' },
      ingestionSettingId: idOf(1),
      metadata: [],
      ready: true,
    };
    const push = { type: 'enqueue', registration, jobId: idOf(3), trigger: 'create', mode: 'full', at: 1 };
    await world.command(idOf(2), push);
    await expect(at(idOf(2))).rejects.toMatchObject(missing);
  });

  it('is one that is being deleted, also since the form began to come', async () => {
    const { world, id, add } = await opened();
    async function* slow(): UploadParts {
      yield* form(['owl']);
      await world.command(id, { type: 'delete', at: world.time.now });
    }
    await expect(add(slow())).rejects.toMatchObject({ code: 'source_deleting' });
    expect(await world.retainedFiles(id, 'owl')).toBe(false);
    await expect(add(unread())).rejects.toMatchObject({ code: 'source_deleting' });
  });

  it('takes the bytes along where it is deleted behind the last look', async () => {
    const { world, id } = await opened();
    const files = {
      ...world.files,
      move: async (from: string, to: string) => {
        await world.files.move(from, to);
        await world.command(id, { type: 'delete', at: world.time.now });
      },
    };
    const late = world.open({ files }).add(ACME, id, form(['owl']));
    await expect(late).rejects.toMatchObject({ code: 'source_deleting' });
    expect([await world.retainedFiles(id, 'owl'), await world.retainedFiles(id, 'falcon')]).toEqual([
      false,
      false,
    ]);
  });

  it('keeps its bytes where it is refused, and goes on', async () => {
    const { world, id, add } = await opened();
    const execute = Object.assign(
      () => Promise.reject(new DomainError('conflict', 'not now')),
      world.execute,
    );
    await expect(world.open({ execute }).add(ACME, id, form(['owl']))).rejects.toThrow('not now');
    expect(await world.retainedFiles(id, 'falcon')).toBe(true);
    expect((await add(form(['owl']))).changed).toBe(true);
  });
});

describe('uploads to one group at once', () => {
  it('take turns: each adds to the list that the one before left', async () => {
    const { world, id, add } = await opened();
    const answers = await Promise.all(['owl', 'heron', 'stork'].map((text) => add(form([text]))));
    expect(answers.map(({ changed }) => changed)).toEqual([true, true, true]);
    expect(Object.keys(await world.listOf(id))).toEqual(['falcon.txt', 'heron.txt', 'owl.txt', 'stork.txt']);
  });

  it('give up where others are quicker for twenty times', async () => {
    const { world, id, add } = await opened();
    let others = 0;
    const files = {
      ...world.files,
      area: async (name: string) => {
        const area = await world.files.area(name);
        return {
          ...area,
          putText: async (text: string) => {
            const stored = await area.putText(text);
            if (text.includes('owl.txt')) await add(form([`other ${(others += 1)}`]));
            return stored;
          },
        };
      },
    };
    const slow = world.open({ files }).add(ACME, id, form(['owl']));
    await expect(slow).rejects.toMatchObject({
      code: 'conflict',
      message: 'too many uploads to this group at once: try again',
    });
    expect(others).toBe(20);
  });
});
