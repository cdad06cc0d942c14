import { openAsBlob } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

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

interface Failures {
  readonly errors: readonly { readonly locator: string; readonly message: string; readonly time: number }[];
  readonly total: number;
}

export interface GroupState {
  readonly status: string;
  readonly progress: { readonly [count in 'seen' | 'indexed' | 'unchanged' | 'skipped' | 'failed']: number };
  readonly error?: { readonly title: string; readonly message: string };
}

/** The fields of API records that this client reads. */
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

export const createApiClient = (url: string, key: string): ApiClient => {
  const request = async (path: string, form?: () => Promise<FormData>): Promise<unknown> => {
    for (let attempt = 1; ; attempt += 1) {
      const response = await fetch(`${url}/api/v1${path}`, {
        method: form === undefined ? 'GET' : 'POST',
        headers: { 'x-api-key': key },
        ...(form !== undefined && { body: await form() }),
      }).catch((error: Error) => {
        const { cause } = error as { cause?: { code?: string } };
        throw new Error(
          `${url} does not answer (${cause?.code ?? error.message}): is the service running there? set KNOWLEDGER_URL if it runs elsewhere`,
        );
      });
      const body: unknown = await response.json().catch(() => null);
      if (response.ok && body !== null) return body;
      const isRetryable = response.status === 429 || response.status === 503;
      if (!isRetryable || attempt === MAX_ATTEMPTS)
        throw new Error(`the service refused the request: ${reasonIn(body) ?? `HTTP ${response.status}`}`);
      await wait(1_000 * Number(response.headers.get('retry-after') ?? attempt));
    }
  };
  const fetchAllPages = async <Row>(
    path: string,
    rowsOf: (page: unknown) => readonly Row[],
  ): Promise<readonly Row[]> => {
    const rows: Row[] = [];
    for (let after = ''; ;) {
      const page = (await request(`${path}&limit=100${after}`)) as Page;
      rows.push(...rowsOf(page));
      if (!page.pagination.has_more) return rows;
      after = `&after=${encodeURIComponent(page.pagination.next_id)}`;
    }
  };
  return {
    findGroupId: async (name) => {
      const groups = await fetchAllPages(`/local-file-groups?name=${encodeURIComponent(name)}`, groupsIn);
      return groups.find((group) => group.name === name && group.status !== 'deleting')?.id;
    },
    hashesOf: async (group) => {
      const sources = await fetchAllPages(`/sources?source_group_id=${group}`, sourcesIn);
      return new Set(sources.flatMap(({ sha256 }) => sha256 ?? []));
    },
    failedAt: async (group) => {
      const errors = await fetchAllPages(
        `/local-file-groups/${group}/errors?`,
        (page) => failuresIn(page).errors,
      );
      return new Map(errors.map(({ locator, time }) => [locator, time]));
    },
    create: async (name, files) => {
      const made = await request('/local-file-groups', () => formOf(files, name));
      return (made as { readonly source_group_id: string }).source_group_id;
    },
    add: async (group, files) =>
      void (await request(`/local-file-groups/${group}/files`, () => formOf(files))),
    stateOf: async (group) => (await request(`/local-file-groups/${group}`)) as GroupState,
    failuresOf: async (group) => failuresIn(await request(`/local-file-groups/${group}/errors?limit=20`)),
    findTitle: async (group) => {
      const sources = sourcesIn(await request(`/sources?source_group_id=${group}&limit=100`));
      // A document that is not indexed cannot be found by its text.
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

/** Reads the bytes from disk while they are sent. */
const formOf = async (files: readonly LocalFile[], name?: string): Promise<FormData> => {
  const form = new FormData();
  if (name !== undefined) form.append('name', name);
  for (const { path, name: fileName } of files) form.append('files', await openAsBlob(path), fileName);
  for (const { modified } of files) form.append('last_modified', String(modified));
  return form;
};
