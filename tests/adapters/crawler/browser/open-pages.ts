import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';

import type { PageSource, RenderOutcome } from '../../../../adapters/crawler/browser/messages.ts';
import { createPageRenderer, type PageRenderer } from '../../../../adapters/crawler/browser/page-renderer.ts';
import type { Chromium } from '../../../support/chromium.ts';
import { neverAborted } from '../loopback.ts';
import { LIMITS } from './limits.ts';

/** A browser for the pages of a test file, and the server that they may reach. */
export interface Pages {
  /** What the server answers, by path. */
  readonly served: Map<string, (response: ServerResponse) => void>;
  /** Host, path and cookies of each request. */
  readonly sent: readonly string[];
  readonly origin: () => string;
  readonly open: (
    html: string,
    of?: Partial<Pick<PageSource, 'url' | 'cookies'>> & { readonly mayLoad?: () => Promise<boolean> },
  ) => Promise<RenderOutcome>;
}

export const openPages = (chromium: Chromium | null): Pages => {
  const served: Pages['served'] = new Map();
  const sent: string[] = [];
  const own = createServer(({ url, headers }, response) => {
    sent.push(`${headers.host}${url} ${headers.cookie ?? ''}`);
    const answer = served.get(url ?? '') ?? ((missing: ServerResponse) => missing.writeHead(404).end());
    answer(response);
  });
  let renderer: PageRenderer | null = null;
  let origin = '';
  beforeAll(async () => {
    if (chromium === null) return;
    own.listen(0, '127.0.0.1');
    await once(own, 'listening');
    const host = `127.0.0.1:${(own.address() as AddressInfo).port}`;
    origin = `http://${host}`;
    const { path, sandbox } = chromium;
    const program = { kind: 'installed', path } as const;
    const options = { program, sandbox, unpackedIn: '', pages: 2, userAgent: 'knowledgerbot/test' };
    renderer = createPageRenderer({ ...options, allowAddresses: [host], limits: LIMITS });
  });
  afterAll(async () => {
    await renderer?.close();
    own.closeAllConnections();
    own.close();
  });
  return {
    served,
    sent,
    origin: () => origin,
    open: (html, { url = `${origin}/page`, cookies = [], mayLoad = async () => true } = {}) => {
      const source = { url, contentType: 'text/html', body: Buffer.from(html), cookies };
      return renderer!.render(source, mayLoad, neverAborted());
    },
  };
};

export const textOf = (outcome: RenderOutcome): string =>
  outcome.kind === 'rendered' ? Buffer.from(outcome.html).toString() : `${outcome.code}: ${outcome.message}`;

/** A page that says at its end that it came there. */
export const attempt = (script: string): string =>
  `<body><script>try { ${script} } catch (error) {} document.body.append('tried');</script>`;
