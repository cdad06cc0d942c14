import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../composition/config/config.ts';
import { ConfigError } from '../../composition/config/environment.ts';
import { makeDataDir, openDatabases, openDatabasesBeside } from '../../composition/databases.ts';
import { addressError, databaseUrlError, dataDirError } from '../../composition/start-errors.ts';
import { urlOf } from '../support/database-url.ts';
import { unusedAddress } from '../support/health.ts';
import { serverAddress } from '../support/postgres.ts';

const coded = (code: string, more: object = {}): Error => Object.assign(new Error(code), { code, ...more });
const URL_OF = 'postgres://jo:hunter2@db:5432/x';

describe('errors of a start', () => {
  it.each(['EACCES', 'EEXIST', 'ENOTDIR'])('name the data directory for %s in it', (code) => {
    for (const path of ['/srv', '/srv/data', '/srv/data/postgres/password.new']) {
      const told = dataDirError('/srv/data', coded(code, { path }));
      expect(told).toBeInstanceOf(ConfigError);
      expect((told as Error).message).toMatch(/^\/srv\S* .*: set KNOWLEDGER_DATA_DIR to a folder/);
    }
  });

  it.each([
    ['/srv/data/postgres/service.lock', '/srv/data/postgres/service.lock'],
    [undefined, '/srv/data'],
  ])('name the disk that is full (%s)', (path, place) => {
    const told = dataDirError('/srv/data', coded('ENOSPC', path === undefined ? {} : { path }));
    expect((told as Error).message).toBe(
      `the disk of ${place} is full (ENOSPC): make room there, or set KNOWLEDGER_DATA_DIR to a folder on another`,
    );
  });

  it('are left as they are where the data directory has no part in them', () => {
    for (const [code, more] of [
      ['EACCES', { path: '/etc/x' }],
      ['EACCES', {}],
      ['EIO', { path: '/srv/data' }],
    ] as const) {
      const error = coded(code, more);
      expect(dataDirError('/srv/data', error)).toBe(error);
    }
    const other = coded('EMFILE');
    expect(databaseUrlError(other, URL_OF)).toBe(other);
    expect(addressError({ host: '::1', port: 1 }, other)).toBe(other);
  });

  it.each(['28P01', '3D000', 'ENOTFOUND'])('name DATABASE_URL for %s, and repeat no word of pg', (code) => {
    const error = Object.assign(coded(code), { message: 'user "jo", password hunter2' });
    const told = databaseUrlError(error, URL_OF) as Error;
    expect(told.message).toMatch(/^DATABASE_URL names a Postgres at db:5432 that cannot be used: .*\(.*\); /);
    expect(told.message).not.toMatch(/jo|hunter2/);
  });

  it('name DATABASE_URL where nothing listens, to services and to commands', async () => {
    const { port } = await unusedAddress();
    const config = readConfig({ DATABASE_URL: `postgres://jo:hunter2@127.0.0.1:${port}/x` }, true);
    for (const open of [openDatabases, openDatabasesBeside]) {
      const refused = await open(config, () => {}).catch((error: unknown) => error as Error);
      expect(refused).toEqual(
        new ConfigError(
          `DATABASE_URL names a Postgres at 127.0.0.1:${port} that cannot be used: nothing listens there (ECONNREFUSED); ` +
            'start it, or correct host and port',
        ),
      );
    }
  });

  it('name DATABASE_URL where Postgres does not accept the password, and keep that to themselves', async () => {
    const { hostname: host, port } = new URL(urlOf(await serverAddress()));
    const url = `postgres://knowledger:hunter2@${host}:${port}/knowledger`;
    const opening = openDatabases(readConfig({ DATABASE_URL: url }, true), () => {});
    await expect(opening).rejects.toThrow(
      `DATABASE_URL names a Postgres at ${host}:${port} that cannot be used: it does not accept user and password ` +
        '(28P01); correct them, with % escapes for special characters',
    );
  });
});

describe('the data directory', () => {
  let place: string;
  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), 'knowledger-data-dir-'));
  });
  afterEach(() => rm(place, { recursive: true, force: true }));

  it('is made with the folders above it, which others may go through at most, and stays as it is then', async () => {
    const dataDir = join(place, 'of', 'some', 'service');
    await Promise.all([makeDataDir(dataDir), makeDataDir(dataDir)]);
    for (const folder of [dataDir, join(place, 'of')]) {
      const { mode } = await stat(folder);
      expect((mode & 0o777).toString(8)).toBe(process.getuid?.() === 0 ? '711' : '700');
    }
    await writeFile(join(dataDir, 'kept'), 'x');
    await makeDataDir(dataDir);
    expect((await stat(join(dataDir, 'kept'))).size).toBe(1);
  });

  it('is refused below a file, by the variable to set', async () => {
    await writeFile(join(place, 'file'), '');
    await expect(makeDataDir(join(place, 'file', 'data'))).rejects.toThrow(
      `${join(place, 'file', 'data')} is not a folder, or is below a file (ENOTDIR): ` +
        'set KNOWLEDGER_DATA_DIR to a folder that this user may write',
    );
  });
});
