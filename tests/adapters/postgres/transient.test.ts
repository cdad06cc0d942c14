import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { isTransient } from '../../../adapters/postgres/transient.ts';
import { freshDatabase } from '../../support/postgres.ts';

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
    ['it fell silent', new Error('Connection terminated: the database fell silent')],
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
