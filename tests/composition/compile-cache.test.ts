import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const MODULE = new URL('../../composition/compile-cache.mjs', import.meta.url).href;

let modules = '';
beforeEach(async () => {
  modules = join(await mkdtemp(join(tmpdir(), 'knowledger-cache-')), 'node_modules');
});
afterEach(() => rm(join(modules, '..'), { recursive: true, force: true }));

/** What lies in the folder after a process that keeps what it compiled, and where it says that it does. */
const keep = async (user: string, env: { readonly [name: string]: string } = {}) => {
  const script = `
    import module from 'node:module';
    import { keepCompiled } from '${MODULE}';
    keepCompiled(${JSON.stringify(modules)}, ${user});
    await import('data:text/javascript,export const kept = 1');
    console.log(module.getCompileCacheDir() ?? 'nowhere');`;
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', script],
    { env },
  );
  expect(stderr).toBe('');
  return { place: stdout.trim(), found: await readdir(modules).catch(() => 'no folder') };
};

describe.skipIf(process.getuid === undefined)('what Node compiled', () => {
  it('is kept in the installed packages of the user', async () => {
    await mkdir(modules);
    const { place, found } = await keep('process.getuid()');
    expect(place.startsWith(join(modules, '.cache', 'node'))).toBe(true);
    expect(found).toEqual(['.cache']);
  });

  it('is not kept in those of another user', async () => {
    await mkdir(modules);
    expect(await keep('process.getuid() + 1')).toEqual({ place: 'nowhere', found: [] });
  });
});
