import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The browser that pages are opened with. */
export type BrowserProgram =
  | { readonly kind: 'installed'; readonly path: string }
  /** Compressed, in a package: it is unpacked once, see `unpackBrowser`. */
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
