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

/** The browser that pages are opened with. */
export type BrowserProgram =
  | { readonly kind: 'installed'; readonly path: string }
  /** Compressed, in a package: it is unpacked once, see `readyProgram`. */
  | { readonly kind: 'packed'; readonly path: string; readonly version: string };

/** The one without windows comes first: it is smaller, and nothing else is needed. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
];

const PLACES = [
  ...['/usr/bin', '/usr/local/bin', '/snap/bin'].flatMap((folder) => NAMES.map((name) => join(folder, name))),
  '/opt/google/chrome/chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Carries a Chromium for Linux on x64 inside, and downloads nothing. */
export const PACKAGE = '@sparticuz/chromium';

/** A browser on the system, by its usual names: on this search path, or in a usual place. */
export const findInstalled = (searchPath: string): BrowserProgram | null => {
  const folders = searchPath.split(delimiter).filter(isAbsolute);
  const named = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  const path = [...named, ...PLACES].find(isProgram);
  return path === undefined ? null : { kind: 'installed', path };
};

/** The browser of the package that carries one, if that is installed and fits this machine. */
export const findPacked = (): BrowserProgram | null => {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  try {
    const folder = fileURLToPath(new URL('..', import.meta.resolve(PACKAGE)));
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

export const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const STEM = 'chromium-';

/**
 * The path of a browser that can be started. One out of a package is unpacked into `folder` once, which belongs to the
 * service alone; other versions there are deleted. It is put in place whole, so that several processes may do so at once.
 */
export const readyProgram = async (program: BrowserProgram, folder: string): Promise<string> => {
  if (program.kind === 'installed') return program.path;
  const name = `${STEM}${program.version}`;
  const path = join(folder, name);
  if (await isThere(path)) return path;
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
    if (other.startsWith(STEM) && !other.startsWith(name)) await rm(join(folder, other), { force: true });
  }
  return path;
};

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
