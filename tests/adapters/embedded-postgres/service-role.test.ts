import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../adapters/embedded-postgres/server.ts';
import { eventStoreMigrations } from '../../../adapters/postgres/events/migrations.ts';
import { createDatabase } from '../../../adapters/postgres/connection.ts';
import { migrate } from '../../../adapters/postgres/migrate.ts';
import { postmasterPid, query } from '../../support/embedded-cluster.ts';

/** Everything in the database that the service's role does not own, the system's own things apart. */
const NOT_OWNED = `
  SELECT 'relation ' || relname FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
  WHERE nspname !~ '^pg_|^information_schema$' AND pg_get_userbyid(relowner) <> current_user
  UNION ALL SELECT 'routine ' || proname FROM pg_proc JOIN pg_namespace n ON n.oid = pronamespace
  WHERE nspname !~ '^pg_|^information_schema$' AND pg_get_userbyid(proowner) <> current_user
  UNION ALL SELECT 'type ' || typname FROM pg_type JOIN pg_namespace n ON n.oid = typnamespace
  WHERE nspname !~ '^pg_|^information_schema$' AND pg_get_userbyid(typowner) <> current_user
  UNION ALL SELECT 'schema ' || nspname FROM pg_namespace
  WHERE nspname !~ '^pg_|^information_schema$|^public$' AND pg_get_userbyid(nspowner) <> current_user
  UNION ALL SELECT 'database' FROM pg_database
  WHERE datname = current_database() AND pg_get_userbyid(datdba) <> current_user`;

describe('the role of the service in its embedded Postgres', { timeout: 120_000 }, () => {
  let dataDir: string;
  let server: EmbeddedPostgres;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'knowledger-role-'));
    process.env['KNOWLEDGER_MASTER_KEY'] = 'secret of the service';
    server = await startEmbeddedPostgres({ dataDir });
  });
  afterAll(async () => {
    delete process.env['KNOWLEDGER_MASTER_KEY'];
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('owns everything in its database, and may migrate it', async () => {
    const database = createDatabase({ ...server.connection, poolSize: 1 });
    await migrate(database.pool, eventStoreMigrations);
    await database.close();
    expect(await query(server.connection, NOT_OWNED)).toEqual([]);
  });

  it('is no superuser, runs no programs and reads no files', async () => {
    const asked = 'SELECT rolsuper, rolcreaterole, rolcreatedb FROM pg_roles WHERE rolname = current_user';
    expect(await query(server.connection, asked)).toEqual([false, false, false]);
    for (const sql of [
      `COPY (SELECT 1) TO PROGRAM 'env'`,
      `SELECT pg_read_file('PG_VERSION')`,
      'CREATE ROLE x',
    ]) {
      await expect(query(server.connection, sql)).rejects.toThrow('permission denied');
    }
    const superuser = { ...server.connection, user: server.administrator.user };
    await expect(query(superuser, 'SELECT 1')).rejects.toThrow('password');
  });

  it('leaves the passwords in no file but their own', async () => {
    const secrets = [server.connection.password, server.administrator.password];
    for (const name of ['server.log', 'cluster/postgresql.conf']) {
      const text = await readFile(join(dataDir, name), 'utf8');
      expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    }
    expect((await readdir(dataDir)).toSorted()).toEqual([
      'cluster',
      'password',
      'server.log',
      'service.lock',
    ]);
  });

  it.runIf(process.platform === 'linux')('has a server that knows nothing of the service', async () => {
    const environment = await readFile(`/proc/${await postmasterPid(dataDir)}/environ`, 'utf8');
    const names = environment
      .split('\0')
      .filter(Boolean)
      .map((entry) => entry.split('=')[0]);
    expect(new Set(names)).toEqual(new Set(['LC_ALL', 'PATH']));
    const seen = await query(
      server.administrator,
      `
      CREATE TEMP TABLE seen (line text); COPY seen FROM PROGRAM 'env'; SELECT line FROM seen`,
    );
    expect(seen).not.toEqual([]);
    expect(seen.join('\n')).not.toContain('secret');
  });
});
