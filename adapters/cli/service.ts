import { openAsBlob } from 'node:fs';
import { type Client, createClient } from '../../clients/typescript/src/index.ts';

/** A local file to upload. */
export interface LocalFile {
  readonly path: string;
  /** Name of the file in the group: its path relative to the given folder. */
  readonly name: string;
  readonly bytes: number;
  /** Unix milliseconds. */
  readonly modified: number;
  /** When it last became what it is, by the clock of this machine: Unix seconds. */
  readonly changed: number;
}

/**
 * Client of a running service, with one API key. Every method throws an Error that says what to do when the service
 * refuses the request.
 */
export interface ApiClient {
  /** Id of the group with exactly this name; undefined when there is none. */
  readonly findGroupId: (name: string) => Promise<string | undefined>;
  /** SHA-256 hashes of the files that are already in the group. */
  readonly hashesOf: (group: string) => Promise<ReadonlySet<string>>;
  /** When each file was last looked at that was not read or not as a whole, by name: Unix seconds. */
  readonly failedAt: (group: string) => Promise<ReadonlyMap<string, number>>;
  readonly create: (name: string, files: readonly LocalFile[]) => Promise<string>;
  readonly add: (group: string, files: readonly LocalFile[]) => Promise<void>;
  readonly stateOf: (group: string) => Promise<GroupState>;
  /** The first failed files, ordered by name, and the total number. */
  readonly failuresOf: (group: string) => Promise<Failures>;
  /** Title of an indexed document; undefined when no document has a title. */
  readonly findTitle: (group: string) => Promise<string | undefined>;
}

type Failures = Awaited<ReturnType<typeof failuresOf>>;
export type GroupState = Awaited<ReturnType<typeof stateOf>>;

const failuresOf = async (client: Client, id: string) => {
  const path = '/local-file-groups/{id}/errors';
  const { errors, pagination } = await client.get(path, { path: { id }, query: { limit: 20 } });
  return { errors, total: pagination.total ?? errors.length };
};
const stateOf = (client: Client, id: string) => client.get('/local-file-groups/{id}', { path: { id } });

export const createApiClient = (url: string, key: string): ApiClient => {
  const client = createClient({ url, key, attempts: 6 });
  const sourcesOf = (group: string) =>
    client.all('/sources', { query: { source_group_id: group, limit: 100 } });
  return {
    findGroupId: async (name) => {
      for await (const group of client.all('/local-file-groups', { query: { name, limit: 100 } }))
        if (group.name === name && group.status !== 'deleting') return group.id;
      return undefined;
    },
    hashesOf: async (group) => {
      const hashes = new Set<string>();
      for await (const { sha256 } of sourcesOf(group)) if (sha256) hashes.add(sha256);
      return hashes;
    },
    failedAt: async (id) => {
      const times = new Map<string, number>();
      const asked = { path: { id }, query: { limit: 100 } };
      for await (const { locator, time } of client.all('/local-file-groups/{id}/errors', asked))
        times.set(locator, time);
      return times;
    },
    create: async (name, files) =>
      (await client.upload('/local-file-groups', await formOf(files, name))).source_group_id,
    add: async (id, files) =>
      void (await client.upload('/local-file-groups/{id}/files', await formOf(files), { path: { id } })),
    stateOf: (id) => stateOf(client, id),
    failuresOf: (id) => failuresOf(client, id),
    findTitle: async (group) => {
      // A document that is not indexed cannot be found by its text.
      for await (const { title, status } of sourcesOf(group))
        if (title !== '' && status === 'indexed') return title;
      return undefined;
    },
  };
};

/** Reads the bytes from disk while they are sent. */
const formOf = async (files: readonly LocalFile[], name?: string): Promise<FormData> => {
  const form = new FormData();
  if (name !== undefined) form.append('name', name);
  for (const { path, name: fileName } of files) form.append('files', await openAsBlob(path), fileName);
  for (const { modified } of files) form.append('last_modified', String(modified));
  return form;
};
