import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type PageAnswer = (request: IncomingMessage, response: ServerResponse) => void;

/** A web site on loopback whose pages a test may change at any time. Paths without a page answer as `*`, or 404. */
export interface Site {
  readonly origin: string;
  /** `host:port`, as the service's list of allowed addresses takes it. */
  readonly host: string;
  readonly pages: Map<string, string | PageAnswer>;
  /** How often each path was asked for. */
  readonly hits: Map<string, number>;
  /** While set, every answer waits for it. */
  hold: Promise<void> | null;
  /** From request number `after` on, answers wait until the function is called that comes with the first of them. */
  readonly holdAfter: (after: number) => Promise<() => void>;
  readonly close: () => Promise<void>;
}

export const openSite = async (
  pages: { readonly [path: string]: string | PageAnswer } = {},
): Promise<Site> => {
  const site = {
    pages: new Map(Object.entries(pages)),
    hits: new Map<string, number>(),
    hold: null as Promise<void> | null,
  };
  let requests = 0;
  let onRequest = (): void => {};
  const server = createServer((request, response) => {
    requests += 1;
    onRequest();
    void answer(site, request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(site, {
    host,
    origin: `http://${host}`,
    holdAfter: (after: number) =>
      new Promise<() => void>((reached) => {
        onRequest = () => {
          if (requests < after || site.hold !== null) return;
          site.hold = new Promise((release) => {
            reached(() => {
              site.hold = null;
              onRequest = () => {};
              release();
            });
          });
        };
      }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  });
};

const answer = async (
  site: Pick<Site, 'hits' | 'hold' | 'pages'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const path = request.url ?? '/';
  site.hits.set(path, (site.hits.get(path) ?? 0) + 1);
  if (site.hold !== null) await site.hold;
  const page = site.pages.get(path) ?? site.pages.get('*');
  if (typeof page === 'function') return page(request, response);
  response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
  response.end(page ?? '<h1>not found</h1>');
};

/** A page with a title, a text and links. */
export const page = (title: string, text: string, links: readonly string[] = []): string => {
  const anchors = links.map((href) => `<a href="${href}">${href}</a>`).join(' ');
  return `<!doctype html><title>${title}</title><main><h1>${title}</h1><p>${text}</p>${anchors}</main>`;
};

/** A page that answers 304 to who knows its entity tag. */
export const tagged =
  (etag: string, body: string): PageAnswer =>
  (request, response) => {
    const headers = { etag, 'content-type': 'text/html; charset=utf-8' };
    if (request.headers['if-none-match'] === etag) response.writeHead(304, headers).end();
    else response.writeHead(200, headers).end(body);
  };

/** `count` pages in a tree, ten links each, all with a word of their own. */
export const manyPages = (count: number): { readonly [path: string]: string } =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => {
      const children = Array.from({ length: 10 }, (__, k) => 10 * i + k + 1).filter((child) => child < count);
      const links = children.map((child) => `/p${child}`);
      return [
        i === 0 ? '/' : `/p${i}`,
        page(`Page ${i}`, `This is page number${i} of the site about falcons.`, links),
      ];
    }),
  );
