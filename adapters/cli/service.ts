import { openAsBlob } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** A file of this machine that is to be uploaded. */
export interface FoundFile {
  readonly path: string;
  /** Its name in the group: where it lies below the folder that was given. */
  readonly name: string;
  readonly bytes: number;
  /** Unix milliseconds. */
  readonly modified: number;
}

/** A running service, asked with one key. Each throws Error with what to do where it refuses. */
export interface RemoteService {
  /** The group of exactly this name; undefined: there is none. */
  readonly groupNamed: (name: string) => Promise<string | undefined>;
  /** Hashes of the files that documents of the group were made of. */
  readonly hashesOf: (group: string) => Promise<ReadonlySet<string>>;
  readonly create: (name: string, files: readonly FoundFile[]) => Promise<string>;
  readonly add: (group: string, files: readonly FoundFile[]) => Promise<void>;
  readonly stateOf: (group: string) => Promise<GroupState>;
  /** The first of them, by name, and how many there are. */
  readonly failuresOf: (group: string) => Promise<Failures>;
  /** The title of one document; undefined: none has one. */
  readonly titleIn: (group: string) => Promise<string | undefined>;
}

interface Failures {
  readonly errors: readonly { readonly locator: string; readonly message: string }[];
  readonly total: number;
}

export interface GroupState {
  readonly status: string;
  readonly progress: { readonly [count in 'seen' | 'indexed' | 'unchanged' | 'skipped' | 'failed']: number };
  readonly error?: { readonly title: string; readonly message: string };
}

/** What is read of records; each kind has some of it. */
interface Group {
  readonly id: string;
  readonly name: string;
  readonly status: string;
}
interface Document {
  readonly title: string;
  readonly status: string;
  readonly sha256: string | null;
}
interface Page {
  readonly pagination: { readonly has_more: boolean; readonly next_id: string };
}
const MAX_ATTEMPTS = 5;

export const remoteService = (url: string, key: string): RemoteService => {
  const ask = async (path: string, form?: () => Promise<FormData>): Promise<unknown> => {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await fetch(`${url}/api/v1${path}`, {
        method: form === undefined ? 'GET' : 'POST',
        headers: { 'x-api-key': key },
        ...(form !== undefined && { body: await form() }),
      }).catch((error: Error) => {
        const { cause } = error as { cause?: { code?: string } };
        throw new Error(
          `${url} does not answer (${cause?.code ?? error.message}): is the service running there? KNOWLEDGER_URL names another place`,
        );
      });
      const body: unknown = await answer.json().catch(() => null);
      if (answer.ok && body !== null) return body;
      const passes = answer.status === 429 || answer.status === 503;
      if (!passes || attempt === MAX_ATTEMPTS)
        throw new Error(`the service refuses: ${reasonIn(body) ?? `it answers ${answer.status}`}`);
      await wait(1_000 * Number(answer.headers.get('retry-after') ?? attempt));
    }
  };
  const all = async <Row>(
    path: string,
    rowsOf: (page: unknown) => readonly Row[],
  ): Promise<readonly Row[]> => {
    const rows: Row[] = [];
    for (let after = ''; ;) {
      const page = (await ask(`${path}&limit=100${after}`)) as Page;
      rows.push(...rowsOf(page));
      if (!page.pagination.has_more) return rows;
      after = `&after=${encodeURIComponent(page.pagination.next_id)}`;
    }
  };
  return {
    groupNamed: async (name) => {
      const groups = await all(`/local-file-groups?name=${encodeURIComponent(name)}`, groupsIn);
      return groups.find((group) => group.name === name && group.status !== 'deleting')?.id;
    },
    hashesOf: async (group) => {
      const sources = await all(`/sources?source_group_id=${group}`, sourcesIn);
      return new Set(sources.flatMap(({ sha256 }) => sha256 ?? []));
    },
    create: async (name, files) => {
      const made = await ask('/local-file-groups', () => formOf(files, name));
      return (made as { readonly source_group_id: string }).source_group_id;
    },
    add: async (group, files) => void (await ask(`/local-file-groups/${group}/files`, () => formOf(files))),
    stateOf: async (group) => (await ask(`/local-file-groups/${group}`)) as GroupState,
    failuresOf: async (group) => failuresIn(await ask(`/local-file-groups/${group}/errors?limit=20`)),
    titleIn: async (group) => {
      const sources = sourcesIn(await ask(`/sources?source_group_id=${group}&limit=100`));
      // What could not be read is found by nothing that it says.
      return sources.find(({ title, status }) => title !== '' && status === 'indexed')?.title;
    },
  };
};

const groupsIn = (page: unknown): readonly Group[] =>
  (page as { readonly local_file_groups: readonly Group[] }).local_file_groups;
const sourcesIn = (page: unknown): readonly Document[] =>
  (page as { readonly sources: readonly Document[] }).sources;
const failuresIn = (page: unknown): Failures => {
  const { errors, pagination } = page as Pick<Failures, 'errors'> & {
    readonly pagination: { readonly total: number };
  };
  return { errors, total: pagination.total };
};
const reasonIn = (body: unknown): string | undefined =>
  (body as { readonly error?: { readonly message?: string } } | null)?.error?.message;

/** The bytes are read from the disk as they are sent. */
const formOf = async (files: readonly FoundFile[], name?: string): Promise<FormData> => {
  const form = new FormData();
  if (name !== undefined) form.append('name', name);
  for (const { path, name: fileName } of files) form.append('files', await openAsBlob(path), fileName);
  for (const { modified } of files) form.append('last_modified', String(modified));
  return form;
};
