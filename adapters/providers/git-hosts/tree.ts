import { SourceRefused } from '../../../application/sources/ingestion/listed/listed-source.ts';
import type { RepoParameters } from '../../../domain/ingestion-setting/index.ts';
import { RequestRefused, parsed, textOf, InvalidResponse } from '../../http-client/provider-response.ts';

import { type RepositoryApi, textField } from './repository-api.ts';

/** An entry of a commit's tree, except folders. */
export interface TreeEntry {
  readonly path: string;
  readonly kind: 'file' | 'symlink' | 'submodule';
  /** Hash of the blob; for a submodule, of its commit. */
  readonly sha: string;
  /** Null when the host does not report it. */
  readonly bytes: number | null;
}

/** GitHub truncates a tree at 100,000 entries or 7 MB (its documentation of trees); other hosts have other limits. */
const MAX_TREE_BYTES = 64 * 1024 ** 2;
const MAX_ENTRIES = 1_000_000;
const PAGE = 1_000;

/**
 * All entries of a commit. If the host truncates the tree, it is requested folder by folder until every response is
 * complete, because a missing entry counts as deleted.
 *
 * @throws SourceRefused when a tree cannot be listed completely
 */
export const readTree = async (
  api: RepositoryApi,
  sha: string,
  signal: AbortSignal,
): Promise<readonly TreeEntry[]> => {
  const found: TreeEntry[] = [];
  const walk = async (tree: string, prefix: string): Promise<void> => {
    const whole = await askTree(api, tree, true, signal);
    if (!whole.isCut) return keep(whole.rows, prefix);
    const flat = await askTree(api, tree, false, signal);
    if (flat.isCut) throw tooLarge(`the host lists only a part of the folder ${prefix || '/'}`);
    keep(flat.rows, prefix);
    for (const { type, path, sha: folder } of flat.rows)
      if (type === 'tree') await walk(folder, `${prefix}${path}/`);
  };
  const keep = (rows: readonly Row[], prefix: string): void => {
    for (const row of rows) {
      const kind = kindOf(row);
      if (kind !== null)
        found.push({ path: `${prefix}${row.path}`, kind, sha: row.sha, bytes: row.size ?? null });
    }
    if (found.length > MAX_ENTRIES) throw tooLarge(`it has more than ${MAX_ENTRIES} files`);
  };
  await walk(sha, '');
  return found;
};

const tooLarge = (why: string): SourceRefused =>
  new SourceRefused('repository_too_large', 'Too large', `the repository cannot be listed whole: ${why}`);

interface Row {
  readonly path: string;
  readonly mode: string;
  readonly type: string;
  readonly sha: string;
  readonly size?: number;
}

const kindOf = ({ type, mode }: Row): TreeEntry['kind'] | null => {
  if (type === 'commit') return 'submodule';
  if (type !== 'blob') return null;
  return mode === '120000' ? 'symlink' : 'file';
};

interface Tree {
  readonly rows: readonly Row[];
  readonly isCut: boolean;
  /** Of all pages; undefined where the host does not count them. */
  readonly total?: number | undefined;
}

const askTree = async (
  api: RepositoryApi,
  sha: string,
  recursive: boolean,
  signal: AbortSignal,
): Promise<Tree> => {
  const path = `git/trees/${encodeURIComponent(sha)}`;
  const query = recursive ? '?recursive=1' : '';
  if (!api.host.flavour.pagesTrees) return api.json(`${path}${query}`, treeIn, MAX_TREE_BYTES, signal);
  return pagedTree(api, `${path}${query === '' ? '?' : `${query}&`}per_page=${PAGE}`, signal);
};

/** On these hosts `truncated` means that more pages follow, and may be true even on the last one: the count decides. */
const pagedTree = async (api: RepositoryApi, path: string, signal: AbortSignal): Promise<Tree> => {
  const rows: Row[] = [];
  for (let page = 1; rows.length <= MAX_ENTRIES; page += 1) {
    const found = await api.json(`${path}&page=${page}`, treeIn, MAX_TREE_BYTES, signal);
    rows.push(...found.rows);
    if (found.rows.length === 0 || !found.isCut || rows.length >= (found.total ?? Infinity)) break;
  }
  return { rows, isCut: false };
};

interface SentTree {
  readonly tree?: unknown;
  readonly truncated?: unknown;
  readonly total_count?: number;
}

const treeIn = (json: unknown): Tree => {
  const { tree, truncated, total_count: total } = (json ?? {}) as SentTree;
  // Gitea's empty tree.
  const rows = tree === null && total === 0 ? [] : tree;
  if (!Array.isArray(rows) || !rows.every(isRow)) throw new InvalidResponse('sent JSON that is no tree');
  return { rows, isCut: truncated === true, total };
};

const isRow = (row: unknown): row is Row => {
  const { path, mode, type, sha } = (row ?? {}) as Partial<Row>;
  return [path, mode, type, sha].every((field) => typeof field === 'string');
};

/** The commit of a reference. */
export interface FoundCommit {
  readonly sha: string;
  /** Sent with the next request, so that the host can report "unchanged" in one free response. */
  readonly etag: string | null;
}

type Reference = Pick<RepoParameters, 'referenceType' | 'referenceParam'>;

const MAX_COMMIT_BYTES = 8 * 1024 ** 2;
const SHA = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
const ONLY_THE_HASH = 'application/vnd.github.sha, application/json;q=0.5';

/**
 * The current commit of the reference, null for a repository without any, 'same' when it equals that of `before`.
 *
 * @throws SourceRefused when the branch, tag or commit does not exist; RequestRefused for the repository as a whole
 */
export const findCommit = async (
  api: RepositoryApi,
  reference: Reference,
  before: FoundCommit | null,
  signal: AbortSignal,
): Promise<FoundCommit | 'same' | null> => {
  const found = await askCommit(api, refOf(api, reference), reference, before, signal);
  if (found === 'none') return null;
  if (found !== 'unknown') return isMeant(reference, found) ? found : refuseReference(reference);
  // GitHub's ref names: a branch and a tag may have the same name.
  const { empty, default_branch: branch } = await api.json('', factsIn, MAX_COMMIT_BYTES, signal);
  if (empty === true) return null;
  if (reference.referenceType !== 'default' || typeof branch !== 'string') return refuseReference(reference);
  const name = api.host.flavour.fullName('heads', branch);
  const byName = await askCommit(api, name, reference, before, signal);
  if (byName === 'none') return null;
  return byName === 'unknown' ? refuseReference(reference) : byName;
};

interface RepositoryFacts {
  readonly empty?: unknown;
  readonly default_branch?: unknown;
}

const factsIn = (json: unknown): RepositoryFacts => json ?? {};

/** The bare hash, or JSON that contains it. */
const askCommit = async (
  api: RepositoryApi,
  ref: string,
  reference: Reference,
  before: FoundCommit | null,
  signal: AbortSignal,
): Promise<FoundCommit | 'same' | 'none' | 'unknown'> => {
  const etag = before?.etag ?? null;
  const asked = {
    maxBytes: MAX_COMMIT_BYTES,
    headers: { accept: ONLY_THE_HASH, ...(etag !== null && { 'if-none-match': etag }) },
    takes: [304],
  };
  try {
    return await api.ask(
      api.host.flavour.commitPath(ref),
      asked,
      async (answer) => {
        if (answer.status === 304) return 'same';
        const sha = shaIn(await textOf(answer));
        return sha === before?.sha ? 'same' : { sha, etag: answer.header('etag') };
      },
      signal,
    );
  } catch (error) {
    if (!(error instanceof RequestRefused)) throw error;
    if (error.status === 409) return 'none';
    if (error.status === 404) return 'unknown';
    if (error.status === 422) return refuseReference(reference);
    throw error;
  }
};

/** A branch or tag may be called like a hash, and then a host may answer with its commit. */
const isMeant = ({ referenceType, referenceParam }: Reference, found: FoundCommit | 'same'): boolean =>
  referenceType !== 'commit' || found === 'same' || found.sha.startsWith(referenceParam.toLowerCase());

const refuseReference = ({ referenceType, referenceParam }: Reference): never => {
  const named = referenceType === 'default' ? 'default branch' : `${referenceType} ${referenceParam}`;
  throw new SourceRefused(
    'reference_not_found',
    'Not found at the provider',
    `the repository has no ${named}: change the reference of its setting`,
  );
};

/** By its full name: a branch and a tag may have the same one. */
const refOf = (api: RepositoryApi, { referenceType, referenceParam }: Reference): string => {
  switch (referenceType) {
    case 'default':
      return 'HEAD';
    case 'branch':
      return api.host.flavour.fullName('heads', referenceParam);
    case 'tag':
      return api.host.flavour.fullName('tags', referenceParam);
    case 'commit':
      return encodeURIComponent(referenceParam);
  }
};

/** The hash alone, or JSON with it. */
const shaIn = (text: string): string => {
  const sha = text.startsWith('{') ? textField(parsed(text), 'sha') : text.trim();
  if (!SHA.test(sha)) throw new InvalidResponse('sent no hash of a commit');
  return sha;
};
