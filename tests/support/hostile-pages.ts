import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { bombPage, pdfFile } from '../adapters/extraction/pdf-files.ts';
import { page, type PageAnswer } from './site.ts';

const MIB = 1_024 * 1_024;

const html = (response: ServerResponse, headers: { readonly [name: string]: string } = {}): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers });

const redirect =
  (location: string): PageAnswer =>
  (_, response) => {
    response.writeHead(302, { location }).end();
  };

const gzipped =
  (body: Buffer): PageAnswer =>
  (_, response) => {
    html(response, { 'content-encoding': 'gzip' }).end(body);
  };

const pdf =
  (body: string | Buffer): PageAnswer =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'application/pdf' }).end(body);
  };

/** Poured as the client reads it, so that it costs this process nothing. */
const gigabyte: PageAnswer = (_, response) => {
  const piece = Buffer.alloc(64 * 1_024, 'a');
  let sent = 0;
  const pour = (): void => {
    while (!response.destroyed && sent < 1_024 * MIB && response.write(piece)) sent += piece.length;
    if (sent >= 1_024 * MIB) response.end();
  };
  html(response);
  response.on('drain', pour);
  pour();
};

/** A letter now and then, for ever. */
const drip: PageAnswer = (_, response) => {
  html(response);
  const timer = setInterval(() => response.write('a'), 50);
  response.on('close', () => clearInterval(timer));
};

/** Every page leads one folder deeper into the same. */
export const linkTrap: PageAnswer = (_, response) => {
  html(response).end(page('Trap', 'deeper and deeper', ['a/']));
};

/** Pages that do harm, each with the code under which it must be listed. */
export const HARMFUL: { readonly [path: string]: readonly [code: string, answer: PageAnswer] } = {
  '/endless?0': [
    'too_many_redirects',
    ({ url = '' }, response) => {
      response.writeHead(302, { location: `/endless?${Number(url.split('?')[1]) + 1}` }).end();
    },
  ],
  '/circle': ['redirect_loop', redirect('/circle')],
  '/metadata': ['address_not_allowed', redirect('http://169.254.169.254/latest/meta-data/')],
  '/loopback': ['address_not_allowed', redirect('http://[::1]/')],
  '/file': ['redirect_not_allowed', redirect('file:///etc/passwd')],
  '/gigabyte': ['too_large', gigabyte],
  '/drip': ['timed_out', drip],
  '/broken-gzip': ['content_coding_broken', gzipped(Buffer.from('this is not gzip'))],
  '/gzip-bomb': ['too_large', gzipped(gzipSync(Buffer.alloc(64 * MIB)))],
  '/none.pdf': ['mislabelled', pdf('this is not a PDF')],
  '/bomb.pdf': ['out_of_memory', pdf(pdfFile({ pages: [bombPage(2_000)] }))],
  '/cut': [
    'connection_lost',
    (_, response) => void html(response, { 'content-length': '100' }).write('half', () => response.destroy()),
  ],
  '/missing': ['http_status', (_, response) => void response.writeHead(404).end()],
  '/teapot': ['http_status', (_, response) => void response.writeHead(418).end()],
};

/** Pages that look like harm and are read all the same. */
export const ODD: { readonly [path: string]: PageAnswer } = {
  '/deep': (_, response) => void html(response).end(`<title>Deep</title>${'<div>'.repeat(500_000)}abyssal`),
  '/wrong-charset': (_, response) => {
    // Russian in windows-1251, declared as UTF-8.
    const text = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x2c, 0x20, 0xec, 0xe8, 0xf0]);
    const body = Buffer.concat(
      Array.from({ length: 20 }, () => text).flatMap((word) => [word, Buffer.from('. ')]),
    );
    html(response).end(Buffer.concat([Buffer.from('<title>Odd</title><p>'), body]));
  },
};
