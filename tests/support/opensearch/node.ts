import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { unusedPort } from '../unused-port.ts';

export interface OpenSearchNode {
  readonly url: string;
  readonly pid: number;
  readonly close: () => Promise<void>;
  /** The same one, started again once it has ended. */
  readonly again: () => Promise<OpenSearchNode>;
}

const run = promisify(execFile);
const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const java = (): string => {
  const home = process.env['JAVA_HOME'];
  return home ? join(home, 'bin', 'java') : 'java';
};

/** Small and quick to start, or as servers run. */
export const SMALL = ['-Xms512m', '-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];

/**
 * A node of OpenSearch in a temporary folder, which Maven fetches at the first time: see `prepare`.
 *
 * @param options of Java
 * @throws Error where Java or Maven is missing, or fails
 */
export const startOpenSearch = async (options: readonly string[] = SMALL): Promise<OpenSearchNode> =>
  (await startOpenSearchNodes(1, options))[0]!;

/** So many nodes of one cluster; else as `startOpenSearch`. */
export const startOpenSearchNodes = async (
  count: number,
  options: readonly string[] = SMALL,
): Promise<readonly OpenSearchNode[]> => {
  await run(java(), ['-version']);
  const { stdout } = await run(fileOf('prepare'));
  const ports: number[] = [];
  for (let i = 0; i < count; i += 1) ports.push(await unusedPort());
  const started = await Promise.allSettled(
    ports.map(async (port) => {
      const folder = await mkdtemp(join(tmpdir(), 'knowledger-opensearch-'));
      const place = ['-cp', join(stdout.trim(), 'lib', '*'), fileOf('Server.java')];
      const http = await unusedPort();
      const about = [folder, `127.0.0.1:${port}`, `${http}`, `${port}`, ports.join()];
      return startNode(folder, http, [...options, ...place, ...about]);
    }),
  );
  const nodes = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = started.find((one) => one.status === 'rejected');
  if (failed === undefined) return nodes;
  await Promise.all(nodes.map(({ close }) => close()));
  throw failed.reason;
};

const startNode = async (folder: string, port: number, args: readonly string[]): Promise<OpenSearchNode> => {
  const server = spawn(java(), args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  server.stderr.on('data', (part: Buffer) => (output = (output + part.toString()).slice(-4_000)));
  const ended = once(server, 'exit');
  const started = await Promise.race([isStarted(server.stdout), ended.then(() => false)]);
  if (!started) {
    await rm(folder, { recursive: true, force: true });
    throw new Error(`OpenSearch does not start: ${output}`);
  }
  return {
    url: `http://127.0.0.1:${port}`,
    pid: server.pid!,
    close: async () => {
      server.stdin.end();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
    again: async () => {
      await ended;
      return startNode(folder, port, args);
    },
  };
};

const isStarted = async (output: NodeJS.ReadableStream): Promise<boolean> => {
  for await (const line of createInterface(output)) if (line === 'started') return true;
  return false;
};
