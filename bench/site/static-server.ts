// Serves the pages of a site on loopback from memory. Tells its port and what it serves.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sitePages } from './site-pages.ts';

const { name, pages, start, word } = sitePages(process.argv[2] === 'quick');

const server = createServer(({ url = '/' }, response) => {
  const page = pages.get(url.split('?', 1)[0] ?? '');
  if (page === undefined) response.writeHead(404, { 'content-type': 'text/plain' }).end('not found');
  else {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': page.length });
    response.end(page);
  }
});
server.listen(0, '127.0.0.1', () => {
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.send?.({ host, name, pages: pages.size, startUrl: `http://${host}${start}`, word });
});
process.on('disconnect', () => process.exit());
