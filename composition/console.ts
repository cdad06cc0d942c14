import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Logger } from '../application/ports/logger.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CONSOLE = join(ROOT, 'console');
const SOURCES = [join(CONSOLE, 'src'), join(ROOT, 'clients/typescript/src')];
const VITE = join(ROOT, 'node_modules/vite/bin/vite.js');

/** The folder of the built console. */
export const CONSOLE_FOLDER = join(CONSOLE, 'dist');

/**
 * Builds the console where it is missing or older than its sources. An installation without them, or without
 * development tools, carries it built. A failure is logged: the service works without the console.
 */
export const buildConsole = async (log: Logger): Promise<void> => {
  if (!existsSync(VITE) || !(await isOld())) return;
  log.info('building the console, once');
  // Another process may serve, or build, what is there.
  const made = `${CONSOLE_FOLDER}-${process.pid}`;
  const build = spawn(process.execPath, [VITE, 'build', CONSOLE, '--outDir', made, '--logLevel', 'warn'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => build.once('close', resolve));
  const [code, ...output] = await Promise.all([ended, text(build.stdout), text(build.stderr)]);
  if (code !== 0) {
    log.error('the console cannot be built', { reason: output.join('').slice(0, 2_000) });
    return;
  }
  // Another process may do so at once: it finds nothing to move aside, or the same one in place.
  const old = `${made}-old`;
  await rename(CONSOLE_FOLDER, old).catch(() => {});
  await rename(made, CONSOLE_FOLDER).catch(() => {});
  for (const left of [old, made]) await rm(left, { recursive: true, force: true });
};

const isOld = async (): Promise<boolean> => {
  if (!existsSync(SOURCES[0]!)) return false;
  const built = await stat(join(CONSOLE_FOLDER, 'index.html')).catch(() => null);
  if (built === null) return true;
  const changes = await Promise.all(SOURCES.map(lastChange));
  return Math.max(...changes) > built.mtimeMs;
};

const lastChange = async (folder: string): Promise<number> => {
  const entries = await readdir(folder, { recursive: true });
  const times = await Promise.all(entries.map(async (entry) => (await stat(join(folder, entry))).mtimeMs));
  return Math.max(...times);
};
