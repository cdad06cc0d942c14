import { describe, expect, it } from 'vitest';
import { tagStream } from '../../../../application/event-sourcing/streams.ts';
import { callerOf, NOW } from '../../../support/conversations.ts';
import { DELETING, idOf, THERE } from '../../../support/memory-parts.ts';
import { openTags } from './tags-in-memory.ts';

const caller = callerOf('acme');
const restricted = callerOf('acme', [idOf(1)]);
const NONE = idOf(99);
const WIKI = { name: 'wiki', description: 'What we know' };
const NO_TAG = { code: 'not_found', message: 'there is no such tag' };

/** A tag that source group 1 carries, and one that none carries. */
const setUp = async () => {
  const open = openTags();
  await open.dataSource(idOf(1), THERE);
  await open.dataSource(idOf(2), THERE);
  const bound = (await open.tags.create(caller, WIKI, undefined)).record;
  const free = (await open.tags.create(caller, { name: 'free', description: '' }, undefined)).record;
  await open.bindings.bind(caller, { tagId: bound.id, sourceGroupId: idOf(1) }, undefined);
  return { ...open, bound, free };
};

describe('a tag', () => {
  it('is answered as it was written, and carried by none yet', async () => {
    const { tags, stored, store } = openTags();
    const made = await tags.create(caller, WIKI, undefined);
    const { id } = made.record;
    expect(made).toMatchObject({ changed: true, replayed: false });
    expect(made.record).toEqual({ id, ...WIKI, createdAt: NOW, sourceGroupCount: 0 });
    expect(await stored(tagStream('acme'))).toEqual([{ type: 'TagCreated', tag_id: id, ...WIKI, at: NOW }]);
    expect(made.position).toBe((await store.readStream(tagStream('acme'))).at(-1)?.position);
  });

  it('has a name that no other tag of its tenant has', async () => {
    const { tags, bound, free } = await setUp();
    await expect(tags.create(caller, WIKI, undefined)).rejects.toMatchObject({ code: 'name_taken' });
    await expect(tags.change(caller, free.id, { name: 'wiki' })).rejects.toMatchObject({
      code: 'name_taken',
    });
    expect((await tags.create(callerOf('other'), WIKI, undefined)).changed).toBe(true);
    await tags.remove(caller, bound.id);
    expect((await tags.create(caller, WIKI, undefined)).changed).toBe(true);
  });

  it('keeps what a change leaves out, and tells how many groups carry it: none that is being deleted', async () => {
    const { tags, bindings, bound, dataSource, time } = await setUp();
    await bindings.bind(caller, { tagId: bound.id, sourceGroupId: idOf(2) }, undefined);
    const { record, changed, position } = await tags.change(caller, bound.id, { name: 'manual' });
    expect(record).toEqual({ ...bound, name: 'manual', sourceGroupCount: 2 });
    expect(changed).toBe(true);
    expect(await tags.change(caller, bound.id, { name: 'manual' })).toEqual({
      record,
      changed: false,
      position,
    });
    await dataSource(idOf(2), DELETING.slice(1));
    time.now += 1;
    expect((await tags.change(caller, bound.id, { description: '' })).record).toEqual({
      ...bound,
      name: 'manual',
      description: '',
      sourceGroupCount: 1,
    });
  });

  it('ends with its bindings', async () => {
    const { tags, bindings, bound, stored, time } = await setUp();
    const gone = await tags.remove(caller, bound.id);
    expect(gone).toMatchObject({ record: bound.id, changed: true });
    expect((await stored(tagStream('acme'))).at(-1)).toEqual({
      type: 'TagDeleted',
      tag_id: bound.id,
      at: time.now,
    });
    expect((await bindings.list(caller, { limit: 9 })).rows).toEqual([]);
    await expect(tags.get(caller, bound.id)).rejects.toMatchObject(NO_TAG);
    await expect(tags.change(caller, bound.id, {})).rejects.toMatchObject(NO_TAG);
  });

  it('is seen by its tenant alone', async () => {
    const { tags, bound, free } = await setUp();
    expect((await tags.list(caller, { limit: 1 })).rows).toEqual([free]);
    expect(await tags.get(caller, bound.id)).toEqual({ ...bound, sourceGroupCount: 1 });
    for (const [by, id] of [
      [caller, NONE],
      [callerOf('other'), bound.id],
    ] as const) {
      await expect(tags.get(by, id)).rejects.toMatchObject(NO_TAG);
      await expect(tags.change(by, id, { name: 'x' })).rejects.toMatchObject(NO_TAG);
      await expect(tags.remove(by, id)).rejects.toMatchObject(NO_TAG);
    }
  });
});

describe('a key restricted to source groups', () => {
  it('sees the tags that its own groups carry', async () => {
    const { tags, bound, free } = await setUp();
    expect((await tags.list(restricted, { limit: 9 })).rows.map(({ id }) => id)).toEqual([bound.id]);
    expect((await tags.get(restricted, bound.id)).id).toBe(bound.id);
    await expect(tags.get(restricted, free.id)).rejects.toMatchObject(NO_TAG);
  });

  it('changes no tag, and is told so only of those that it sees', async () => {
    const { tags, bound, free, stored } = await setUp();
    const before = await stored(tagStream('acme'));
    const [changing, making] = ['a change of a tag', 'a new tag'].map((what) => ({
      code: 'key_restricted',
      message: `${what} needs a key that is not restricted to source groups`,
    }));
    // One of its groups carries the tag: that is enough.
    const ofTwo = callerOf('acme', [NONE, idOf(1)]);
    await expect(tags.change(ofTwo, bound.id, { name: 'x' })).rejects.toMatchObject(changing!);
    await expect(tags.remove(restricted, bound.id)).rejects.toMatchObject(changing!);
    await expect(tags.create(restricted, WIKI, undefined)).rejects.toMatchObject(making!);
    await expect(tags.change(restricted, free.id, { name: 'x' })).rejects.toMatchObject(NO_TAG);
    await expect(tags.remove(restricted, free.id)).rejects.toMatchObject(NO_TAG);
    await expect(tags.remove(restricted, NONE)).rejects.toMatchObject(NO_TAG);
    expect(await stored(tagStream('acme'))).toEqual(before);
  });
});
