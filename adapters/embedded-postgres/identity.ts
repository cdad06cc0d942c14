import { spawnSync } from 'node:child_process';
import { chown, lstat, readFile, readdir, stat } from 'node:fs/promises';
import { join, parse } from 'node:path';

/** Postgres refuses to run as uid 0, whatever root may do: how its programs are started from this process. */
export type Identity =
  | { readonly kind: 'self' }
  /** Inside a user namespace that shows our own files and processes as those of uid 1000. */
  | { readonly kind: 'namespace' }
  | { readonly kind: 'user'; readonly uid: number; readonly gid: number };

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  /** The working directory is one that the identity may enter; ours may be closed to it. */
  readonly options: {
    readonly cwd: string;
    readonly env: { readonly [name: string]: string };
    readonly uid?: number;
    readonly gid?: number;
  };
}

/**
 * All that the programs are told. Not our own environment: whoever gets the server to run a program or to read a file
 * could read the service's secrets there. What Windows cannot do without, Node adds.
 */
export const ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
} as const;

const UNSHARE = ['-U', '--map-user=1000', '--map-group=1000'];

/** The candidates for this process, best first; `cluster` may not exist yet. */
export const identities = async (cluster: string): Promise<readonly Identity[]> => {
  if (process.getuid?.() !== 0) return [{ kind: 'self' }];
  const owner = await stat(cluster).catch(() => null);
  // Who has run this cluster so far keeps it, so that root's start does not lock its owner out.
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

/** Whether a program under that identity can be run at all: its folders may be closed to another user. */
export const canRun = (identity: Identity, file: string, args: readonly string[]): boolean => {
  const command = commandAs(identity, file, args);
  return spawnSync(command.file, command.args, { ...command.options, stdio: 'ignore' }).status === 0;
};

/** Gives a tree to the identity's user, as this process sees it; does nothing where it has it already. */
export const giveTo = async (identity: Identity, path: string): Promise<void> => {
  if (process.getuid?.() !== 0) return;
  const [uid, gid] = identity.kind === 'user' ? [identity.uid, identity.gid] : [0, 0];
  if ((await stat(path)).uid !== uid) await chownTree(path, uid, gid);
};

const chownTree = async (path: string, uid: number, gid: number): Promise<void> => {
  if ((await lstat(path)).isSymbolicLink()) return;
  const entries = (await lstat(path)).isDirectory() ? await readdir(path) : [];
  for (const entry of entries) await chownTree(join(path, entry), uid, gid);
  // The folder last: its owner is what tells a finished change from an interrupted one.
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
