import { describe, expect, it } from 'vitest';
import { idOf } from '../../../support/memory-parts.ts';
import { file, NAMED, type UploadParts, uploadsInMemory } from '../../../support/uploads-in-memory.ts';

/** A group whose process died in its upload, and the upload that nobody holds any more. */
const left = async () => {
  const world = uploadsInMemory();
  let dead = false;
  const mortal = <T extends object>(port: T): T =>
    new Proxy(port, {
      get: (target, key) => (dead ? () => Promise.reject(new Error('it is dead')) : Reflect.get(target, key)),
    });
  async function* parts(): UploadParts {
    yield* [NAMED, file('falcon')];
    dead = true;
    throw new Error('killed');
  }
  const execute = Object.assign(
    (...of: Parameters<typeof world.execute>) =>
      dead ? Promise.reject(new Error('it is dead')) : world.execute(...of),
    world.execute,
  ) as never;
  await expect(
    world.open({ files: mortal(world.files), uploads: mortal(world.uploads), execute }).create(parts()),
  ).rejects.toThrow('killed');
  world.time.now += 60_000;
  const [upload] = await world.uploads.abandoned(9);
  return { world, upload: upload!, id: upload!.createdId! };
};

describe('a sweep of uploads', () => {
  it('takes the bytes alone where the group has got its files from elsewhere, or is gone', async () => {
    const world = uploadsInMemory();
    const id = await world.groupOf('falcon');
    const [other, third] = [idOf(1), idOf(2)];
    for (const area of [other, third]) await (await world.files.area(area)).putText('owl');
    await world.uploads.hold({ id: other, tenant: 'acme', createdId: id }, 0);
    await world.swept();
    expect([(await world.stateOf(id)).status, await world.keeps(other, 'owl')]).toEqual(['queued', false]);
    expect(await world.keeps(id, 'falcon')).toBe(true);
    const { upload, id: gone, world: of } = await left();
    await of.command(gone, { type: 'delete', at: 1 });
    await of.command(gone, { type: 'delete_done', contents: 0, sources: 0, bytes: 0, at: 2 });
    await of.swept();
    expect([(await of.stateOf(gone)).status, await of.keeps(upload.id, 'falcon')]).toEqual([
      'removed',
      false,
    ]);
    await world.uploads.hold({ id: third, tenant: 'acme', createdId: null }, 0);
    await world.swept();
    expect(await world.keeps(third, 'owl')).toBe(false);
    await (await world.files.area(third)).putText('owl');
    await world.uploads.hold({ id: third, tenant: 'acme', createdId: idOf(8) }, 0);
    await world.swept();
    expect(await world.keeps(third, 'owl')).toBe(false);
  });

  it('warns of what it cannot take away now, and goes on', async () => {
    const { world, upload } = await left();
    const warned: unknown[] = [];
    const log = { ...world.deps.log, warn: (message: string, facts?: object) => warned.push(message, facts) };
    const files = { remove: () => Promise.reject(new Error('the disk is away')) };
    expect(await world.swept({ log, files })).toEqual([15_000]);
    expect(warned).toEqual(['uploads that broke off are left for now', { error: 'the disk is away' }]);
    expect(await world.uploads.abandoned(9)).toEqual([upload]);
    await world.swept();
    expect(await world.uploads.abandoned(9)).toEqual([]);
  });
});
