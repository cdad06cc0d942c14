import { type DatabaseAddress, createDatabase, isTransient } from '../../../adapters/postgres/connection.ts';
import { urlOf } from '../../support/database-url.ts';
import { AUTHORITY } from '../../support/eventstoredb/certificate.ts';
import { type FreshDatabase, freshDatabase } from '../../support/postgres.ts';
import { openSeverable } from '../../support/severable.ts';
import { openTlsFront } from '../../support/tls-front.ts';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const addressOf = (address: DatabaseAddress) => {
  const { hostname, port } = new URL(urlOf(address));
  return { host: hostname, port: Number(port || 5432) };
};

describe('a database', () => {
  let database: FreshDatabase;
  beforeAll(async () => {
    database = await freshDatabase();
  });
  afterAll(() => database?.close());

  const one = async (expression: string): Promise<unknown> =>
    (await database.pool.query<{ value: unknown }>(`SELECT ${expression} AS value`)).rows[0]?.value;

  it('answers bigints as numbers and refuses those that would be rounded', async () => {
    expect(await one('count(*)')).toBe(1);
    expect(await one('9007199254740991::int8')).toBe(Number.MAX_SAFE_INTEGER);
    expect(await one('ARRAY[1, NULL, -5]::int8[]')).toEqual([1, null, -5]);
    await expect(one('9007199254740992::int8')).rejects.toThrow('does not fit');
  });

  it('answers dates as text and numerics unrounded', async () => {
    expect(await one(`date '2026-02-28'`)).toBe('2026-02-28');
    expect(await one('0.10000000000000000001')).toBe('0.10000000000000000001');
  });

  it('takes its settings to a server that it is told of by a URL, and adds those of the URL', async () => {
    const shown = async (parameters: string) => {
      const url = `${urlOf(database.address)}?${parameters}`;
      const { pool, close } = createDatabase({ connectionString: url, applicationName: 'knowledger-views' });
      try {
        const { rows } = await pool.query<{ value: string }>(`SELECT current_setting(name) AS value
          FROM unnest(ARRAY['application_name', 'statement_timeout', 'idle_in_transaction_session_timeout',
            'TimeZone', 'work_mem']) AS name`);
        return rows.map(({ value }) => value);
      } finally {
        await close();
      }
    };
    const [name, minute] = ['knowledger-views', '1min'];
    expect((await shown('')).slice(0, 4)).toEqual([name, minute, minute, 'UTC']);
    expect(await shown('options=-c%20work_mem%3D7MB')).toEqual([name, minute, minute, 'UTC', '7MB']);
    expect((await shown('statement_timeout=120000')).slice(0, 3)).toEqual([name, '2min', minute]);
    expect((await shown('application_name=mine')).slice(0, 2)).toEqual(['mine', minute]);
  });

  it('speaks TLS as the URL asks for it, and to nobody whose certificate it cannot check', async () => {
    const { host, port } = addressOf(database.address);
    const [secure, plain] = [await openTlsFront(host, port), await openSeverable(host, port)];
    const folder = await mkdtemp(join(tmpdir(), 'knowledger-tls-'));
    const authority = join(folder, 'authority.pem');
    await writeFile(authority, AUTHORITY);
    const ask = async (to: number, parameters: string) => {
      const url = new URL(urlOf(database.address));
      [url.hostname, url.port, url.search] = ['127.0.0.1', String(to), parameters];
      const { pool, close } = createDatabase({ connectionString: url.href, poolSize: 1 });
      try {
        return (await pool.query<{ value: number }>('SELECT 7 AS value')).rows[0]?.value;
      } finally {
        await close();
      }
    };
    try {
      expect(await ask(secure.port, `sslmode=verify-full&sslrootcert=${authority}`)).toBe(7);
      expect(await ask(secure.port, 'sslmode=no-verify')).toBe(7);
      expect(secure.connections()).toBe(2);
      await expect(ask(secure.port, 'sslmode=verify-full')).rejects.toThrow(/certificate/);
      await expect(ask(secure.port, 'sslmode=require')).rejects.toThrow(/certificate/);
      await expect(ask(plain.port, 'sslmode=verify-full')).rejects.toThrow('does not support SSL');
    } finally {
      await Promise.all([secure.close(), plain.close(), rm(folder, { recursive: true })]);
    }
  });

  it('gives a connection up on which a statement is not answered, although nothing breaks it', async () => {
    const { host, port } = addressOf(database.address);
    const way = await openSeverable(host, port);
    const url = new URL(urlOf(database.address));
    [url.hostname, url.port] = ['127.0.0.1', String(way.port)];
    const { pool, close } = createDatabase({ connectionString: url.href, statementTimeoutMs: 400 });
    try {
      await pool.query('SELECT 1');
      way.freeze();
      await expect(pool.query('SELECT 1')).rejects.toThrow('the database did not respond');
      way.restore();
      expect((await pool.query<{ value: number }>('SELECT 7 AS value')).rows[0]?.value).toBe(7);
    } finally {
      await close();
      await way.close();
    }
  });

  it('gives up connections whose answers were lost when it is told to, and keeps those that answer', async () => {
    const { host, port } = addressOf(database.address);
    const way = await openSeverable(host, port);
    const url = new URL(urlOf(database.address));
    [url.hostname, url.port] = ['127.0.0.1', String(way.port)];
    const { pool, breakSilent, close } = createDatabase({ connectionString: url.href });
    try {
      const pid = async () =>
        (await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]!.pid;
      const before = await pid();
      breakSilent(60_000);
      expect(await pid()).toBe(before);
      const loss = way.lose();
      const lost = pool.query('SELECT 1');
      lost.catch(() => undefined);
      await loss;
      way.restore();
      breakSilent(0);
      await expect(lost).rejects.toThrow('the database did not respond');
      expect(await pid()).not.toBe(before);
    } finally {
      await close();
      await way.close();
    }
  });

  it('survives the loss of idle connections', async () => {
    const client = database.newClient();
    await client.connect();
    await database.pool.query('SELECT 1');
    await client.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await client.end();
    const answer = async (): Promise<unknown> => one('7').catch(answer);
    expect(await answer()).toBe(7);
  });
});

const sent = (code: string) => Object.assign(new pg.DatabaseError('told', 4, 'error'), { code });
const failed = (code: string) => Object.assign(new Error(code), { code });

describe('an error of Postgres', () => {
  it.each([
    ['the server ends the session', sent('57P01')],
    ['no connection is left', sent('53300')],
    ['a deadlock', sent('40P01')],
    ['a replica, after the primary was lost', sent('25006')],
    ['the connection was cut', failed('ECONNRESET')],
    ['the disk is full', failed('ENOSPC')],
    ['the pool had none in time', new Error('timeout exceeded when trying to connect')],
    ['it did not respond', new Error('Connection terminated: the database did not respond')],
    [
      'a client that is done for',
      new Error('Client has encountered a connection error and is not queryable'),
    ],
  ])('may pass: %s', (_, error) => {
    expect(isTransient(error)).toBe(true);
  });

  it.each([
    ['a table that is not there', sent('42P01')],
    ['a row twice', sent('23505')],
    ['no such number', sent('22P02')],
    ['a wrong call', failed('ERR_INVALID_ARG_TYPE')],
    ['a text that speaks of one', new SyntaxError('Unexpected token "connection timeout" is not valid JSON')],
    ['nothing', undefined],
  ])('stays: %s', (_, error) => {
    expect(isTransient(error)).toBe(false);
  });

  it('passes when a server comes back, and not by waiting for a statement that is wrong', async () => {
    const { pool, close } = await freshDatabase();
    const wrong = await pool.query('select from nowhere').catch((error: unknown) => error);
    const killed = await pool
      .query('select pg_terminate_backend(pg_backend_pid())')
      .catch((error: unknown) => error);
    const client = new pg.Client({ host: '127.0.0.1', port: 1 });
    const unreached = await client.connect().catch((error: unknown) => error);
    await close();
    expect([wrong, killed, unreached].map(isTransient)).toEqual([false, true, true]);
  });
});
