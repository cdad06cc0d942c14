import { type Browser, chromium } from 'playwright-core';
import type { HostSettings } from '../messages.ts';

/** Of the heap of a page's scripts; buffers and the document lie outside, and are watched for. */
const HEAP_SHARE = 0.75;

/**
 * Starts the browser, with the proxy as its only way out. By names it finds nothing itself; by UDP, which knows no
 * proxy, it sends nothing: the two spellings of that are for Chrome and for the one without windows.
 */
export const launchBrowser = (
  { executable, sandbox, limits }: HostSettings,
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
      `--js-flags=--max-old-space-size=${Math.floor((HEAP_SHARE * limits.memoryBytes) / 1_024 ** 2)}`,
    ],
    // Made for tests of one's own pages: those of strangers keep what bounds them.
    ignoreDefaultArgs: ['--disable-popup-blocking', '--disable-ipc-flooding-protection'],
  });

/** What there is to say of a browser that does not start; its own output is long, and its beginning tells. */
export const whyUnstartable = (error: unknown, sandbox: boolean): string => {
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
