import { describe, expect, it } from 'vitest';
import type { UploadPart } from '../../../../application/sources/uploads/upload-part.ts';
import { caller, file, form, name, uploadWorld } from './upload-world.ts';

const { process: openProcess, swept, statusOf, keeps, underWay } = uploadWorld();

describe('what a process leaves that dies in an upload', () => {
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
    expect(await keeps(id, 'a wheatear')).toBe(true);
    await swept(process);
    // Its purge takes the bytes, as that of any deletion.
    expect(await statusOf(id)).toBe('deleting');
    expect(await underWay()).toBe(0);
  });

  it('goes without a group where its name had not come', async () => {
    const process = openProcess();
    async function* parts(): AsyncGenerator<UploadPart> {
      yield file('a whinchat');
      process.life.dead = true;
      throw new Error('killed');
    }
    await expect(process.create(caller, parts(), undefined)).rejects.toThrow('killed');
    const [id = ''] = process.held;
    expect(await keeps(id, 'a whinchat')).toBe(true);
    await swept(process);
    expect(await keeps(id, 'a whinchat')).toBe(false);
    expect(await statusOf(id)).toBeUndefined();
  });

  it('stays where the group has got its files, and only the answer was not sent', async () => {
    const process = openProcess();
    const { record } = await process.create(caller, form('a stonechat'), undefined);
    const id = record.sourceGroupId;
    await process.uploads.hold({ id, tenant: 'acme', createdId: id }, 60_000);
    await swept(process);
    expect(await statusOf(id)).toBe('queued');
    expect(await keeps(id, 'a stonechat')).toBe(true);
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
    expect([await statusOf(id), await keeps(id, 'a knot'), replayed]).toEqual(['queued', true, false]);
    const again = await openProcess().create(caller, form('a knot'), 'key');
    expect(again).toMatchObject({ record: { sourceGroupId: id }, position, replayed: true });
    expect(await underWay()).toBe(0);
  });
});
