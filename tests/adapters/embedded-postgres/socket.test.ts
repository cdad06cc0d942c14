import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { removeSockets } from '../../../adapters/embedded-postgres/postmaster.ts';
import {
  connectEmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../../adapters/embedded-postgres/server.ts';

const SETTINGS = ['fsync = off'];

const answersOn = async (connection: pg.ClientConfig): Promise<string | null> => {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const { rows } = await client.query<{ address: string | null }>(
      'select inet_client_addr()::text address',
    );
    return rows[0]!.address;
  } finally {
    await client.end();
  }
};

describe.skipIf(process.platform === 'win32')('the embedded server', () => {
  const folders: string[] = [];
  const folder = async (name = ''): Promise<string> => {
    const made = await mkdtemp(join(tmpdir(), 'kn-'));
    folders.push(made);
    return join(made, name);
  };
  afterEach(async () => {
    for (const made of folders.splice(0)) await rm(made, { recursive: true, force: true });
  });

  it('is reached by a socket in its own folder, to which others do not get, and by TCP as well', async () => {
    const dataDir = await folder();
    const server = await startEmbeddedPostgres({ dataDir, settings: SETTINGS });
    try {
      const { connection } = server;
      expect(connection.host).toBe(join(dataDir, 'cluster'));
      expect(await answersOn(connection)).toBeNull();
      expect(await answersOn({ ...connection, host: '127.0.0.1' })).toBe('127.0.0.1/32');
      expect((await stat(connection.host)).mode & 0o077).toBe(0);
      expect(await connectEmbeddedPostgres({ dataDir })).toEqual(connection);
    } finally {
      await server.stop();
    }
    expect((await readdir(join(dataDir, 'cluster'))).filter((name) => name.startsWith('.s.'))).toEqual([]);
  });

  it.each([
    ['is longer than any socket can have', 'x'.repeat(100), '127.0.0.1'],
    ['has quotes, commas and spaces', `it's a "folder", or \\two`, null],
  ])('starts where its path %s', async (_, name, host) => {
    const dataDir = await folder(name);
    const server = await startEmbeddedPostgres({ dataDir, settings: SETTINGS });
    try {
      expect(server.connection.host).toBe(host ?? join(dataDir, 'cluster'));
      await answersOn(server.connection);
    } finally {
      await server.stop();
    }
  });

  it('is reached by TCP where the operator has put its socket elsewhere', async () => {
    const dataDir = await folder();
    const first = await startEmbeddedPostgres({ dataDir, settings: SETTINGS });
    await first.stop();
    await writeFile(join(dataDir, 'cluster', 'custom.conf'), `unix_socket_directories = ''\n`);
    const server = await startEmbeddedPostgres({ dataDir, settings: SETTINGS });
    try {
      expect(server.connection.host).toBe('127.0.0.1');
      await answersOn(server.connection);
    } finally {
      await server.stop();
    }
  });

  it('starts over the sockets that a killed one has left', async () => {
    const cluster = await folder();
    const left = createServer();
    await new Promise<void>((resolve) => left.listen(join(cluster, '.s.PGSQL.5432'), resolve));
    await writeFile(join(cluster, '.s.PGSQL.5432.lock'), `${process.pid}\n`);
    await writeFile(join(cluster, 'PG_VERSION'), '18');
    await removeSockets(cluster);
    expect(await readdir(cluster)).toEqual(['PG_VERSION']);
    left.close();
  });
});
