import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unusedPort } from '../support/unused-port.ts';

const START = new URL('../../composition/start.mjs', import.meta.url).pathname;
const KEY = /kn_[\w-]{43}/g;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'knowledger-start-'));
});
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

const start = (dataDir: string, env: { readonly [name: string]: string } = {}): ChildProcess =>
  spawn(process.execPath, [START], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'] ?? '',
      PORT: '0',
      KNOWLEDGER_DATA_DIR: dataDir,
      KNOWLEDGER_DRAIN_MS: '0',
      KNOWLEDGER_CONSOLE: 'off',
      ...env,
    },
  });

/** What a program printed, apart, when it has ended: by itself, or by a signal once it listens. */
const told = async (child: ChildProcess) => {
  let seen = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    seen += chunk.toString();
    if (/events -H/.test(seen)) child.kill('SIGTERM');
  });
  const [out, err] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, 'close')]);
  return { code: child.exitCode, out, err };
};

const lines = (printed: string): { message: string; level: string }[] =>
  printed
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { message: string; level: string });

describe('the started program', { timeout: 180_000 }, () => {
  it('refuses what it cannot use before anything is started or made', async () => {
    const { code, out, err } = await told(start(folder, { KNOWLEDGER_ALLOW_ADDRESSES: 'localhost' }));
    expect([code, out]).toEqual([1, '']);
    expect(lines(err)).toMatchObject([
      { level: 'error', message: expect.stringContaining('ALLOW_ADDRESSES') },
    ]);
    expect(await readdir(folder)).toEqual([]);
  });

  it('ends when it cannot start, although it listens for metrics already', async () => {
    const nowhere = `postgres://127.0.0.1:${await unusedPort()}/x`;
    const env = { DATABASE_URL: nowhere, KNOWLEDGER_METRICS_PORT: String(await unusedPort()) };
    const { code, err } = await told(start(folder, env));
    expect(code).toBe(1);
    expect(lines(err).at(-1)?.message).toContain('ECONNREFUSED');
    expect(lines(err).at(-1)?.message).toContain('DATABASE_URL');
  });

  it.each(['PORT', 'KNOWLEDGER_METRICS_PORT'])(
    'says to set %s where another program has it, before anything is made',
    async (variable) => {
      const other = createServer().listen(0, '127.0.0.1');
      await once(other, 'listening');
      const { port } = other.address() as AddressInfo;
      const data = join(folder, 'taken');
      const { code, out, err } = await told(start(data, { [variable]: String(port) }));
      await new Promise((resolve) => other.close(resolve));
      expect([code, out]).toEqual([1, '']);
      expect(lines(err)).toMatchObject([
        {
          message: `knowledger: port ${port} on 127.0.0.1 is in use by another program: set ${variable} to one that is free`,
        },
      ]);
      expect(await readdir(folder)).not.toContain('taken');
    },
  );

  it('says to set KNOWLEDGER_DATA_DIR where that is a file', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const { code, err } = await told(start(file));
    expect([code, lines(err).length]).toEqual([1, 1]);
    expect(lines(err)[0]?.message).toMatch(/file.* is not a folder.*: set KNOWLEDGER_DATA_DIR/);
    await rm(file);
  });

  it('shows its first key once, on stdout, and logs to stderr nothing but JSON', async () => {
    const data = join(folder, 'own');
    const first = await told(start(data));
    expect(new Set(first.out.match(KEY)).size).toBe(1);
    expect(first.err).not.toMatch(KEY);
    expect(lines(first.err).map(({ message }) => message)).toEqual([
      expect.stringMatching(/^embedded Postgres started/),
      expect.stringMatching(/^made the master key/),
      'SIGTERM: stopping, once more to stop at once',
      'stopped: SIGTERM',
    ]);
    const second = await told(start(data));
    expect(second.out + second.err).not.toMatch(KEY);
    expect([first.code, second.code]).toEqual([0, 0]);
  });

  it('obeys a signal from its first script on, and during a start, and says so in its last line', async () => {
    // Sent as soon as anybody watches for it, with the name of the script that does.
    const atOnce =
      'const on = process.on.bind(process); let sent = false;' +
      'process.on = (name, then) => { on(name, then); if (name !== "SIGTERM" || sent) return; sent = true;' +
      'const message = /composition\\/([\\w-]+\\.\\w+)/.exec(new Error().stack)?.[1];' +
      'process.stderr.write(JSON.stringify({ message }) + "\\n"); process.kill(process.pid, name); };';
    const preload = `--import=data:text/javascript,${encodeURIComponent(atOnce)}`;
    const early = await told(start(join(folder, 'early'), { NODE_OPTIONS: preload }));
    expect([early.code, early.out]).toEqual([0, '']);
    expect(lines(early.err)[0]?.message).toBe('early-stop.mjs');
    expect(lines(early.err).at(-1)?.message).toMatch(/^stopped(?:: SIGTERM| by SIGTERM, before)/);

    const child = start(join(folder, 'begun'));
    child.stderr?.once('data', () => child.kill('SIGTERM'));
    const begun = await told(child);
    expect([begun.code, begun.out.match(KEY)]).toEqual([0, null]);
    expect(lines(begun.err).at(-1)).toMatchObject({ level: 'info', message: 'stopped: SIGTERM' });
  });

  it('never shows a key that it was given', async () => {
    const key = 'a_key_of_my_own_0123456789';
    const { code, out, err } = await told(start(join(folder, 'given'), { KNOWLEDGER_BOOTSTRAP_KEY: key }));
    expect(code).toBe(0);
    expect(out).toContain('listening on');
    expect(out).toContain('npm run model -- fetch');
    expect(out + err).not.toContain(key);
    expect(out + err).not.toMatch(KEY);
  });
});
