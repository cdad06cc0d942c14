import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFileAreas } from '../../../adapters/files/file-areas.ts';
import { createUploadsUnderWay } from '../../../adapters/postgres/work/uploads-under-way.ts';
import { createUnitLedger } from '../../../adapters/postgres/work/unit-ledger.ts';
import { createRowMarks } from '../../../adapters/postgres/withheld/row-marks.ts';
import { sha256 } from '../../../adapters/system/identity.ts';
import { createLocalFilesConnector } from '../../../application/connectors/local-files/connector.ts';
import { loadDataSource } from '../../../application/ingestion/job.ts';
import type { UploadsUnderWay } from '../../../application/ports/uploads-under-way.ts';
import { createCreateGroup } from '../../../application/upload/create-group.ts';
import { runUploadSweeps } from '../../../application/upload/sweep-uploads.ts';
import type { UploadPart } from '../../../application/upload/upload-part.ts';
import { callerOf } from '../../support/conversations.ts';
import { openWorld, silent, type World } from '../../support/world.ts';

let world: World;
let folder: string;
beforeAll(async () => {
  world = await openWorld([]);
  folder = await mkdtemp(join(tmpdir(), 'knowledger-uploads-'));
});
afterAll(async () => {
  await world.close();
  await rm(folder, { recursive: true });
});

const clock = { now: () => Date.now() };
const caller = callerOf('acme');
const text = async function* (words: string) {
  yield Buffer.from(words);
};

/** What a process does that may die: then it does nothing more, and renews nothing. */
const openProcess = () => {
  const files = createFileAreas(folder);
  const uploads = createUploadsUnderWay(world.db);
  const life = { dead: false };
  const held: string[] = [];
  const mortal = <T extends object>(port: T): T =>
    new Proxy(port, {
      get: (target, name) =>
        life.dead
          ? async () => {
              throw new Error('it is dead');
            }
          : Reflect.get(target, name),
    });
  const noting: UploadsUnderWay = {
    ...uploads,
    hold: (upload, ms) => {
      held.push(upload.id);
      return uploads.hold(upload, ms);
    },
  };
  const deps = {
    execute: world.execute,
    files: mortal(files),
    uploads: mortal(noting),
    ids: world.ids,
    hash: sha256,
    clock,
    log: silent,
    every: () => ({ stop: () => {} }),
    scheduling: null as never,
    uses: null as never,
    marks: createRowMarks(world.db),
    connectors: {
      local_file_group: createLocalFilesConnector(
        { execute: world.execute, files, hash: sha256, urlOf: (id) => id },
        { ledger: createUnitLedger(world.db), clock, hash: sha256 },
      ),
    },
  };
  return { files, uploads, life, held, create: createCreateGroup(deps) };
};

/** One look of the sweeper, at a time when nobody holds these any more. */
const swept = async ({ files, uploads, held }: ReturnType<typeof openProcess>): Promise<void> => {
  const rows = await world.pool.query<{ id: string }>('select id from work.upload_under_way');
  const known = new Set(rows.rows.map(({ id }) => id));
  for (const id of held.filter((each) => known.has(each)))
    await world.pool.query('update work.upload_under_way set until = now() where id = $1', [id]);
  const once = new AbortController();
  const deps = { execute: world.execute, files, uploads, clock, log: silent, owner: 'sweeper' };
  await runUploadSweeps({ ...deps, idle: async () => once.abort() }, once.signal);
};

const statusOf = async (id: string) => (await loadDataSource(world.execute, id))?.state.status;

describe('what a process leaves that dies in an upload', () => {
  it('goes: the bytes that had come, and the group that was made for them', async () => {
    const process = openProcess();
    async function* parts(): AsyncGenerator<UploadPart> {
      yield { kind: 'field', name: 'name', value: 'Broken' };
      yield { kind: 'file', fileName: 'a.txt', body: text('a wheatear') };
      process.life.dead = true;
      throw new Error('killed');
    }
    const dying = process.create(caller, parts(), undefined);
    await expect(dying).rejects.toThrow('killed');
    const [id = ''] = process.held;
    const hash = sha256.sha256('a wheatear');
    expect(await (await process.files.area(id)).has(hash)).toBe(true);
    await swept(process);
    // Its purge takes the bytes, as that of any deletion.
    expect(await statusOf(id)).toBe('deleting');
    const { rows } = await world.pool.query('select from work.upload_under_way');
    expect(rows).toEqual([]);
  });

  it('goes without a group where its name had not come', async () => {
    const process = openProcess();
    async function* parts(): AsyncGenerator<UploadPart> {
      yield { kind: 'file', fileName: 'a.txt', body: text('a whinchat') };
      process.life.dead = true;
      throw new Error('killed');
    }
    await expect(process.create(caller, parts(), undefined)).rejects.toThrow('killed');
    const [id = ''] = process.held;
    const hash = sha256.sha256('a whinchat');
    expect(await (await process.files.area(id)).has(hash)).toBe(true);
    await swept(process);
    expect(await (await process.files.area(id)).has(hash)).toBe(false);
    expect(await statusOf(id)).toBeUndefined();
  });

  it('stays where the group has got its files, and only the answer was not sent', async () => {
    const process = openProcess();
    async function* parts(): AsyncGenerator<UploadPart> {
      yield { kind: 'field', name: 'name', value: 'Whole' };
      yield { kind: 'file', fileName: 'a.txt', body: text('a stonechat') };
      yield { kind: 'field', name: 'last_modified', value: '1' };
    }
    const { record } = await process.create(caller, parts(), undefined);
    const id = record.sourceGroupId;
    await process.uploads.hold({ id, tenant: 'acme', createdId: id }, 60_000);
    await swept(process);
    expect(await statusOf(id)).toBe('queued');
    expect(await (await process.files.area(id)).has(sha256.sha256('a stonechat'))).toBe(true);
  });
});
