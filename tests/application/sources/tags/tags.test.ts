import { tagStream } from '../../../../application/event-sourcing/streams.ts';
import { deleted, purgeFailed } from '../../../domain/data-source/job-steps.ts';
import { NOW, callerOf } from '../../../support/conversations.ts';
import { AT_WORK, DELETING, GONE, THERE, idOf } from '../../../support/memory-parts.ts';
import { openTags } from './tags-in-memory.ts';
import { describe, expect, it } from 'vitest';

const caller = callerOf('acme');

const restricted = callerOf('acme', [idOf(1)]);

const NONE = idOf(99);

const WIKI = { name: 'wiki', description: 'What we know' };

const NO_TAG = { code: 'not_found', message: 'there is no such tag' };

describe('tags', () => {
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
});

const NO_GROUP = { code: 'not_found', message: 'there is no such source group' };

const NO_BINDING = { code: 'not_found', message: 'there is no such tag binding' };

describe('bindings', () => {
  /** A tag, and source groups 1 and 2. */
  const setUp = async () => {
    const open = openTags();
    await open.dataSource(idOf(1), THERE);
    await open.dataSource(idOf(2), AT_WORK);
    const tagId = (await open.tags.create(caller, { name: 'wiki', description: '' }, undefined)).record.id;
    const bind = (n: number, by = caller, key?: string) =>
      open.bindings.bind(by, { tagId, sourceGroupId: idOf(n) }, key);
    return { ...open, tagId, bind };
  };

  describe('a binding', () => {
    it('is answered as it was written', async () => {
      const { bind, tagId, stored, store, time } = await setUp();
      const bound = await bind(1);
      const { id } = bound.record;
      expect(bound).toMatchObject({ changed: true, replayed: false });
      expect(bound.record).toEqual({ id, tagId, sourceGroupId: idOf(1), createdAt: time.now });
      expect((await stored(tagStream('acme'))).at(-1)).toEqual({
        type: 'TagBound',
        binding_id: id,
        tag_id: tagId,
        source_group_id: idOf(1),
        at: time.now,
      });
      expect(bound.position).toBe((await store.readStream(tagStream('acme'))).at(-1)?.position);
    });

    it('of a pair that is bound already stays as it is', async () => {
      const { bind, time } = await setUp();
      const first = await bind(1);
      time.now += 1_000;
      expect(await bind(1)).toEqual({ ...first, changed: false });
      expect((await bind(2)).record.id).not.toBe(first.record.id);
    });

    it('is of a tag and a source group that are there', async () => {
      const { bindings, bind, dataSource, tagId } = await setUp();
      await expect(bind(99)).rejects.toMatchObject(NO_GROUP);
      const unknown = { tagId: NONE, sourceGroupId: idOf(1) };
      await expect(bindings.bind(caller, unknown, undefined)).rejects.toMatchObject(NO_TAG);
      await dataSource(idOf(3), THERE, 'other');
      await expect(bind(3)).rejects.toMatchObject(NO_GROUP);
      await dataSource(idOf(4), GONE);
      await expect(bind(4)).rejects.toMatchObject(NO_GROUP);
      expect((await bindings.bind(caller, { tagId, sourceGroupId: idOf(1) }, undefined)).changed).toBe(true);
    });

    it('is refused to a group that is being deleted, also where that has failed', async () => {
      const { bind, dataSource } = await setUp();
      await dataSource(idOf(3), DELETING);
      await dataSource(idOf(4), [...THERE, deleted, purgeFailed]);
      for (const n of [3, 4])
        await expect(bind(n)).rejects.toMatchObject({
          code: 'source_deleting',
          message: 'the source group is being deleted and cannot be tagged',
        });
    });

    it('ends once', async () => {
      const { bind, bindings, stored, tagId, time } = await setUp();
      const { id } = (await bind(1)).record;
      time.now += 1_000;
      expect(await bindings.unbind(caller, id)).toMatchObject({ record: id, changed: true });
      expect((await stored(tagStream('acme'))).at(-1)).toEqual({
        type: 'TagUnbound',
        binding_id: id,
        tag_id: tagId,
        source_group_id: idOf(1),
        at: time.now,
      });
      await expect(bindings.unbind(caller, id)).rejects.toMatchObject(NO_BINDING);
      await expect(bindings.get(caller, id)).rejects.toMatchObject(NO_BINDING);
    });

    it('of a group that is being deleted is gone already', async () => {
      const { bind, bindings, dataSource, stored } = await setUp();
      const { id } = (await bind(1)).record;
      await dataSource(idOf(1), [deleted]);
      const before = await stored(tagStream('acme'));
      await expect(bindings.unbind(caller, id)).rejects.toMatchObject(NO_BINDING);
      expect(await stored(tagStream('acme'))).toEqual(before);
    });

    it('is listed, the newest first, and read by its id', async () => {
      const { bind, bindings } = await setUp();
      const [one, two] = [(await bind(1)).record, (await bind(2)).record];
      expect(await bindings.list(caller, { limit: 9 })).toEqual({
        rows: [two, one],
        hasMore: false,
        total: 2,
      });
      expect(await bindings.list(caller, { limit: 1 })).toEqual({ rows: [two], hasMore: true, total: 2 });
      expect(await bindings.get(caller, one.id)).toEqual(one);
      await expect(bindings.get(callerOf('other'), one.id)).rejects.toMatchObject(NO_BINDING);
    });
  });

  describe('a key restricted to source groups', () => {
    it('binds the tags that it sees to groups of its own, and knows of no other', async () => {
      const { bind, bindings } = await setUp();
      await expect(bind(1, restricted)).rejects.toMatchObject(NO_TAG);
      await expect(bind(2, restricted)).rejects.toMatchObject(NO_GROUP);
      const foreign = (await bind(2)).record;
      const own = (await bind(1)).record;
      expect(await bind(1, restricted)).toMatchObject({ record: own, changed: false });
      expect((await bindings.list(restricted, { limit: 9 })).rows).toEqual([own]);
      await expect(bindings.get(restricted, foreign.id)).rejects.toMatchObject(NO_BINDING);
      await expect(bindings.unbind(restricted, foreign.id)).rejects.toMatchObject(NO_BINDING);
      expect((await bindings.unbind(restricted, own.id)).changed).toBe(true);
    });

    it('shares no Idempotency-Key with others', async () => {
      const { bind, dataSource } = await setUp();
      await dataSource(idOf(3), THERE);
      await bind(1, caller, 'k');
      expect((await bind(1, restricted, 'k')).replayed).toBe(false);
      await expect(bind(3, caller, 'k')).rejects.toMatchObject({ code: 'idempotency_conflict' });
    });
  });
});
