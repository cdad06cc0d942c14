import { dataSourceStream } from '../../../../application/event-sourcing/streams.ts';
import type { UploadPart } from '../../../../application/sources/uploads/upload-area.ts';
import { dataSource } from '../../../../domain/data-source/index.ts';
import { caller, file, form, name, uploadWorld } from './upload-world.ts';
import { describe, expect, it } from 'vitest';

describe('failed uploads', () => {
  const { process: openProcess, world, swept, statusOf, retainedFiles, underWay } = uploadWorld();

  describe('an upload that fails', () => {
    it('keeps the group that has its files when it cannot put down its hold', async () => {
      const process = openProcess(({ uploads }) => ({
        uploads: {
          ...uploads,
          release: async () => {
            throw new Error('connection lost');
          },
        },
      }));
      const { record } = await process.create(caller, form('a turnstone'), undefined);
      const id = record.sourceGroupId;
      await swept({ ...process, uploads: openProcess().uploads });
      expect([await statusOf(id), await retainedFiles(id, 'a turnstone'), await underWay()]).toEqual([
        'queued',
        true,
        0,
      ]);
    });

    it('takes its group and its bytes away', async () => {
      const process = openProcess();
      async function* parts(): AsyncGenerator<UploadPart> {
        yield* [name('Broken'), file('a wheatear')];
        throw new Error('the client has gone');
      }
      await expect(process.create(caller, parts(), undefined)).rejects.toThrow('the client has gone');
      const [id = ''] = process.held;
      expect([await statusOf(id), await retainedFiles(id, 'a wheatear')]).toEqual(['deleting', false]);
      expect(await underWay()).toBe(0);
    });

    it('leaves both to the sweep where the group cannot be taken away now', async () => {
      let away = false;
      const process = openProcess(({ execute }) => ({
        execute: Object.assign(
          (async (...of: Parameters<typeof execute>) => {
            if (away) throw new Error('the log is away');
            return execute(...of);
          }) as typeof execute,
          { load: execute.load },
        ),
      }));
      async function* parts(): AsyncGenerator<UploadPart> {
        yield* [name('Broken'), file('a godwit')];
        away = true;
        throw new Error('the client has gone');
      }
      await expect(process.create(caller, parts(), undefined)).rejects.toThrow('the client has gone');
      const [id = ''] = process.held;
      expect([await statusOf(id), await retainedFiles(id, 'a godwit')]).toEqual(['not_started', true]);
      await swept(process);
      expect([await statusOf(id), await retainedFiles(id, 'a godwit')]).toEqual(['deleting', false]);
    });
  });

  describe('files on their way into a group that is deleted', () => {
    it('are not left behind, wherever its purge stands', async () => {
      const { record } = await openProcess().create(caller, form('a dunlin'), undefined);
      const id = record.sourceGroupId;
      const act = (command: object) =>
        world().execute(dataSource, dataSourceStream(id), command as never, caller.context);
      const process = openProcess(({ files }) => ({
        files: {
          ...files,
          move: async (from, to) => {
            await act({ type: 'delete', at: 1 });
            await files.remove(id);
            await act({ type: 'delete_done', contents: 0, sources: 0, bytes: 0, at: 2 });
            return files.move(from, to);
          },
        },
      }));
      await expect(process.add(caller, id, form('a sanderling'))).rejects.toMatchObject({
        code: 'not_found',
      });
      expect([await statusOf(id), await retainedFiles(id, 'a sanderling')]).toEqual(['removed', false]);
    });
  });

  describe('two equal requests with one Idempotency-Key', () => {
    it('get one group, also where the second is quicker than the first', async () => {
      const slow = Promise.withResolvers<void>();
      const reached = Promise.withResolvers<void>();
      let late = 0;
      const first = openProcess(({ uploads, clock }) => ({
        clock: { now: () => clock.now() + late },
        uploads: {
          ...uploads,
          hold: async (upload, ms) => {
            await uploads.hold(upload, ms);
            late = 58_000;
          },
          // It looks whether its lease is still held. After its claim, and before it registers the group.
          renew: async (id, ms) => {
            reached.resolve();
            await slow.promise;
            return uploads.renew(id, ms);
          },
        },
      })).create(caller, form('a ruff'), 'key');
      await reached.promise;
      const second = await openProcess().create(caller, form('a ruff'), 'key');
      slow.resolve();
      expect((await first).record).toEqual(second.record);
      expect([await first, second].map(({ replayed }) => replayed)).toEqual([true, false]);
    });
  });
});

describe('what a process leaves that dies in an upload', () => {
  const { process: openProcess, swept, statusOf, retainedFiles, underWay } = uploadWorld();

  it('goes: the bytes that had come, and the group that was made for them', async () => {
    const process = openProcess();
    async function* parts(): AsyncGenerator<UploadPart> {
      yield* [name('Broken'), file('a wheatear')];
      process.life.dead = true;
      throw new Error('killed');
    }
    const dying = process.create(caller, parts(), undefined);
    await expect(dying).rejects.toThrow('killed');
    const [id = ''] = process.held;
    expect(await retainedFiles(id, 'a wheatear')).toBe(true);
    await swept(process);
    // Its purge takes the bytes, as that of any deletion.
    expect(await statusOf(id)).toBe('deleting');
    expect(await underWay()).toBe(0);
  });

  it('stays where the group has got its files, and only the answer was not sent', async () => {
    const process = openProcess();
    const { record } = await process.create(caller, form('a stonechat'), undefined);
    const id = record.sourceGroupId;
    await process.uploads.hold({ id, tenant: 'acme', createdId: id }, 60_000);
    await swept(process);
    expect(await statusOf(id)).toBe('queued');
    expect(await retainedFiles(id, 'a stonechat')).toBe(true);
  });

  it('stays for the request that is repeated with its Idempotency-Key, which completes it', async () => {
    const dying = openProcess(({ files }) => ({
      files: {
        ...files,
        move: async () => {
          dying.life.dead = true;
          throw new Error('killed');
        },
      },
    }));
    await expect(dying.create(caller, form('a knot'), 'key')).rejects.toThrow('killed');
    await swept(dying);
    const { record, position, replayed } = await openProcess().create(caller, form('a knot'), 'key');
    const id = record.sourceGroupId;
    expect([await statusOf(id), await retainedFiles(id, 'a knot'), replayed]).toEqual([
      'queued',
      true,
      false,
    ]);
    const again = await openProcess().create(caller, form('a knot'), 'key');
    expect(again).toMatchObject({ record: { sourceGroupId: id }, position, replayed: true });
    expect(await underWay()).toBe(0);
  });
});
