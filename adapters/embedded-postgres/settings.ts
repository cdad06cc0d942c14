import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from './durable-file.ts';
import { giveTo } from './identity.ts';
import { HOST } from './postmaster.ts';
import type { Runtime } from './program.ts';
import { socketFolder } from './socket.ts';

/**
 * Ours, written at every start where they have changed: a disk that is full takes no file that is the same. An
 * operator's own settings go into `custom.conf` beside it, which is never touched.
 */
export const writeSettings = async (
  runtime: Runtime,
  cluster: string,
  port: number,
  settings: readonly string[],
): Promise<void> => {
  const text = `# Written by the service at every start: put your own settings into custom.conf.
listen_addresses = '${HOST}'
port = ${port}
unix_socket_directories = ${quoted(socketFolder(cluster) ?? '')}
max_connections = 100
shared_buffers = 128MB
max_wal_size = 1GB
jit = off
timezone = 'UTC'
log_timezone = 'UTC'
log_line_prefix = '%m [%p] '
log_destination = 'stderr'
logging_collector = off
${settings.join('\n')}
include_if_exists = 'custom.conf'
`;
  const file = join(cluster, 'postgresql.conf');
  if ((await readFile(file, 'utf8').catch(() => '')) === text) return;
  await replaceFile(file, text);
  await giveTo(runtime.identity, file);
};

/** A string of postgresql.conf; a list of folders takes one with a comma in it in double quotes. */
const quoted = (folder: string): string => {
  const listed = folder === '' ? '' : `"${folder.replaceAll('"', '""')}"`;
  return `'${listed.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
};
