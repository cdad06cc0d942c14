import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ModelFiles } from './tiny-model.ts';

export const COMMIT = 'c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00';

export interface Hub {
  readonly url: string;
  /** Paths that were asked for, with the range if there was one. */
  readonly asked: string[];
  /** Files whose bytes are others than it says. */
  readonly spoilt: Set<string>;
  /** How many bytes of a file it sends before it hangs up: once for each entry. */
  readonly breaks: Map<string, number[]>;
  readonly close: () => Promise<void>;
}

/**
 * A stand-in of a hub of models: lists files as the Hugging Face Hub does, graphs with their SHA-256 and other files by
 * the id of their blob, and sends graphs from elsewhere, to which it redirects.
 */
export const openHub = async (
  models: ReadonlyMap<string, ModelFiles>,
  bases: readonly string[] = [],
): Promise<Hub> => {
  const asked: string[] = [];
  const spoilt = new Set<string>();
  const breaks = new Map<string, number[]>();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://hub');
    const range = request.headers.range;
    asked.push(range === undefined ? pathname : `${pathname} ${range}`);
    const [, listed] = /^\/api\/models\/(.+)\/revision\/main$/.exec(pathname) ?? [];
    if (listed !== undefined) {
      const files = models.get(listed);
      if (files === undefined)
        return void response.writeHead(401).end('{"error":"Invalid username or password."}');
      const siblings = [...files].map(([path, content]) => siblingOf(path, bytesOf(content)));
      const list = { sha: COMMIT, siblings, cardData: { base_model: bases } };
      return void response.setHeader('content-type', 'application/json').end(JSON.stringify(list));
    }
    const [, name, path] = new RegExp(`^/(.+)/resolve/${COMMIT}/(.+)$`).exec(pathname) ?? [];
    const [, far, farPath] = /^\/elsewhere\/(.+?)\/-\/(.+)$/.exec(pathname) ?? [];
    const content = models.get(name ?? far ?? '')?.get(path ?? farPath ?? '');
    if (content === undefined) return void response.writeHead(404).end();
    if (path?.endsWith('.onnx') === true) {
      response.setHeader('x-linked-etag', `"${sha256(bytesOf(content))}"`);
      return void response.writeHead(302, { location: `/elsewhere/${name}/-/${path}` }).end();
    }
    const which = (path ?? farPath)!;
    send(response, spoilt.has(which) ? bytesOf(content).map((byte) => byte ^ 1) : bytesOf(content), {
      from: Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0),
      most: breaks.get(which)?.shift(),
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    spoilt,
    breaks,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

const send = (
  response: ServerResponse,
  bytes: Uint8Array,
  { from, most }: { readonly from: number; readonly most: number | undefined },
): void => {
  const rest = bytes.subarray(from);
  const range = { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` };
  response.writeHead(from > 0 ? 206 : 200, { 'content-length': rest.length, ...(from > 0 && range) });
  if (most === undefined) response.end(rest);
  else response.write(rest.subarray(0, most), () => response.socket?.end());
};

const siblingOf = (rfilename: string, bytes: Uint8Array): object => {
  const size = bytes.length;
  const blobId = createHash('sha1').update(`blob ${size}\0`).update(bytes).digest('hex');
  if (!rfilename.endsWith('.onnx')) return { rfilename, size, blobId };
  // Of the pointer that lies in git; nothing of the file.
  return { rfilename, size, blobId: 'f'.repeat(40), lfs: { sha256: sha256(bytes), size, pointerSize: 134 } };
};

const bytesOf = (content: string | Uint8Array): Uint8Array =>
  typeof content === 'string' ? Buffer.from(content) : content;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
