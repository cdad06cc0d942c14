import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clusterOf, clusterExists, SCRAM_ITERATIONS } from './cluster.ts';
import { replaceFile } from './durable-file.ts';
import { ADMINISTRATOR, DATABASE, type Connection } from './postmaster.ts';
import { run, type Runtime } from './program.ts';
import { shutDown } from './shutdown.ts';
import pg from 'pg';

/** The role of the service: owns everything in its database and has no rights outside it. */
export const SERVICE = 'knowledger_service';

/**
 * Creates the service's role and database, and sets the role's password. Changes nothing if all of that is in
 * place.
 *
 * Migrates clusters of earlier versions, in which the service was the superuser: everything that the
 * superuser owns in the database passes to the role in one transaction. The superuser of initdb cannot lose
 * that attribute, so it remains, for this purpose only.
 *
 * @param administrator connects to any database of the server
 */
export const ensureServiceRole = async (administrator: Connection, password: string): Promise<void> => {
  await withClient({ ...administrator, database: 'postgres' }, async (client) => {
    await ensureRole(client, verifierOf(password));
    const found = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE} OWNER ${SERVICE}`);
  });
  await withClient({ ...administrator, database: DATABASE }, transferOwnership);
};

const ensureRole = async (client: pg.Client, verifier: string): Promise<void> => {
  const { rows } = await client.query<{ readonly same: boolean }>(
    'SELECT rolpassword = $2 AND rolcanlogin AND NOT rolsuper AS same FROM pg_authid WHERE rolname = $1',
    [SERVICE, verifier],
  );
  if (rows[0]?.same === true) return;
  const verb = rows.length === 0 ? 'CREATE' : 'ALTER';
  await client.query(`${verb} ROLE ${SERVICE} LOGIN NOSUPERUSER PASSWORD '${verifier}'`);
};

const transferOwnership = async (client: pg.Client): Promise<void> => {
  await client.query('BEGIN');
  const { rows } = await client.query<{ readonly statement: string }>(TRANSFER_STATEMENTS, [
    ADMINISTRATOR,
    SERVICE,
  ]);
  for (const { statement } of rows) await client.query(statement);
  await client.query('COMMIT');
};

/**
 * Statements that transfer what role $1 owns in this database to role $2. `REASSIGN TRANSFER_STATEMENTS` rejects the role
 * of initdb, which owns the system objects. Objects of extensions keep their owner; indexes, row types and
 * sequences of columns follow their table.
 */
const TRANSFER_STATEMENTS = `
  WITH former AS (SELECT oid FROM pg_roles WHERE rolname = $1),
  places AS (
    SELECT oid, nspname, nspowner FROM pg_namespace
    WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'),
  bound AS (SELECT classid, objid FROM pg_depend WHERE deptype = 'e'),
  owned (kind, name) AS (
    SELECT 'DATABASE', quote_ident(datname) FROM pg_database, former
    WHERE datname = current_database() AND datdba = former.oid
    UNION ALL
    SELECT 'SCHEMA', quote_ident(nspname) FROM places, former WHERE nspowner = former.oid
    UNION ALL
    SELECT CASE WHEN c.relkind = 'c' THEN 'TYPE' ELSE 'TABLE' END, format('%I.%I', p.nspname, c.relname)
    FROM pg_class c JOIN places p ON p.oid = c.relnamespace, former
    WHERE c.relowner = former.oid AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S', 'c')
      AND ('pg_class'::regclass, c.oid) NOT IN (SELECT classid, objid FROM bound)
      AND NOT (c.relkind = 'S' AND EXISTS (
        SELECT FROM pg_depend d
        WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype IN ('a', 'i')))
    UNION ALL
    SELECT 'ROUTINE', r.oid::regprocedure::text
    FROM pg_proc r JOIN places p ON p.oid = r.pronamespace, former
    WHERE r.proowner = former.oid AND ('pg_proc'::regclass, r.oid) NOT IN (SELECT classid, objid FROM bound)
    UNION ALL
    SELECT CASE t.typtype WHEN 'd' THEN 'DOMAIN' ELSE 'TYPE' END, format('%I.%I', p.nspname, t.typname)
    FROM pg_type t JOIN places p ON p.oid = t.typnamespace, former
    WHERE t.typowner = former.oid AND t.typtype IN ('d', 'e', 'r')
      AND ('pg_type'::regclass, t.oid) NOT IN (SELECT classid, objid FROM bound))
  SELECT format('ALTER %s %s OWNER TO %I', kind, name, $2::text) AS statement FROM owned`;

const withClient = async (
  connection: Connection,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> => {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
};

export const passwordFileOf = (dataDir: string): string => join(dataDir, 'password');

/** The administrator's password. Null before the first start, and when the file was lost or emptied. */
export const readPassword = async (dataDir: string): Promise<string | null> => {
  const text = await readFile(passwordFileOf(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text.trim() === '' ? null : text.trim();
};

/**
 * Returns the administrator's password; creates it at the first call. If the file is lost but the cluster
 * exists, sets a new password: whoever owns the files owns the database. A running server is stopped for
 * that.
 */
export const ensurePassword = async (
  runtime: Runtime,
  dataDir: string,
  log: (line: string) => void,
  signal?: AbortSignal,
): Promise<string> => {
  const known = await readPassword(dataDir);
  if (known !== null) return known;
  const password = randomBytes(24).toString('base64url');
  if (await clusterExists(dataDir)) {
    log(`${passwordFileOf(dataDir)} is empty or missing: giving the embedded Postgres a new password`);
    await shutDown(runtime, clusterOf(dataDir));
    await setPassword(runtime, clusterOf(dataDir), password, signal);
  }
  await replaceFile(passwordFileOf(dataDir), password);
  return password;
};

/** The service's password, derived one-way from the administrator's. */
export const servicePassword = (password: string): string =>
  derive(password, 'service').toString('base64url');

/**
 * The stored form of a password (`pg_authid.rolpassword`), so that no statement and no log contains the
 * password itself. Deterministic: the salt is derived from the password too, which is safe because the
 * password is random.
 */
const verifierOf = (password: string): string => {
  const salt = derive(password, 'salt').subarray(0, 16);
  const salted = pbkdf2Sync(password, salt, SCRAM_ITERATIONS, 32, 'sha256');
  const stored = createHash('sha256').update(derive(salted, 'Client Key')).digest('base64');
  const server = derive(salted, 'Server Key').toString('base64');
  return `SCRAM-SHA-256$${SCRAM_ITERATIONS}:${salt.toString('base64')}$${stored}:${server}`;
};

const derive = (key: string | Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest();

/**
 * Sets the password in single-user mode, which needs no password, accepts no connections and exits with 0
 * even after an error.
 */
const setPassword = async (
  runtime: Runtime,
  cluster: string,
  password: string,
  signal?: AbortSignal,
): Promise<void> => {
  const input = `ALTER ROLE ${ADMINISTRATOR} PASSWORD '${verifierOf(password)}';\n`;
  const output = await run(runtime, 'postgres', ['--single', '-D', cluster, 'postgres'], { input, signal });
  if (/ERROR|FATAL|PANIC/.test(output))
    throw new Error(`Postgres does not accept the new password: ${output.trim()}`);
};
