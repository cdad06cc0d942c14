import { createHash } from 'node:crypto';

export type Mode = '100644' | '100755' | '120000' | '160000';
export interface HostedFile {
  readonly mode: Mode;
  readonly bytes: Buffer;
  /** Only of a submodule, whose commit it is. */
  readonly commit?: string;
}
export interface HostedEntry {
  readonly path: string;
  readonly mode: string;
  readonly type: 'blob' | 'tree' | 'commit';
  readonly sha: string;
  readonly size?: number;
}
export interface HostedCommit {
  readonly sha: string;
  readonly files: ReadonlyMap<string, HostedFile>;
}

const sha1 = (kind: string, bytes: Buffer): string =>
  createHash('sha1').update(`${kind} ${bytes.length}\0`).update(bytes).digest('hex');
export const blobSha = (bytes: Buffer): string => sha1('blob', bytes);

/** A commit of these files. Its hash is made up, but the same for the same files. */
export const commitOf = (files: ReadonlyMap<string, HostedFile>): HostedCommit => {
  const said = [...files].map(
    ([path, { mode, bytes, commit }]) => `${path} ${mode} ${commit ?? blobSha(bytes)}`,
  );
  return { sha: sha1('commit', Buffer.from(JSON.stringify(said.toSorted()))), files: new Map(files) };
};

/** Of a folder within a commit: made up as well. */
const treeSha = ({ sha }: HostedCommit, folder: string): string =>
  sha1('tree', Buffer.from(`${sha}:${folder}`));

const entryOf = (path: string, { mode, bytes, commit }: HostedFile): HostedEntry =>
  mode === '160000'
    ? { path, mode, type: 'commit', sha: commit ?? '' }
    : { path, mode, type: 'blob', sha: blobSha(bytes), size: bytes.length };

/** Entries below a folder (`a/b/`; '' for the root), by their path from there, folders among them. */
export const treeOf = (commit: HostedCommit, folder: string, recursive: boolean): readonly HostedEntry[] => {
  const found = new Map<string, HostedEntry>();
  for (const [whole, file] of commit.files) {
    if (!whole.startsWith(folder)) continue;
    const path = whole.slice(folder.length);
    const parts = path.split('/');
    const depth = recursive ? parts.length - 1 : Math.min(1, parts.length - 1);
    for (let above = 1; above <= depth; above += 1) {
      const name = parts.slice(0, above).join('/');
      const sha = treeSha(commit, `${folder}${name}/`);
      found.set(name, { path: name, mode: '040000', type: 'tree', sha });
    }
    if (recursive || parts.length === 1) found.set(path, entryOf(path, file));
  }
  return [...found.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
};

/** The folder that this hash of a tree is of; '' for a commit itself. */
export const folderOf = (commit: HostedCommit, sha: string): string | null => {
  if (sha === commit.sha) return '';
  const folders = new Set(
    [...commit.files.keys()].flatMap((path) =>
      path
        .split('/')
        .slice(0, -1)
        .map((_, i, parts) => `${parts.slice(0, i + 1).join('/')}/`),
    ),
  );
  return [...folders].find((folder) => treeSha(commit, folder) === sha) ?? null;
};
