import { openAsBlob } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { FoundFile } from './find-files.ts';

/** A running service, asked with one key. Each throws Error with what to do where it refuses. */
export interface RemoteService {
  /** The group of exactly this name; undefined: there is none. */
  readonly groupNamed: (name: string) => Promise<string | undefined>;
  /** Hashes of the files that documents of the group were made of. */
  readonly hashesOf: (group: string) => Promise<ReadonlySet<string>>;
  readonly create: (name: string, files: readonly FoundFile[]) => Promise<string>;
  readonly add: (group: string, files: readonly FoundFile[]) => Promise<void>;
  readonly stateOf: (group: string) => Promise<GroupState>;
  readonly failuresOf: (
    group: string,
  ) => Promise<readonly { readonly locator: string; readonly message: string }[]>;
  /** The title of one document. */
  readonly titleIn: (group: string) => Promise<string | undefined>;
}

export interface GroupState {
  readonly status: string;
  readonly progress: { readonly seen: number; readonly indexed: number; readonly failed: number };
  readonly error?: { readonly title: string; readonly message: string };
}

// oxlint-disable-next-line typescript/no-explicit-any -- records of the interface, of every shape
type Json = any;
const MOST_TRIES = 5;

export const remoteService = (url: string, key: string): RemoteService => {
  const ask = async (path: string, form?: () => Promise<FormData>): Promise<Json> => {
    for (let tries = 1; ; tries += 1) {
      const answer = await fetch(`${url}/api/v1${path}`, {
        method: form === undefined ? 'GET' : 'POST',
        headers: { 'x-api-key': key },
        ...(form !== undefined && { body: await form() }),
      }).catch((error: Error) => {
        const { cause } = error as { cause?: { code?: string } };
        throw new Error(`${url} does not answer (${cause?.code ?? error.message}): is the service running?`);
      });
      const body = (await answer.json()) as Json;
      if (answer.ok) return body;
      const passes = answer.status === 429 || answer.status === 503;
      if (!passes || tries === MOST_TRIES) throw new Error(`the service refuses: ${body?.error?.message}`);
      await wait(1_000 * Number(answer.headers.get('retry-after') ?? tries));
    }
  };
  const all = async (path: string, list: string): Promise<readonly Json[]> => {
    const rows: Json[] = [];
    for (let after = ''; ;) {
      const page = await ask(`${path}&limit=100${after}`);
      rows.push(...page[list]);
      if (!page.pagination.has_more) return rows;
      after = `&after=${encodeURIComponent(page.pagination.next_id)}`;
    }
  };
  return {
    groupNamed: async (name) => {
      const groups = await all(`/local-file-groups?name=${encodeURIComponent(name)}`, 'local_file_groups');
      return groups.find((group) => group.name === name && group.status !== 'deleting')?.id;
    },
    hashesOf: async (group) => {
      const sources = await all(`/sources?source_group_id=${group}`, 'sources');
      return new Set(sources.map(({ sha256 }) => sha256).filter((hash) => typeof hash === 'string'));
    },
    create: async (name, files) =>
      (await ask('/local-file-groups', () => formOf(files, name))).source_group_id,
    add: async (group, files) => void (await ask(`/local-file-groups/${group}/files`, () => formOf(files))),
    stateOf: (group) => ask(`/local-file-groups/${group}`),
    failuresOf: async (group) => (await ask(`/local-file-groups/${group}/errors?limit=20`)).errors,
    titleIn: async (group) => (await ask(`/sources?source_group_id=${group}&limit=1`)).sources[0]?.title,
  };
};

/** The bytes are read from the disk as they are sent. */
const formOf = async (files: readonly FoundFile[], name?: string): Promise<FormData> => {
  const form = new FormData();
  if (name !== undefined) form.append('name', name);
  for (const { path, name: fileName } of files) form.append('files', await openAsBlob(path), fileName);
  for (const { modified } of files) form.append('last_modified', String(modified));
  return form;
};
