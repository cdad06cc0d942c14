import { spawnSync } from 'node:child_process';
import { chown, lstat, readFile, readdir, stat } from 'node:fs/promises';
import { join, parse } from 'node:path';

/**
 * Postgres refuses to run as uid 0. An identity says how this process, possibly root, starts its programs.
 */
export type Identity =
  | { readonly kind: 'self' }
  /** In a user namespace that maps our files and processes to uid 1000. */
  | { readonly kind: 'namespace' }
  | { readonly kind: 'user'; readonly uid: number; readonly gid: number };

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  /** `cwd` is a folder that the identity may enter; our working directory may be closed to it. */
  readonly options: {
    readonly cwd: string;
    readonly env: { readonly [name: string]: string };
    readonly uid?: number;
    readonly gid?: number;
  };
}

/**
 * The complete environment of the programs. They do not get ours: whoever makes the server run a program or
 * read a file could read the service's secrets there. On Windows, Node adds the variables that the system
 * needs.
 */
export const ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
} as const;

const UNSHARE = ['-U', '--map-user=1000', '--map-group=1000'];

/** Candidates for this process, best first; `cluster` may not exist yet. */
export const identities = async (cluster: string): Promise<readonly Identity[]> => {
  if (process.getuid?.() !== 0) return [{ kind: 'self' }];
  const owner = await stat(cluster).catch(() => null);
  // The current owner of the cluster keeps it, so that a start as root does not lock the owner out.
  const before: Identity[] =
    owner && owner.uid !== 0 ? [{ kind: 'user', uid: owner.uid, gid: owner.gid }] : [];
  return [...before, ...(namespacesWork() ? [{ kind: 'namespace' } as const] : []), await serviceUser()];
};

export const commandAs = (identity: Identity, file: string, args: readonly string[]): Command => {
  const base = { cwd: parse(process.execPath).root, env: ENVIRONMENT };
  switch (identity.kind) {
    case 'self':
      return { file, args, options: base };
    case 'namespace':
      return { file: 'unshare', args: [...UNSHARE, '--', file, ...args], options: base };
    case 'user':
      return { file, args, options: { ...base, uid: identity.uid, gid: identity.gid } };
  }
};

/** Whether a program can run under that identity: its folders may be closed to another user. */
export const canRun = (identity: Identity, file: string, args: readonly string[]): boolean => {
  const command = commandAs(identity, file, args);
  return spawnSync(command.file, command.args, { ...command.options, stdio: 'ignore' }).status === 0;
};

/** Gives a tree to the identity's user, as this process sees it; does nothing if that user owns it. */
export const chownTo = async (identity: Identity, path: string): Promise<void> => {
  if (process.getuid?.() !== 0) return;
  const [uid, gid] = identity.kind === 'user' ? [identity.uid, identity.gid] : [0, 0];
  if ((await stat(path)).uid !== uid) await chownTree(path, uid, gid);
};

const chownTree = async (path: string, uid: number, gid: number): Promise<void> => {
  if ((await lstat(path)).isSymbolicLink()) return;
  const entries = (await lstat(path)).isDirectory() ? await readdir(path) : [];
  for (const entry of entries) await chownTree(join(path, entry), uid, gid);
  // The folder last: its owner shows that the change is complete.
  await chown(path, uid, gid);
};

const namespacesWork = (): boolean => {
  const probe = spawnSync('unshare', [...UNSHARE, '--', 'id', '-u'], {
    encoding: 'utf8',
    env: ENVIRONMENT,
  });
  return probe.status === 0 && probe.stdout.trim() === '1000';
};

const serviceUser = async (): Promise<Identity> => {
  const accounts = (await readFile('/etc/passwd', 'utf8').catch(() => ''))
    .split('\n')
    .map((line) => line.split(':'));
  const account = ['postgres', 'nobody']
    .map((name) => accounts.find((fields) => fields[0] === name))
    .find(Boolean);
  return { kind: 'user', uid: Number(account?.[2] ?? 65_534), gid: Number(account?.[3] ?? 65_534) };
};
