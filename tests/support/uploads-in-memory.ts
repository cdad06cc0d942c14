import { createMemoryFileAreas } from './memory/file-areas.ts';
import { createMemoryItemStore } from './memory/item-store.ts';
import { createMemoryUploadLeases } from './memory/leases.ts';
import { createLocalFilesConnector } from '../../application/sources/local-files/connector.ts';
import { loadDataSource } from '../../application/sources/ingestion/job.ts';
import type { NamedDataSource } from '../../application/ports/data-source-view.ts';
import { dataSourceStream } from '../../application/event-sourcing/streams.ts';
import { type AddFilesDeps, createAddFiles } from '../../application/sources/uploads/add-files.ts';
import { createCreateGroup, type CreateGroupDeps } from '../../application/sources/uploads/create-group.ts';
import { readList } from '../../application/sources/uploads/file-list.ts';
import type { UploadPart } from '../../application/sources/uploads/upload-area.ts';
import { dataSource } from '../../domain/data-source/index.ts';
import { callerOf, noOverlay } from './conversations.ts';
import { memoryParts } from './memory-parts.ts';
import { silent } from './silent.ts';

export const ACME = callerOf('acme');
export type UploadParts = AsyncGenerator<UploadPart>;

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
export const field = (name: string, value: string): UploadPart => ({ kind: 'field', name, value });
/** A file, which is called as its text says where nothing else is. */
export const file = (text: string, fileName = `${text}.txt`): UploadPart => ({
  kind: 'file',
  fileName,
  body: once(text),
});
/** A whole form of files, each modified at 1. */
export async function* form(texts: readonly string[], ...fields: readonly UploadPart[]): UploadParts {
  yield* fields;
  for (const text of texts) yield file(text);
  yield field('last_modified', JSON.stringify(texts.map(() => 1)));
}
export const NAMED = field('name', 'Birds');

/** Uploads and all that they write to, in memory. A test changes what the use cases are given, and moves the time. */
export const uploadsInMemory = () => {
  const memory = memoryParts();
  const { execute, ids, hash, clock, time } = memory;
  const files = createMemoryFileAreas(() => time.now);
  const uploads = createMemoryUploadLeases(() => time.now);
  const itemStore = createMemoryItemStore();
  /** What is done every so many milliseconds while an upload lasts. */
  const timers = new Map<number, () => Promise<void>>();
  const deps: CreateGroupDeps & AddFilesDeps = {
    execute,
    files,
    uploads,
    ids,
    hash,
    clock,
    log: silent,
    every: (ms, run) => {
      timers.set(ms, run);
      return { stop: () => void timers.delete(ms) };
    },
    scheduling: null as never,
    secretAttachments: null as never,
    overlay: noOverlay,
    connectors: {
      local_file_group: createLocalFilesConnector(
        { execute, files, hash, urlOf: (id) => id },
        { itemStore, clock, hash },
      ),
    },
    view: {
      withChunkMetadataCounts: async (records: readonly NamedDataSource[]) =>
        records.map((record) => ({ ...record, chunkMetadataCount: 7 })),
    },
  };
  type Deps = typeof deps;

  const open = (change: Partial<Deps> = {}) => {
    const given = { ...deps, ...change };
    const create = createCreateGroup(given);
    return {
      create: (parts: UploadParts, key?: string, caller = ACME) => create(caller, parts, key),
      add: createAddFiles(given),
    };
  };
  const stateOf = async (id: string) => (await loadDataSource(execute, id))?.state ?? dataSource.initial;
  return {
    ...memory,
    files,
    uploads,
    timers,
    deps,
    open,
    stateOf,
    /** A group of these files. */
    groupOf: async (...texts: readonly string[]): Promise<string> =>
      (await open().create(form(texts, NAMED))).record.sourceGroupId,
    /** Names and bytes of the files of a group, as its list has them. */
    listOf: async (id: string): Promise<Readonly<Record<string, string>>> => {
      const state = await stateOf(id);
      const newest = state.status === 'none' ? null : (state.uploaded?.list ?? null);
      const area = await files.area(id);
      const { files: listed } = await readList(area, newest);
      const texts = await Promise.all(listed.map(({ sha256 }) => area.read(sha256)));
      return Object.fromEntries(listed.map(({ name }, i) => [name, `${texts[i]?.toString()}`]));
    },
    retainedFiles: async (id: string, text: string): Promise<boolean> =>
      (await files.area(id)).has(hash.sha256(text)),
    eventsOf: async (id: string): Promise<readonly string[]> =>
      (await memory.stored(dataSourceStream(id))).map(({ type }) => type),
    command: (id: string, command: object) =>
      execute(dataSource, dataSourceStream(id), command as never, ACME.context),
  };
};
