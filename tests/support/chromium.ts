import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { findInstalled, findBundled, prepareBrowser } from '../../adapters/crawler/browser/program.ts';

export interface Chromium {
  readonly path: string;
  /** Whether this machine lets it have its sandbox. */
  readonly sandbox: boolean;
  /** Of a service that is to use it. */
  readonly env: { readonly [name: string]: string };
}

const runs = (file: string, ...args: readonly string[]): boolean => {
  try {
    execFileSync(file, args, { stdio: 'ignore', timeout: 60_000 });
    return true;
  } catch {
    return false;
  }
};

/**
 * The browser of this machine, or else of the package; null, which the output tells, where none can be run: then tests
 * of real pages are skipped.
 */
export const chromiumHere = async (): Promise<Chromium | null> => {
  const found = findInstalled(process.env['PATH'] ?? '') ?? findBundled();
  const folder = join(tmpdir(), `knowledger-tests-${userInfo().uid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = found === null ? null : await prepareBrowser(found, folder);
  if (path === null || !runs(path, '--version')) {
    console.warn(`skipped: tests with a browser, since ${path ?? 'no Chromium'} runs here`);
    return null;
  }
  const sandbox = runs('unshare', '--user', '--map-user=1000', '--map-group=1000', 'true');
  const env = { KNOWLEDGER_BROWSER: path, KNOWLEDGER_BROWSER_SANDBOX: sandbox ? 'on' : 'off' };
  return { path, sandbox, env };
};
