import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FromHost, HostSettings, ToHost } from './messages.ts';

export interface HostEvents {
  readonly message: (message: FromHost) => void;
  /** The process has exited and its folder is deleted; `said` is the end of its error output. Called once, last. */
  readonly ended: (said: string) => void;
}

/** The process that drives the browser. */
export interface Host {
  /** Undefined when it could not be started. */
  readonly pid: number | undefined;
  readonly send: (message: ToHost) => void;
  /** Kills the process and the browser with this process group. */
  readonly kill: (group: number | null) => void;
}

export type StartHost = (settings: Omit<HostSettings, 'folder'>, events: HostEvents) => Promise<Host>;

const MAIN = fileURLToPath(new URL('host/host-main.ts', import.meta.url));
const HEAP = '--max-old-space-size=384';
/**
 * Chromium does not start its sandbox as root. In this user namespace it sees itself as an ordinary user; outside
 * nothing changes.
 */
const AS_USER = ['--user', '--map-user=1000', '--map-group=1000', '--'];
const MAX_ERROR_OUTPUT = 2_000;

/**
 * Starts the process, which starts the browser. Neither inherits our environment, so that nothing in them can read a
 * secret there.
 */
export const startHost: StartHost = async (settings, events) => {
  const folder = await mkdtemp(join(tmpdir(), 'knowledger-browser-'));
  const node = [process.execPath, HEAP, MAIN, JSON.stringify({ ...settings, folder } satisfies HostSettings)];
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
  const [file, ...args] = settings.sandbox && isRoot ? ['unshare', ...AS_USER, ...node] : node;
  const child = spawn(file as string, args, {
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: folder, TMPDIR: folder, LANG: 'C.UTF-8' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
  });
  let said = '';
  child
    .stderr!.setEncoding('utf8')
    .on('data', (text: string) => (said = (said + text).slice(-MAX_ERROR_OUTPUT)));
  onEnd(child, () => {
    const deleted = rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => {});
    void deleted.then(() => events.ended(said.trim()));
  });
  child.on('message', events.message);
  child.unref();
  child.channel?.unref();
  return {
    pid: child.pid,
    send: (message) => {
      if (child.connected) child.send(message, () => {});
    },
    kill: (group) => {
      child.ref(); // a caller may wait for its end and nothing else
      if (group !== null) signal(-group);
      child.kill('SIGKILL');
    },
  };
};

const onEnd = (child: ChildProcess, then: () => void): void => {
  let ended = false;
  const once = (): void => {
    if (ended) return;
    ended = true;
    then();
  };
  child.on('close', once);
  // The process could not be started or killed, or a message did not reach it: it has exited or is killed now.
  child.on('error', () => {
    if (child.pid === undefined) once();
    else child.kill('SIGKILL');
  });
};

const signal = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has exited
  }
};
