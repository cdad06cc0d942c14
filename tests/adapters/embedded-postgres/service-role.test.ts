import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCluster } from '../../../adapters/embedded-postgres/cluster.ts';
import { launch } from '../../../adapters/embedded-postgres/launch.ts';
import { ensurePassword } from '../../../adapters/embedded-postgres/credentials.ts';
import { prepareRuntime } from '../../../adapters/embedded-postgres/runtime.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../adapters/embedded-postgres/server.ts';
import { shutDown } from '../../../adapters/embedded-postgres/shutdown.ts';
import { eventStoreMigrations } from '../../../adapters/postgres/events/migrations.ts';
import { createDatabase } from '../../../adapters/postgres/connection.ts';
import { migrate } from '../../../adapters/postgres/migrate.ts';
import { projectionMigrations } from '../../../adapters/postgres/projections/versions.ts';
import { vaultMigrations } from '../../../adapters/postgres/vault/vault.ts';
import { workMigrations } from '../../../adapters/postgres/work/migrations.ts';
import { postmasterPid, query } from '../../support/embedded-cluster.ts';

const ALL = [...eventStoreMigrations, ...projectionMigrations, ...vaultMigrations, ...workMigrations];
/** Of every kind that a schema may hold. */
const MORE = `
  CREATE SCHEMA "Odd one";
  CREATE TABLE "Odd one"."A b" (id int GENERATED ALWAYS AS IDENTITY, n serial, at timestamptz);
  CREATE INDEX ON "Odd one"."A b" (at);
  CREATE VIEW "Odd one".v AS SELECT n FROM "Odd one"."A b";
  CREATE MATERIALIZED VIEW "Odd one".m AS SELECT 1 AS one;
  CREATE SEQUENCE "Odd one".s;
  CREATE TYPE "Odd one".colour AS ENUM ('red');
  CREATE TYPE "Odd one".pair AS (a int, b int);
  CREATE TYPE "Odd one".span AS RANGE (subtype = int);
  CREATE DOMAIN "Odd one".small AS int CHECK (value < 10);
  CREATE FUNCTION "Odd one".f(a int, b text) RETURNS int LANGUAGE sql AS 'SELECT 1';
  CREATE PROCEDURE "Odd one".p() LANGUAGE sql AS 'SELECT 1';
  CREATE AGGREGATE "Odd one".total(int) (SFUNC = int4pl, STYPE = int);`;
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
  /** As versions before this one made it: the service is the superuser, and owns all. */
  const formerCluster = async (): Promise<void> => {
    const runtime = await prepareRuntime(dataDir, () => {});
    const password = await ensurePassword(runtime, dataDir, () => {});
    await createCluster(runtime, dataDir, password);
    const options = { password, settings: [], deadline: Date.now() + 60_000 };
    const { port } = await launch(runtime, dataDir, options);
    const former = { host: '127.0.0.1', port, user: 'knowledger', password, database: 'knowledger' };
    await query({ ...former, database: 'postgres' }, 'CREATE DATABASE knowledger');
    const database = createDatabase({ ...former, poolSize: 1 });
    await migrate(database.pool, ALL);
    await database.pool.query(MORE);
    await database.close();
    await shutDown(runtime, join(dataDir, 'cluster'));
  };
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'knowledger-role-'));
    await formerCluster();
    process.env['KNOWLEDGER_MASTER_KEY'] = 'secret of the service';
    server = await startEmbeddedPostgres({ dataDir });
  });
  afterAll(async () => {
    delete process.env['KNOWLEDGER_MASTER_KEY'];
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('owns everything in its database, also in one that the superuser of earlier versions made', async () => {
    expect(await query(server.connection, NOT_OWNED)).toEqual([]);
    const more =
      'ALTER TABLE es.events ADD COLUMN x int; ALTER TABLE es.events DROP COLUMN x; CREATE SCHEMA y';
    await query(server.connection, more);
    expect(await query(server.connection, 'SELECT es.align_clock()')).toEqual(['']);
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
