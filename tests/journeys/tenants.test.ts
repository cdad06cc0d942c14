import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../support/postgres.ts';
import { withKey } from '../support/client.ts';
import { type Service, startService } from '../support/service.ts';
import { startedProgram } from '../support/started-program.ts';
import { urlOf } from '../support/database-url.ts';

/** The command where nothing runs. */
const tenantCommand = async (env: object, ...args: readonly string[]) => {
  const program = await startedProgram();
  return new Promise<{ readonly code: unknown; readonly output: string }>((resolve) => {
    const options = { env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env } };
    execFile(process.execPath, [program, 'tenant', ...args], options, (error, out, err) =>
      resolve({ code: error?.code ?? 0, output: out + err }),
    );
  });
};

describe('the command for tenants, where no service has been', { timeout: 180_000 }, () => {
  it.each([
    ['does not exist', ['Acme'], (folder: string) => join(folder, 'nowhere')],
    ['is empty', ['list'], (folder: string) => folder],
  ])('refuses a data directory that %s, and makes nothing in it', async (_, args, placeIn) => {
    const folder = await mkdtemp(join(tmpdir(), 'knowledger-tenants-'));
    try {
      const place = placeIn(folder);
      const { code, output } = await tenantCommand({ KNOWLEDGER_DATA_DIR: place }, ...args);
      expect([code, output]).toEqual([2, expect.stringContaining(`${place} contains no data of a service`)]);
      expect(output).toContain('npm start');
      expect(await readdir(folder)).toEqual([]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('refuses an empty database, and makes nothing in it', async () => {
    const database = await freshDatabase();
    try {
      const { host, port, user, password, database: name } = database.pool.options;
      const parts = { host: host!, port: port!, user: user!, password: String(password), database: name! };
      const { connectionString = urlOf(parts) } = database.pool.options;
      const { code, output } = await tenantCommand({ DATABASE_URL: connectionString }, 'Acme');
      expect([code, output]).toEqual([
        2,
        expect.stringContaining('DATABASE_URL contains no data of a service'),
      ]);
      const { rows } = await database.pool.query(
        `select tablename from pg_tables
         where schemaname not in ('pg_catalog', 'information_schema') and tablename <> 'knowledger_migration'`,
      );
      expect(rows).toEqual([]);
    } finally {
      await database.close();
    }
  });
});

describe('the command for tenants', { timeout: 180_000 }, () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  }, 60_000);
  afterAll(() => service.dispose());

  const keyIn = (output: string): string => /kn_\S+/.exec(output)?.[0] ?? '';
  /** Once: a key that was printed works. */
  const asks = (key: string, path: string) => withKey(service, key).api('GET', path);

  it('refuses a blank name', async () => {
    const { code, output } = await service.command('tenant', ' ');
    expect([code, output]).toEqual([2, expect.stringContaining('a tenant is named by')]);
  });

  it('gives a tenant whose keys are lost one more key, by its name or its id', async () => {
    const made = (await service.command('tenant', 'Acme Corp')).output;
    const id = /tenant Acme Corp is (\S+)/.exec(made)?.[1] ?? '';
    const keys = [made];
    for (const tenant of ['Acme Corp', id.toUpperCase()]) {
      const { code, output } = await service.command('tenant', 'key', tenant);
      expect([code, output]).toEqual([0, expect.stringContaining(id)]);
      keys.push(output);
    }
    expect(new Set(keys.map(keyIn)).size).toBe(3);
    const { status, body } = await asks(keyIn(keys[2]!), '/api-keys');
    expect([status, body.pagination.total]).toEqual([200, 3]);
    for (const output of keys) expect((await asks(keyIn(output), '/events')).status).toBe(200);
    const { body: log } = await asks(keyIn(keys[1]!), '/events');
    expect(log.events.map(({ actor }: { actor: object }) => actor)).toEqual([
      { kind: 'system', id: 'bootstrap', tenant: id },
      { kind: 'system', id: 'command line', tenant: id },
      { kind: 'system', id: 'command line', tenant: id },
    ]);
  });

  it('makes a tenant once: asked again, it shows no key', async () => {
    const made = (await service.command('tenant', 'Acme')).output;
    const again = await service.command('tenant', 'Acme');
    expect([again.code, again.output.includes('kn_')]).toEqual([0, false]);
    expect(again.output).toContain(/tenant Acme is (\S+)/.exec(made)?.[1]);
  });

  it('gives no key for a tenant that is not there', async () => {
    for (const tenant of ['Acme Cor', '01999999-9999-7999-8999-999999999999']) {
      const { code, output } = await service.command('tenant', 'key', tenant);
      expect([code, keyIn(output)]).toEqual([2, '']);
      expect(output).toContain(`there is no tenant ${tenant}`);
    }
  });

  it('lists tenants with their keys, and works when the service is stopped too', async () => {
    const made = await service.command('tenant', 'Listed');
    const id = /tenant Listed is (\S+)/.exec(made.output)?.[1] ?? '';
    const { code, output } = await service.command('tenant', 'list');
    const line = `${id}  keys: 1, of which issue keys: 1`;
    expect([code, output.split('\n')[0]]).toEqual([0, expect.stringContaining('the first start')]);
    expect(output.split('\n')).toContain(line);
    await service.end('SIGTERM');
    expect((await service.command('tenant', 'list')).output).toContain(line);
    const recovered = await service.command('tenant', 'key', 'Listed');
    service = await service.again();
    expect((await asks(keyIn(recovered.output), '/crawls')).status).toBe(200);
  });
});
