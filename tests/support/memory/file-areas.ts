import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  FileAreas,
  FileStore,
  LocalFile,
  LocalFileStore,
  StoredFile,
} from '../../../application/ports/file-store.ts';
import { createMemoryFileStore } from './file-store.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Files of one area, and when each was written last. */
interface Area {
  readonly store: FileStore;
  readonly written: Map<string, StoredFile & { readonly at: number }>;
}

/** Areas in memory, gone with the process: for tests. On a disk are those files alone that somebody is shown, and while they are. */
export const createMemoryFileAreas = (now: () => number = Date.now): FileAreas => {
  const areas = new Map<string, Area>();
  let mark: string | null = null;
  const mustBeId = (id: string): void => {
    if (!UUID.test(id)) throw new Error(`no area is named ${id}`);
  };
  const areaOf = (id: string): Area => {
    const known = areas.get(id);
    if (known !== undefined) return known;
    const made = { store: createMemoryFileStore(), written: new Map() };
    areas.set(id, made);
    return made;
  };
  const noted = (id: string, file: StoredFile): StoredFile => {
    areaOf(id).written.set(file.sha256, { ...file, at: now() });
    return file;
  };
  const storeOf = (id: string): LocalFileStore => {
    const held = (): FileStore => areaOf(id).store;
    const put = async (bytes: Uint8Array): Promise<StoredFile> => noted(id, await held().put(bytes));
    const putStream: FileStore['putStream'] = async (source, most) =>
      noted(id, await held().putStream(source, most));
    return {
      put,
      putText: (text) => put(Buffer.from(text, 'utf8')),
      putMany: (items) => Promise.all(items.map(put)),
      putStream,
      open: (sha256, range) => held().open(sha256, range),
      read: (sha256) => held().read(sha256),
      has: (sha256) => held().has(sha256),
      delete: (sha256) => {
        areaOf(id).written.delete(sha256);
        return held().delete(sha256);
      },
      receive: () => ({ put: putStream, settle: async () => {} }),
      putLocally: async (items, use) => {
        const files = await Promise.all(
          items.map(async (item) => (item instanceof Uint8Array ? put(item) : item)),
        );
        return shown(held(), files, use);
      },
    };
  };
  return {
    area: (id) => {
      mustBeId(id);
      return Promise.resolve(storeOf(id));
    },
    remove: async (id) => {
      mustBeId(id);
      const files = [...(areas.get(id)?.written.values() ?? [])];
      areas.delete(id);
      return files.reduce((sum, { bytes }) => sum + bytes, 0);
    },
    sweep: async (id, keep, before) => {
      const { store, written } = areaOf(id);
      const stale = [...written.values()].filter(({ sha256, at }) => !keep.has(sha256) && at < before);
      for (const { sha256 } of stale) {
        written.delete(sha256);
        await store.delete(sha256);
      }
      return stale.length;
    },
    move: async (from, to) => {
      mustBeId(from);
      const { store, written } = areaOf(from);
      for (const sha256 of written.keys()) await storeOf(to).put((await store.read(sha256))!);
      areas.delete(from);
    },
    claim: async (_, fresh) => (mark ??= fresh),
    check: async () => {},
    close: async () => {},
  };
};

/** Has `use` see these files in a folder that goes with it. */
const shown = async <Result>(
  store: FileStore,
  files: readonly StoredFile[],
  use: (files: readonly LocalFile[]) => Promise<Result>,
): Promise<Result> => {
  const folder = await mkdtemp(join(tmpdir(), 'knowledger-shown-'));
  try {
    const local = files.map((file) => ({ ...file, path: join(folder, file.sha256) }));
    for (const { sha256, path } of local) {
      const bytes = await store.read(sha256);
      if (bytes !== null) await writeFile(path, bytes);
    }
    return await use(local);
  } finally {
    await rm(folder, { recursive: true });
  }
};
