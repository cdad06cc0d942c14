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
}

const run = promisify(execFile);
const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const java = (): string => {
  const home = process.env['JAVA_HOME'];
  return home ? join(home, 'bin', 'java') : 'java';
};

/**
 * A node of OpenSearch in a temporary folder, which Maven fetches at the first time: see `prepare`.
 *
 * @throws Error where Java or Maven is missing, or fails
 */
export const startOpenSearch = async (): Promise<OpenSearchNode> => {
  await run(java(), ['-version']);
  const { stdout } = await run(fileOf('prepare'));
  const folder = await mkdtemp(join(tmpdir(), 'knowledger-opensearch-'));
  const [port, transport] = [await unusedPort(), await unusedPort()];
  const options = ['-Xms512m', '-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];
  const place = ['-cp', join(stdout.trim(), 'lib', '*'), fileOf('Server.java')];
  const server = spawn(java(), [...options, ...place, folder, `${port}`, `${transport}`], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  server.stderr.on('data', (part: Buffer) => (output = (output + part.toString()).slice(-4_000)));
  const ended = once(server, 'exit');
  const close = async (): Promise<void> => {
    server.stdin.end();
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  const started = await Promise.race([isStarted(server.stdout), ended.then(() => false)]);
  if (!started) {
    await rm(folder, { recursive: true, force: true });
    throw new Error(`OpenSearch does not start: ${output}`);
  }
  return { url: `http://127.0.0.1:${port}`, pid: server.pid!, close };
};

const isStarted = async (output: NodeJS.ReadableStream): Promise<boolean> => {
  for await (const line of createInterface(output)) if (line === 'started') return true;
  return false;
};
