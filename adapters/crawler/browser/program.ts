import {
  accessSync,
  constants,
  createReadStream,
  createWriteStream,
  existsSync,
  readFileSync,
} from 'node:fs';
import { access, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';

/** A browser executable. */
export type BrowserProgram =
  | { readonly kind: 'installed'; readonly path: string }
  /** A compressed executable in a package; it is unpacked once, see `prepareBrowser`. */
  | { readonly kind: 'packed'; readonly path: string; readonly version: string };

/** The headless shell comes first: it is smaller and sufficient. */
const EXECUTABLE_NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
];

const EXECUTABLE_PATHS = [
  ...['/usr/bin', '/usr/local/bin', '/snap/bin'].flatMap((folder) =>
    EXECUTABLE_NAMES.map((name) => join(folder, name)),
  ),
  '/opt/google/chrome/chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** npm package that contains Chromium for Linux x64; it downloads nothing. */
export const BROWSER_PACKAGE = '@sparticuz/chromium';

/** A browser on the system: on this search path under a usual name, or at a usual path. */
export const findInstalled = (searchPath: string): BrowserProgram | null => {
  const folders = searchPath.split(delimiter).filter(isAbsolute);
  const named = EXECUTABLE_NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  const path = [...named, ...EXECUTABLE_PATHS].find(isExecutable);
  return path === undefined ? null : { kind: 'installed', path };
};

/** The browser in `BROWSER_PACKAGE`, if the package is installed and supports this machine. */
export const findBundled = (): BrowserProgram | null => {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  try {
    const folder = fileURLToPath(new URL('..', import.meta.resolve(BROWSER_PACKAGE)));
    const path = join(folder, 'bin', 'chromium.br');
    return existsSync(path) ? { kind: 'packed', path, version: versionIn(folder) } : null;
  } catch {
    return null; // not installed
  }
};

const versionIn = (folder: string): string => {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  return version;
};

export const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const FILE_PREFIX = 'chromium-';

/**
 * The path of a browser that can be started. A bundled browser is unpacked once into `folder`, which only the service
 * uses; other versions in it are deleted. The file is renamed into place, so several processes may unpack it
 * concurrently.
 */
export const prepareBrowser = async (program: BrowserProgram, folder: string): Promise<string> => {
  if (program.kind === 'installed') return program.path;
  const name = `${FILE_PREFIX}${program.version}`;
  const path = join(folder, name);
  if (await exists(path)) return path;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const partial = `${path}.${process.pid}`;
  try {
    await pipeline(
      createReadStream(program.path),
      createBrotliDecompress(),
      createWriteStream(partial, { mode: 0o700, flush: true }),
    );
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  for (const other of await readdir(folder)) {
    if (other.startsWith(FILE_PREFIX) && !other.startsWith(name))
      await rm(join(folder, other), { force: true });
  }
  return path;
};

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
