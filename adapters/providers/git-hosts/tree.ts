import { camelKeys } from '../../../domain/shared/key-case.ts';
import { SourceRefused } from '../../../application/sources/ingestion/listed/listed-source.ts';
import { Unusable } from '../../http-client/ask.ts';
import type { RepositoryApi } from './repository-api.ts';

/** What a path of a commit leads to, but for folders. */
export interface TreeEntry {
  readonly path: string;
  readonly kind: 'file' | 'symlink' | 'submodule';
  /** Of the blob, for a submodule of its commit. */
  readonly sha: string;
  /** Null where the host does not say. */
  readonly bytes: number | null;
}

/** GitHub cuts a tree at 100,000 entries or 7 MB (its documentation of trees); other hosts set limits of their own. */
const MOST_TREE_BYTES = 64 * 1024 ** 2;
const MOST_ENTRIES = 1_000_000;
const PAGE = 1_000;

/**
 * All entries of a commit. Where the host cuts the tree, it is asked folder by folder, until every answer is whole: what
 * is missing here counts as deleted.
 *
 * @throws SourceRefused where a tree cannot be had whole
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
    if (found.length > MOST_ENTRIES) throw tooLarge(`it has more than ${MOST_ENTRIES} files`);
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
}

const askTree = async (
  api: RepositoryApi,
  sha: string,
  recursive: boolean,
  signal: AbortSignal,
): Promise<Tree> => {
  const path = `git/trees/${encodeURIComponent(sha)}`;
  const query = recursive ? '?recursive=1' : '';
  if (!api.host.flavour.pagesTrees) return treeIn(await api.json(`${path}${query}`, MOST_TREE_BYTES, signal));
  return pagedTree(api, `${path}${query === '' ? '?' : `${query}&`}per_page=${PAGE}`, signal);
};

/** There, `truncated` means that more pages follow, and may be true on the last one too: the count decides. */
const pagedTree = async (api: RepositoryApi, path: string, signal: AbortSignal): Promise<Tree> => {
  const rows: Row[] = [];
  for (let page = 1; rows.length <= MOST_ENTRIES; page += 1) {
    const json = await api.json(`${path}&page=${page}`, MOST_TREE_BYTES, signal);
    const found = treeIn(json);
    rows.push(...found.rows);
    const { totalCount } = camelKeys({ ...(json as object), tree: null }) as { readonly totalCount?: number };
    if (found.rows.length === 0 || !found.isCut || rows.length >= (totalCount ?? Infinity)) break;
  }
  return { rows, isCut: false };
};

const treeIn = (json: unknown): Tree => {
  const { tree, truncated } = (json ?? {}) as { readonly tree?: unknown; readonly truncated?: unknown };
  if (!Array.isArray(tree) || !tree.every(isRow)) throw new Unusable('sent JSON that is no tree');
  return { rows: tree, isCut: truncated === true };
};

const isRow = (row: unknown): row is Row => {
  const { path, mode, type, sha } = (row ?? {}) as Partial<Row>;
  return [path, mode, type, sha].every((field) => typeof field === 'string');
};
