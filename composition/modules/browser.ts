import { join } from 'node:path';
import { ContainerModule } from 'inversify';
import { createBrowser } from '../../adapters/crawler/browser/browser.ts';
import type { Config } from '../config.ts';
import { TOKENS as T } from '../tokens.ts';
import { providing } from '../wiring.ts';

const QUIET_MS = 500;
/** Requests and bytes of one page. */
const REQUESTS = 300;
const BYTES = 50 * 1_024 ** 2;

/** The browser for pages whose scripts are to run: nothing of it is loaded or started before the first of them. */
export const browserModule = ({
  allowAddresses,
  browser: { memoryBytes, ...browser },
  crawl: { maxBytes, timeoutMs, userAgent },
  dataDir,
}: Pick<Config, 'allowAddresses' | 'browser' | 'crawl' | 'dataDir'>): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const limits = {
      timeoutMs,
      readyMs: timeoutMs / 2,
      quietMs: QUIET_MS,
      requests: REQUESTS,
      bytes: Math.max(BYTES, maxBytes),
      htmlBytes: maxBytes,
      memoryBytes,
    };
    const provide = providing(bind);
    provide(
      T.Browser,
      ({ log, ...deps }) =>
        createBrowser({
          ...deps,
          onUnstartable: (reason) => log.warn('the browser does not start', { reason }),
        }),
      { log: T.Logger },
      { ...browser, allowAddresses, userAgent, limits, unpackedIn: join(dataDir, 'browser') },
    ).onDeactivation((opened) => opened.close());
  });
