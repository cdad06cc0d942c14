import { describe, expect, it } from 'vitest';
import { addressError } from '../../composition/listening.ts';
import { databaseUrlError, dataDirError } from '../../composition/store-error.ts';
import { ConfigError } from '../../composition/environment.ts';
import { readConfig } from '../../composition/config.ts';
import { openDatabases, openDatabasesBeside } from '../../composition/startup.ts';
import { unusedAddress } from '../support/health.ts';
import { serverAddress } from '../support/postgres.ts';
import { urlOf } from '../support/database-url.ts';

const coded = (code: string, more: object = {}): Error => Object.assign(new Error(code), { code, ...more });

const URL_OF = 'postgres://jo:hunter2@db:5432/x';

describe('errors of a start', () => {
  it.each(['EACCES', 'EPERM', 'EROFS', 'EEXIST', 'ENOTDIR'])(
    'name the data directory for %s in it',
    (code) => {
      for (const path of ['/srv', '/srv/data', '/srv/data/postgres/password.new']) {
        const told = dataDirError('/srv/data', coded(code, { path }));
        expect(told).toBeInstanceOf(ConfigError);
        expect((told as Error).message).toMatch(/^\/srv\S* .*: set KNOWLEDGER_DATA_DIR to a folder/);
      }
    },
  );

  it.each(['ENOSPC', 'EDQUOT'])('name the disk that is full for %s', (code) => {
    for (const [path, place] of [
      ['/srv/data/postgres/service.lock', '/srv/data/postgres/service.lock'],
      [undefined, '/srv/data'],
    ]) {
      const told = dataDirError('/srv/data', coded(code, path === undefined ? {} : { path }));
      expect((told as Error).message).toBe(
        `the disk of ${place} is full (${code}): make room there, or set KNOWLEDGER_DATA_DIR to a folder on another`,
      );
    }
  });

  it('are left as they are where the data directory has no part in them', () => {
    const errors = [
      coded('EACCES', { path: '/etc/x' }),
      coded('EACCES'),
      coded('EIO', { path: '/srv/data' }),
    ];
    for (const error of errors) expect(dataDirError('/srv/data', error)).toBe(error);
    for (const error of [coded('53300'), new Error('other')])
      expect(databaseUrlError(error, URL_OF)).toBe(error);
    const other = coded('EMFILE');
    expect(addressError({ host: '::1', port: 1 }, other)).toBe(other);
  });

  it('name PORT or HOST where the address cannot be had', () => {
    const told = (code: string) => addressError({ host: '10.9.9.9', port: 80 }, coded(code)).message;
    expect(told('EACCES')).toContain('set PORT');
    expect(told('EADDRINUSE')).toContain('set PORT');
    expect(told('EADDRNOTAVAIL')).toContain('set HOST');
  });

  it.each(['28P01', '28000', '3D000', 'ENOTFOUND'])(
    'name DATABASE_URL for %s, and repeat no word of pg',
    (code) => {
      const told = databaseUrlError(
        Object.assign(coded(code), { message: 'user "jo", password hunter2' }),
        URL_OF,
      );
      expect((told as Error).message).toMatch(
        /^DATABASE_URL names a Postgres at db:5432 that cannot be used: .*\(.*\); /,
      );
      expect((told as Error).message).not.toMatch(/jo|hunter2/);
    },
  );

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
    const address = await serverAddress();
    const { hostname: host, port } = new URL(urlOf(address));
    const url = `postgres://knowledger:hunter2@${host}:${port}/knowledger`;
    const config = readConfig({ DATABASE_URL: url }, true);
    const refused = await openDatabases(config, () => {}).catch((error: unknown) => error as Error);
    expect(refused).toEqual(
      new ConfigError(
        `DATABASE_URL names a Postgres at ${host}:${port} that cannot be used: it does not accept user and password ` +
          '(28P01); correct them, with % escapes for special characters',
      ),
    );
  });
});
