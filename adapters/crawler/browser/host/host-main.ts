import { createGuardedDial } from '../../guarded-connector.ts';

import { type FromHost, type HostSettings, type ToHost, failedRender } from '../messages.ts';
import { endBrowser, groupOf } from '../process-tree.ts';
import { createForwardProxy } from './forward-proxy.ts';
import { renderPage } from './render-page.ts';
import { Worker } from 'node:worker_threads';
import { type Browser, chromium } from 'playwright-core';

/** Entry point of the process that drives the browser. The process exits when its parent does. */

const settings = JSON.parse(process.argv[2]!) as HostSettings;

const { allowAddresses, limits, userAgent } = settings;

const send = (message: FromHost): void => {
  if (process.connected) process.send!(message);
};

let processGroup: number | null = null;

const shutDown = (): never => {
  endBrowser(processGroup, settings.folder);
  process.exit(0);
};

process.on('disconnect', shutDown);

// A terminal sends these signals to the whole process group. They are ignored, because the parent decides when this
// process ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

// A page can cause a rejection inside Playwright. It is ignored here: the render call of that page reports it.
process.on('unhandledRejection', () => {});

const watchdog = new Worker(new URL('watchdog.ts', import.meta.url), {
  workerData: { parent: process.ppid, folder: settings.folder },
});

watchdog.unref();

const proxy = await createForwardProxy(createGuardedDial({ allowAddresses }));

const browserPid = async (browser: Browser): Promise<number> => {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const found = processInfo.find(({ type }) => type === 'browser');
  if (found === undefined) throw new Error('the browser did not report its process id');
  return found.id;
};

/**
 * The process group to kill: the browser's own. If the browser shares the group of the service, its pid is returned
 * instead.
 */
const ownGroupOf = (pid: number): number => {
  const found = groupOf(pid);
  return found === groupOf(process.pid) ? pid : found;
};

const start = async (): Promise<Browser> => {
  try {
    const browser = await launchBrowser(settings, proxy.url);
    processGroup = ownGroupOf(await browserPid(browser));
    browser.on('disconnected', shutDown);
    return browser;
  } catch (error) {
    send({ type: 'unstartable', message: startErrorMessage(error, settings.sandbox) });
    throw error;
  }
};

/**
 * Share of the memory limit for the JavaScript heap of a page. Buffers and the DOM are outside the heap; the memory
 * check covers them.
 */
const HEAP_SHARE = 0.75;

/**
 * Starts the browser, with the proxy as its only way to the network. The browser resolves no host names itself and
 * sends no UDP, which would bypass the proxy. The WebRTC option is given twice: Chrome and the headless shell spell it
 * differently.
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
    // Playwright turns these protections off for tests of trusted pages. They stay on for untrusted pages.
    ignoreDefaultArgs: ['--disable-popup-blocking', '--disable-ipc-flooding-protection'],
  });

/** Error message for a browser that does not start: the first lines of its output, which name the cause. */
const startErrorMessage = (error: unknown, sandbox: boolean): string => {
  const text = error instanceof Error ? error.message : String(error);
  if (sandbox && /sandbox/i.test(text)) {
    return (
      'its sandbox does not work here: allow user namespaces for the service (in a container by its seccomp ' +
      'profile), or set KNOWLEDGER_BROWSER_SANDBOX=off if the container isolates it well enough'
    );
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.slice(0, 3).join(' ').slice(0, 500);
};

const browser = await start();

const abortControllers = new Map<number, AbortController>();

const pendingChecks = new Map<number, (allowed: boolean) => void>();

let lastCheckId = 0;

const checkUrl = (id: number, url: string): Promise<boolean> =>
  new Promise((resolve) => {
    lastCheckId += 1;
    pendingChecks.set(lastCheckId, resolve);
    send({ type: 'ask', id, question: lastCheckId, url });
  });

const render = async (id: number, source: Extract<ToHost, { type: 'open' }>['source']): Promise<void> => {
  const closing = new AbortController();
  abortControllers.set(id, closing);
  const deps = { browser, proxy, userAgent, limits };
  const outcome = await renderPage(deps, source, (url) => checkUrl(id, url), closing.signal).catch(
    (error: unknown) => failedRender('browser_failed', (error as Error).message.split('\n')[0] ?? ''),
  );
  abortControllers.delete(id);
  send({ type: 'done', id, outcome });
};

process.on('message', (message: ToHost) => {
  switch (message.type) {
    case 'open':
      void render(message.id, message.source);
      break;
    case 'close':
      abortControllers.get(message.id)?.abort();
      break;
    case 'answer':
      pendingChecks.get(message.question)?.(message.allowed);
      pendingChecks.delete(message.question);
      break;
  }
});

watchdog.postMessage(processGroup);

send({ type: 'ready', browser: processGroup! });
