import { createGuardedDial } from '../../guarded-connector.ts';

import { type FromHost, type HostSettings, type ToHost, failedRender } from '../messages.ts';
import { endBrowser, groupOf } from '../process-tree.ts';
import { createForwardProxy } from './forward-proxy.ts';
import { renderPage } from './render-page.ts';
import { Worker } from 'node:worker_threads';
import { type Browser, chromium } from 'playwright-core';

/** Main module of the process that drives the browser, until its parent is gone. */

const settings = JSON.parse(process.argv[2]!) as HostSettings;

const { allowAddresses, limits, userAgent } = settings;

const send = (message: FromHost): void => {
  if (process.connected) process.send!(message);
};

let group: number | null = null;

const leave = (): never => {
  endBrowser(group, settings.folder);
  process.exit(0);
};

process.on('disconnect', leave);

// Sent to the whole group by a terminal. The parent decides when this process ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

// A page may break what drives it: its own call answers that.
process.on('unhandledRejection', () => {});

const watchdog = new Worker(new URL('watchdog.ts', import.meta.url), {
  workerData: { parent: process.ppid, folder: settings.folder },
});

watchdog.unref();

const proxy = await createForwardProxy(createGuardedDial({ allowAddresses }));

const processOf = async (browser: Browser): Promise<number> => {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const found = processInfo.find(({ type }) => type === 'browser');
  if (found === undefined) throw new Error('the browser does not tell its process');
  return found.id;
};

/** Never that of the service, should the browser not lead one of its own. */
const ownGroupOf = (pid: number): number => {
  const found = groupOf(pid);
  return found === groupOf(process.pid) ? pid : found;
};

const start = async (): Promise<Browser> => {
  try {
    const browser = await launchBrowser(settings, proxy.url);
    group = ownGroupOf(await processOf(browser));
    browser.on('disconnected', leave);
    return browser;
  } catch (error) {
    send({ type: 'unstartable', message: whyUnstartable(error, settings.sandbox) });
    throw error;
  }
};

/** Of the heap of a page's scripts; buffers and the document lie outside, and are watched for. */
const HEAP_SHARE = 0.75;

/**
 * Starts the browser, with the proxy as its only way out. By names it finds nothing itself; by UDP, which knows no
 * proxy, it sends nothing: the two spellings of that are for Chrome and for the one without windows.
 */
const launchBrowser = (
  { executable, sandbox, limits: { memoryBytes } }: HostSettings,
  proxyUrl: string,
): Promise<Browser> =>
  chromium.launch({
    executablePath: executable,
    chromiumSandbox: sandbox,
    headless: true,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    proxy: { server: proxyUrl },
    args: [
      '--disable-dev-shm-usage',
      '--disable-gpu',
      '--disable-quic',
      '--block-new-web-contents',
      '--webrtc-ip-handling-policy=disable_non_proxied_udp',
      '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
      '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
      `--js-flags=--max-old-space-size=${Math.floor((HEAP_SHARE * memoryBytes) / 1_024 ** 2)}`,
    ],
    // Made for tests of one's own pages: those of strangers keep what bounds them.
    ignoreDefaultArgs: ['--disable-popup-blocking', '--disable-ipc-flooding-protection'],
  });

/** What there is to say of a browser that does not start; its own output is long, and its beginning tells. */
const whyUnstartable = (error: unknown, sandbox: boolean): string => {
  const text = error instanceof Error ? error.message : String(error);
  if (sandbox && /sandbox/i.test(text)) {
    return (
      'its sandbox does not work here: allow user namespaces to the service (in a container by its seccomp ' +
      'profile), or set KNOWLEDGER_BROWSER_SANDBOX=off where the container is wall enough'
    );
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.slice(0, 3).join(' ').slice(0, 500);
};

const browser = await start();

const closings = new Map<number, AbortController>();

const questions = new Map<number, (allowed: boolean) => void>();

let asked = 0;

const ask = (id: number, url: string): Promise<boolean> =>
  new Promise((resolve) => {
    asked += 1;
    questions.set(asked, resolve);
    send({ type: 'ask', id, question: asked, url });
  });

const render = async (id: number, source: Extract<ToHost, { type: 'open' }>['source']): Promise<void> => {
  const closing = new AbortController();
  closings.set(id, closing);
  const deps = { browser, proxy, userAgent, limits };
  const outcome = await renderPage(deps, source, (url) => ask(id, url), closing.signal).catch(
    (error: unknown) => failedRender('browser_failed', (error as Error).message.split('\n')[0] ?? ''),
  );
  closings.delete(id);
  send({ type: 'done', id, outcome });
};

process.on('message', (message: ToHost) => {
  switch (message.type) {
    case 'open':
      void render(message.id, message.source);
      break;
    case 'close':
      closings.get(message.id)?.abort();
      break;
    case 'answer':
      questions.get(message.question)?.(message.allowed);
      questions.delete(message.question);
      break;
  }
});

watchdog.postMessage(group);

send({ type: 'ready', browser: group! });
