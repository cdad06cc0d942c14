import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';
import { processesOf, readPostmaster } from '../../adapters/embedded-postgres/postmaster.ts';
import { eventually } from './eventually.ts';
import type { Connection } from '../../adapters/embedded-postgres/server.ts';

const SERVICE = join(import.meta.dirname, '..', 'adapters', 'embedded-postgres', 'service.mjs');

/** What a statement answers, or the last of several, as one list of values. */
export const query = async (connection: Connection, sql: string): Promise<readonly unknown[]> => {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  await client.connect();
  try {
    const results = [await client.query<unknown[]>({ text: sql, rowMode: 'array' })].flat();
    return results.at(-1)?.rows.flat() ?? [];
  } finally {
    await client.end();
  }
};

export const clusterIn = (dataDir: string): string => join(dataDir, 'cluster');

export const postmasterPid = async (dataDir: string): Promise<number> =>
  (await readPostmaster(clusterIn(dataDir)))!.pid;

/** When no process of Postgres works in the folder any more. */
export const nothingRuns = async (dataDir: string): Promise<void> => {
  await eventually(
    () => processesOf(clusterIn(dataDir)),
    (found) => found.length === 0,
  );
};

/** A process of its own that has started the server of a folder. */
export const serviceOn = async (
  dataDir: string,
): Promise<{ readonly service: ChildProcess; readonly connection: Connection }> => {
  const service = spawn(process.execPath, [SERVICE, dataDir], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = (await once(service.stdout, 'data')) as [Buffer];
  return { service, connection: JSON.parse(line.toString()) as Connection };
};

/** The same, killed: its server lives on. */
export const killedService = async (
  dataDir: string,
): Promise<{ readonly connection: Connection; readonly pid: number }> => {
  const { service, connection } = await serviceOn(dataDir);
  service.kill('SIGKILL');
  await once(service, 'exit');
  return { connection, pid: await postmasterPid(dataDir) };
};
