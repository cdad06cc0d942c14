import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPageRenderer } from '../../../../adapters/crawler/browser/page-renderer.ts';
import { descendantsOf } from '../../../../adapters/crawler/browser/process-tree.ts';
import { chromiumHere } from '../../../support/chromium.ts';
import { eventually } from '../../../support/eventually.ts';
import { neverAborted } from '../loopback.ts';
import { LIMITS } from './limits.ts';

const chromium = await chromiumHere();
const OPENS = new URL('opens-a-page.ts', import.meta.url).pathname;

/** What procfs tells of a process; '' of one that has ended. */
const told = (pid: number, what: 'cmdline' | 'environ' | 'stat' | 'status'): string => {
  try {
    return readFileSync(`/proc/${pid}/${what}`, 'latin1');
  } catch {
    return '';
  }
};
/** Which of these processes are there, but for those that only wait to be reaped. */
const alive = (pids: readonly number[]): readonly number[] =>
  pids.filter((pid) => !/^$|^\d+ \(.*\) Z/s.test(told(pid, 'stat')));
/** Those that drive browsers for this process, and all that they have started. */
const browsersOf = (parent: number): readonly number[] => {
  const hosts = descendantsOf(parent).filter((pid) => told(pid, 'cmdline').includes('host-main.ts'));
  return hosts.flatMap((host) => [host, ...descendantsOf(host)]);
};
/** The folder that they were given. */
const folderOf = (pids: readonly number[]): string =>
  /(?<=TMPDIR=)[^\0]+/.exec(told(pids[0] ?? 0, 'environ'))?.[0] ?? '';
const hasProcfs = existsSync('/proc/self/stat');

describe.skipIf(chromium === null || !hasProcfs)('a browser', { timeout: 120_000 }, () => {
  const { path = '', sandbox = false } = chromium ?? {};

  it('ends with a service that is killed, and leaves nothing, while a page holds it', async () => {
    const settings = JSON.stringify({ path, sandbox });
    const service = spawn(process.execPath, [OPENS, settings], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void service.kill('SIGKILL'));
    await once(service.stdout, 'data');
    const pids = browsersOf(service.pid!);
    const folder = folderOf(pids);
    expect([pids.length > 3, existsSync(folder)]).toEqual([true, true]);
    service.kill('SIGKILL');
    await eventually(
      async () => [alive(pids), existsSync(folder)] as const,
      ([left, there]) => left.length === 0 && !there,
    );
  });

  const open = () => {
    const renderer = createPageRenderer({
      program: { kind: 'installed', path },
      unpackedIn: '',
      pages: 2,
      sandbox,
      userAgent: 'knowledgerbot/test',
      allowAddresses: [],
      limits: LIMITS,
    });
    onTestFinished(() => renderer.close());
    /** Opens a page, and calls `then` when it loads more. */
    const page = (then: () => void) =>
      renderer.render(
        {
          url: 'http://site.example/',
          contentType: 'text/html',
          body: Buffer.from('<p>text</p><script>fetch("/more").catch(() => {})</script>'),
        },
        async () => {
          then();
          return false;
        },
        neverAborted(),
      );
    return { renderer, page };
  };
  it('is started again when it ends, for the pages that were open in it', async () => {
    const { page } = open();
    let killed = 0;
    const killOnce = (): void => {
      if (killed > 0) return;
      for (const pid of browsersOf(process.pid)) process.kill(pid, 'SIGKILL');
      killed += 1;
    };
    const outcomes = await Promise.all([page(killOnce), page(killOnce)]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['rendered', 'rendered']);
    expect(killed).toBe(1);
  });

  it('is gone when it is closed, with its folder', async () => {
    const { renderer, page } = open();
    await page(() => {});
    const pids = browsersOf(process.pid);
    const folder = folderOf(pids);
    expect([pids.length > 3, existsSync(folder)]).toEqual([true, true]);
    await renderer.close();
    await eventually(
      async () => [alive(pids), existsSync(folder)] as const,
      ([left, there]) => left.length === 0 && !there,
    );
  });

  it.runIf(chromium?.sandbox)('keeps the scripts of pages in its sandbox', async () => {
    const { page } = open();
    const modes = new Set<string | undefined>();
    await page(() => {
      const renderers = browsersOf(process.pid).filter((pid) =>
        told(pid, 'cmdline').includes('--type=renderer'),
      );
      for (const pid of renderers) modes.add(/^Seccomp:\t(\d)/m.exec(told(pid, 'status'))?.[1]);
    });
    expect([...modes]).toEqual(['2']);
  });
});
