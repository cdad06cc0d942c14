import { describe, expect, it } from 'vitest';
import { dataSourceStream, ingestionSettingStream } from '../../../../application/event-sourcing/streams.ts';
import { callerOf } from '../../../support/conversations.ts';
import {
  ACME,
  field,
  file,
  form,
  NAMED,
  type UploadParts,
  uploadsInMemory,
} from '../../../support/uploads-in-memory.ts';

const KEYS = [{ key: 'price', type: 'float' }];
const keys = field('chunk_metadata_keys', JSON.stringify(KEYS));
const time = field('last_modified', '1');
/** A form that nobody may ask for. */
async function* unread(): UploadParts {
  yield Promise.reject(new Error('the form was asked for')) as never;
}
const opened = () => {
  const world = uploadsInMemory();
  return { world, ...world.open() };
};
/** The data sources that there are by now, by their streams. */
const groupsIn = async ({ store }: ReturnType<typeof uploadsInMemory>): Promise<readonly string[]> => {
  const { events } = await store.read('', { categories: ['dataSource'] }, 100);
  return [...new Set(events.map(({ stream }) => stream.slice('dataSource-'.length)))];
};

describe('a group that is made of the files of a form', () => {
  it('has its files, and a job that reads them, when the form has come', async () => {
    const { world, create } = opened();
    const { record, position, changed, replayed } = await create(form(['falcon', 'owl'], NAMED, keys));
    const id = record.sourceGroupId;
    expect([changed, replayed ?? false, position]).toEqual([true, false, await world.store.head()]);
    expect(await world.listOf(id)).toEqual({ 'falcon.txt': 'falcon', 'owl.txt': 'owl' });
    expect(await world.stored(dataSourceStream(id))).toMatchObject([
      { type: 'DataSourceRegistered', subject: { kind: 'local_file_group' }, metadata: [] },
      { type: 'FilesUploaded', added: 2, replaced: 0, bytes: 9, chunk_metadata_keys: KEYS },
      { type: 'JobQueued', trigger: 'create', mode: 'full' },
    ]);
    expect(await world.uploads.abandoned(9)).toEqual([]);
    expect(world.timers.size).toBe(0);
  });

  it('is called as the form says, with the keys of its rows', async () => {
    const { world, create } = opened();
    const { record } = await create(form(['falcon'], NAMED, keys));
    const state = await world.stateOf(record.sourceGroupId);
    const { ingestionSettingId } = state as { readonly ingestionSettingId: string };
    const setting = await world.stored(ingestionSettingStream(ingestionSettingId));
    expect(setting[0]).toMatchObject({
      name: 'Birds',
      parameters: { kind: 'local_file_group', chunk_metadata_keys: KEYS },
    });
  });

  it('takes keys and a name that come behind its files', async () => {
    const { world, create } = opened();
    async function* parts(): UploadParts {
      yield* [NAMED, file('falcon'), time, keys];
    }
    const { record } = await create(parts());
    const state = await world.stateOf(record.sourceGroupId);
    const { ingestionSettingId } = state as { readonly ingestionSettingId: string };
    const setting = await world.stored(ingestionSettingStream(ingestionSettingId));
    expect(setting.at(-1)).toMatchObject({ type: 'IngestionParametersChanged' });
    expect(JSON.stringify(setting.at(-1))).toContain('price');
    async function* late(): UploadParts {
      yield* [file('owl'), time, field('name', 'Late')];
    }
    const other = await create(late());
    expect(await world.listOf(other.record.sourceGroupId)).toEqual({ 'owl.txt': 'owl' });
    const plain = await world.stateOf(other.record.sourceGroupId);
    const events = await world.stored(
      ingestionSettingStream((plain as { readonly ingestionSettingId: string }).ingestionSettingId),
    );
    expect(events.map(({ type }) => type)).toEqual(['IngestionSettingCreated']);
    expect(events[0]).toMatchObject({ name: 'Late', parameters: { chunk_metadata_keys: [] } });
  });

  it('is there from its first file on where its name came before, and takes no other files until then', async () => {
    const { world, create, add } = opened();
    const seen: unknown[] = [];
    async function* parts(): UploadParts {
      yield NAMED;
      seen.push(await groupsIn(world));
      yield file('falcon');
      const [id = ''] = await groupsIn(world);
      seen.push((await world.stateOf(id)).status);
      await expect(add(ACME, id, unread())).rejects.toMatchObject({
        code: 'conflict',
        message: 'the first files of this group are still being uploaded: try again later',
      });
      yield time;
    }
    const { record } = await create(parts());
    expect(seen).toEqual([[], 'not_started']);
    expect(await groupsIn(world)).toEqual([record.sourceGroupId]);
  });

  it('is refused without a name, and leaves nothing', async () => {
    const { world, create } = opened();
    await expect(create(form(['falcon']))).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'send the name of the group, as a part named name',
    });
    expect(await groupsIn(world)).toEqual([]);
    world.time.now += 3_600_000;
    expect(await world.uploads.abandoned(9)).toEqual([]);
  });

  it('is refused to a key that is restricted to source groups', async () => {
    const { create } = opened();
    const restricted = callerOf('acme', ['01900000-0000-7000-8000-000000000001']);
    await expect(create(form(['falcon'], NAMED), undefined, restricted)).rejects.toMatchObject({
      code: 'key_restricted',
      message: 'creating a data source needs a key that is not restricted to source groups',
    });
  });

  it('is refused where it was canceled while its files were on their way, which then go', async () => {
    const { world, create } = opened();
    async function* parts(): UploadParts {
      yield* [NAMED, file('falcon')];
      const [id = ''] = await groupsIn(world);
      await world.command(id, { type: 'cancel', at: world.time.now });
      yield time;
    }
    await expect(create(parts())).rejects.toMatchObject({
      code: 'conflict',
      message: 'the group was canceled while its files were being uploaded',
    });
    const [id = ''] = await groupsIn(world);
    expect([(await world.stateOf(id)).status, await world.retainedFiles(id, 'falcon')]).toEqual([
      'deleting',
      false,
    ]);
  });
});

describe('a group that is asked for with an Idempotency-Key', () => {
  it('is made once, of the first form that came whole', async () => {
    const { world, create } = opened();
    const first = await create(form(['falcon'], NAMED, keys), 'key');
    const again = await create(form(['falcon'], NAMED, keys), 'key');
    expect([first.replayed, again.replayed, again.changed]).toEqual([false, true, false]);
    // Who lost the first answer waits for the views by the second one.
    expect(again.position).toBe(first.position);
    expect(again.record).toEqual(first.record);
    expect(await groupsIn(world)).toEqual([first.record.sourceGroupId]);
    const other = create(form(['owl'], NAMED, keys), 'key');
    await expect(other).rejects.toMatchObject({ code: 'idempotency_conflict' });
    expect(await groupsIn(world)).toHaveLength(1);
  });

  it('is told once as new to those who ask for it at once', async () => {
    const { world, create } = opened();
    const answers = await Promise.all([1, 2, 3].map(() => create(form(['falcon'], NAMED, keys), 'key')));
    expect(answers.filter(({ replayed }) => replayed !== true)).toHaveLength(1);
    expect(await groupsIn(world)).toEqual([answers[0]!.record.sourceGroupId]);
  });

  it('keeps its files alone: nothing where they came in, of this form or the next', async () => {
    const { world, create } = opened();
    const { record } = await create(form(['falcon'], NAMED), 'key');
    await create(form(['falcon'], NAMED), 'key');
    for (let n = 1; n <= world.ids.made(); n++) {
      const id = `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`;
      expect(await world.retainedFiles(id, 'falcon')).toBe(id === record.sourceGroupId);
    }
  });

  it('stays where the request fails: the same request completes it', async () => {
    const { world, create } = opened();
    const breaking = world.open({
      files: { ...world.files, move: () => Promise.reject(new Error('the disk is full')) },
    });
    await expect(breaking.create(form(['falcon'], NAMED), 'key')).rejects.toThrow('the disk is full');
    const [id = ''] = await groupsIn(world);
    expect((await world.stateOf(id)).status).toBe('not_started');
    const { record, replayed } = await create(form(['falcon'], NAMED), 'key');
    expect([record.sourceGroupId, replayed]).toEqual([id, false]);
    expect(await world.listOf(id)).toEqual({ 'falcon.txt': 'falcon' });
  });
});

describe('an upload', () => {
  it('that stood still for longer is given up, with all that came of it', async () => {
    const { world, create } = opened();
    async function* parts(): UploadParts {
      yield* [NAMED, file('falcon'), time];
      world.time.now += 60_000;
    }
    await expect(create(parts())).rejects.toThrow('the upload stalled for too long');
    const [id = ''] = await groupsIn(world);
    expect([(await world.stateOf(id)).status, await world.retainedFiles(id, 'falcon')]).toEqual([
      'deleting',
      false,
    ]);
    expect(await world.uploads.abandoned(9)).toEqual([]);
    expect(world.timers.size).toBe(0);
  });
});
