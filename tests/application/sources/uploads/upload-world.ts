import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { createFileAreas } from '../../../../adapters/storage/disk/file-areas.ts';
import { createItemStore } from '../../../../adapters/postgres/work/item-store.ts';
import { createUploadLeases } from '../../../../adapters/postgres/work/leases.ts';
import { createRowOverlay } from '../../../../adapters/postgres/read-your-writes/overlays.ts';
import { sha256 } from '../../../../adapters/system/identity.ts';
import { createLocalFilesConnector } from '../../../../application/sources/local-files/connector.ts';
import { loadDataSource } from '../../../../application/sources/ingestion/job.ts';
import type { UploadLeases } from '../../../../application/ports/leases.ts';
import { type AddFilesDeps, createAddFiles } from '../../../../application/sources/uploads/add-files.ts';
import {
  createCreateGroup,
  type CreateGroupDeps,
} from '../../../../application/sources/uploads/create-group.ts';
import { runUploadSweeps } from '../../../../application/sources/uploads/sweep-uploads.ts';
import type { UploadPart } from '../../../../application/sources/uploads/upload-area.ts';
import { callerOf } from '../../../support/conversations.ts';
import { openWorld, silent, type World } from '../../../support/world.ts';

const clock = { now: () => Date.now() };
export const caller = callerOf('acme');
async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
export const name = (value: string): UploadPart => ({ kind: 'field', name: 'name', value });
export const file = (text: string): UploadPart => ({ kind: 'file', fileName: 'a.txt', body: bytes(text) });
const time: UploadPart = { kind: 'field', name: 'last_modified', value: '1' };
/** A whole form, whose name comes first. */
export async function* form(text: string): AsyncGenerator<UploadPart> {
  yield* [name('Files'), file(text), time];
}

type Deps = CreateGroupDeps & AddFilesDeps;

/** A database and a folder of files, which processes share that may die. Call it within `describe` or at the top. */
export const uploadWorld = () => {
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

  /** What a process does that may die: then it does nothing more, and renews nothing. */
  const process = (change: (deps: Deps) => Partial<Deps> = () => ({})) => {
    const files = createFileAreas(folder);
    const uploads = createUploadLeases(world.db);
    const life = { dead: false };
    const held: string[] = [];
    const mortal = <T extends object>(port: T): T =>
      new Proxy(port, {
        get: (target, key) =>
          life.dead
            ? async () => {
                throw new Error('it is dead');
              }
            : Reflect.get(target, key),
      });
    const noting: UploadLeases = {
      ...uploads,
      hold: (upload, ms) => {
        held.push(upload.id);
        return uploads.hold(upload, ms);
      },
    };
    const deps: Deps = {
      execute: world.execute,
      files: mortal(files),
      uploads: mortal(noting),
      ids: world.ids,
      hash: sha256,
      clock,
      log: silent,
      every: () => ({ stop: () => {} }),
      scheduling: null as never,
      secretAttachments: null as never,
      overlay: createRowOverlay(world.db),
      connectors: {
        local_file_group: createLocalFilesConnector(
          { execute: world.execute, files, hash: sha256, urlOf: (id) => id },
          { itemStore: createItemStore(world), clock, hash: sha256 },
        ),
      },
      view: { withChunkMetadataCounts: async (records) => records },
    };
    const changed = { ...deps, ...change(deps) };
    return {
      files,
      uploads,
      life,
      held,
      create: createCreateGroup(changed),
      add: createAddFiles(changed),
    };
  };
  type Process = ReturnType<typeof process>;

  return {
    process,
    world: () => world,
    /** One look of the sweeper, at a time when nobody holds these any more. */
    swept: async ({ files, uploads, held }: Pick<Process, 'files' | 'uploads' | 'held'>): Promise<void> => {
      const { pool, execute } = world;
      await pool.query('update work.upload_under_way set until = now() where id = any($1)', [held]);
      const once = new AbortController();
      const deps = { execute, files, uploads, clock, log: silent, owner: 'sweeper' };
      await runUploadSweeps({ ...deps, idle: async () => once.abort() }, once.signal);
    },
    statusOf: async (id: string) => (await loadDataSource(world.execute, id))?.state.status,
    /** Whether the area holds this text. */
    retainedFiles: async (id: string, text: string): Promise<boolean> =>
      (await createFileAreas(folder).area(id)).has(sha256.sha256(text)),
    underWay: async (): Promise<number> =>
      (await world.pool.query('select from work.upload_under_way')).rowCount ?? 0,
  };
};
