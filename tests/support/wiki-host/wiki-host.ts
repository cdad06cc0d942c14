import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Draft, idOf } from './blocks.ts';
import {
  blockJson,
  createWikiContent,
  databaseJson,
  type Hosted,
  type HostedFile,
  type HostedParent,
  pageJson,
  rowJson,
} from './content.ts';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
}
/** True: it has answered. */
type Hook = (response: ServerResponse, asked: Asked) => boolean;

/**
 * Stands in for Notion's REST API, version 2026-03-11. From its documentation: `Notion-Version` must be sent (status
 * codes); lists of at most 100 with `has_more` and `next_cursor` (pagination); times of change rounded down to the minute
 * (changelog); pages are blocks, and `child_page` and `child_database` blocks lead to them (working with page content);
 * a database has data sources, whose rows are queried (upgrade guide 2025-09-03), at most 10,000 by one query, with
 * `request_status` (query large data sources); 404 object_not_found for what is not shared, 401 unauthorized, 429
 * rate_limited with Retry-After (status codes, request limits); addresses of files that are signed and end (file
 * objects); `in_trash` (2026-03-11); data sources among the rows of a wiki of people's own (query a data source). That an edit leaves the time of the pages above as it is was seen by its users.
 */
export interface WikiHost {
  /** Base of the API. */
  readonly url: string;
  /** Where files come from. */
  readonly filesUrl: string;
  readonly asked: Asked[];
  readonly filesAsked: Asked[];
  /** What the wiki takes for now, in Unix milliseconds. */
  readonly clock: { now: number };
  /** Writes a page, in another page, a database, or at the top. */
  readonly put: (name: string, page: PutPage) => string;
  readonly putDatabase: (name: string, where: { readonly in?: string; readonly title?: string }) => string;
  /** Into another page, without a word in any time of change. */
  readonly move: (name: string, to: string) => void;
  readonly trash: (name: string) => void;
  readonly restore: (name: string) => void;
  /** What the integration may not read from now on. */
  readonly unshared: Set<string>;
  /** Ends the addresses of files that were given out. */
  readonly expireFiles: () => void;
  /** Rows that one query answers in all. */
  maxRows: number;
  /** Ids that rows are sent under beside, as they are. */
  oddRows: readonly string[];
  /** Authorizations that are let in; null: all. */
  accepts: readonly string[] | null;
  /** Looked at before every answer, until it has answered. */
  hook: Hook;
  readonly close: () => Promise<void>;
}

interface PutPage {
  readonly in?: string;
  readonly title?: string;
  readonly blocks?: readonly Draft[];
  readonly properties?: object;
}

const PAGE_SIZE = 100;
/** Months before any test runs: what is written is not fresh unless a test says so. */
const BEGINNING = Date.UTC(2026, 0, 5, 10, 0, 0);

export const openWikiHost = async (): Promise<WikiHost> => {
  const clock = { now: BEGINNING };
  const content = createWikiContent(clock);
  const { all } = content;
  const state = {
    asked: [] as Asked[],
    filesAsked: [] as Asked[],
    clock,
    unshared: new Set<string>(),
    maxRows: 10_000,
    oddRows: [] as readonly string[],
    accepts: null as readonly string[] | null,
    hook: (() => false) as Hook,
  };
  let signature = 0;
  let validFrom = 0;
  const signed = ({ name }: HostedFile, id: string): string => {
    signature += 1;
    return `${filesUrl}/workspace/${id}/${encodeURIComponent(name)}?X-Amz-Expires=3600&X-Amz-Signature=${signature}`;
  };

  const found = (id: string, kinds: readonly Hosted['kind'][]): Hosted | null => {
    const one = all.get(id);
    return one === undefined || !kinds.includes(one.kind) || isHidden(one) ? null : one;
  };
  const isHidden = (one: Hosted): boolean =>
    state.unshared.has(one.id) || [one.parent.id].some((id) => all.has(id) && isHidden(all.get(id)!));
  const sendList = <T>(
    response: ServerResponse,
    entries: readonly T[],
    json: (entry: T) => object,
    { cursor, size = PAGE_SIZE }: { readonly cursor: string | null; readonly size?: number },
    more: object = {},
  ): void => {
    const from = cursor === null ? 0 : Number(/^cursor-(\d+)$/.exec(cursor)?.[1] ?? -1);
    if (from < 0) return refuse(response, 400, 'validation_error');
    const next = from + size < entries.length ? `cursor-${from + size}` : null;
    const results = entries.slice(from, from + size).map(json);
    send(response, { object: 'list', results, has_more: next !== null, next_cursor: next, ...more });
  };
  const answerChildren = (response: ServerResponse, id: string, query: URLSearchParams): void => {
    const parent = found(id, ['page', 'block']);
    if (parent === null) return refuse(response, 404, 'object_not_found');
    const blocks = parent.children.map((child) => all.get(child)!).filter(({ inTrash }) => !inTrash);
    const size = Math.min(PAGE_SIZE, Number(query.get('page_size') ?? PAGE_SIZE));
    sendList(response, blocks, (child) => blockJson(child, all, signed), {
      cursor: query.get('start_cursor'),
      size,
    });
  };
  const answerRows = (response: ServerResponse, id: string, body: Query): void => {
    if (found(id, ['data_source']) === null) return refuse(response, 404, 'object_not_found');
    const since = Date.parse(body.filter?.created_time?.on_or_after ?? '1970-01-01');
    const matching = content.rowsIn(id).filter(({ created }) => created >= since);
    const rows = matching.slice(0, state.maxRows);
    const odd = state.oddRows.map((one): Hosted => ({ ...rows[0]!, id: one }));
    const status = matching.length > rows.length ? 'incomplete' : 'complete';
    sendList(
      response,
      [...rows, ...odd],
      (row) => rowJson(row, all),
      { cursor: body.start_cursor ?? null, size: Math.min(PAGE_SIZE, body.page_size ?? PAGE_SIZE) },
      { request_status: { type: status } },
    );
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request);
    const { method = '', url: path = '' } = request;
    const asked = { method, path, authorization: request.headers.authorization };
    state.asked.push(asked);
    if (state.hook(response, asked)) return;
    if (request.headers['notion-version'] !== '2026-03-11') return refuse(response, 400, 'missing_version');
    if (state.accepts?.includes(asked.authorization ?? '') === false)
      return refuse(response, 401, 'unauthorized');
    const { pathname, searchParams } = new URL(path, 'http://wiki');
    const [kind = '', id = '', what] = pathname
      .replace(/^\/v1\//, '')
      .split('/')
      .map(decodeURIComponent);
    if (kind === 'blocks' && what === 'children') return answerChildren(response, id, searchParams);
    if (kind === 'data_sources' && what === 'query' && method === 'POST')
      return answerRows(response, id, body as Query);
    const page = kind === 'pages' ? found(id, ['page']) : null;
    if (page !== null) return send(response, pageJson(page, all));
    const database = kind === 'databases' ? found(id, ['database']) : null;
    if (database !== null) return send(response, databaseJson(database, all));
    const block = kind === 'blocks' ? found(id, ['page', 'block']) : null;
    if (block !== null) return send(response, blockJson(block, all, signed));
    refuse(response, 404, 'object_not_found');
  };
  const answerFile = (request: IncomingMessage, response: ServerResponse): void => {
    const { method = '', url: path = '' } = request;
    state.filesAsked.push({ method, path, authorization: request.headers.authorization });
    const { pathname, searchParams } = new URL(path, 'http://files');
    const file = all.get(pathname.split('/')[2] ?? '')?.file;
    // As object stores do: one way to prove who asks, and not beyond its end.
    if (request.headers.authorization !== undefined) return void response.writeHead(400).end();
    if (file === undefined || Number(searchParams.get('X-Amz-Signature')) <= validFrom)
      return void response.writeHead(403, { 'content-type': 'application/xml' }).end('<Error/>');
    response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(file.bytes);
  };

  const api = createServer((request, response) => void answer(request, response));
  const files = createServer(answerFile);
  const [url, filesUrl] = [await listening(api), await listening(files)];
  const parentOf = (name: string | undefined): HostedParent => {
    if (name === undefined) return { type: 'workspace', id: '' };
    const above = all.get(idOf(name)) ?? all.get(name);
    if (above === undefined) throw new Error(`the wiki has no ${name}`);
    if (above.kind === 'database') return { type: 'data_source_id', id: idOf(`${above.id}/rows`) };
    return { type: above.kind === 'page' ? 'page_id' : 'block_id', id: above.id };
  };
  return Object.assign(state, {
    url: `${url}/v1`,
    filesUrl,
    put: (name: string, { in: above, title = name, blocks = [], properties = {} }: PutPage) => {
      clock.now += 60_000;
      const parent = above === undefined ? (all.get(idOf(name))?.parent ?? parentOf(above)) : parentOf(above);
      content.putPage(idOf(name), parent, title, blocks, properties);
      return idOf(name);
    },
    putDatabase: (name: string, { in: above, title = name }: { in?: string; title?: string }) => {
      content.putDatabase(idOf(name), parentOf(above), title);
      return idOf(name);
    },
    move: (name: string, to: string) => {
      const [id, parent] = [idOf(name), parentOf(to)];
      content.detach(id);
      content.attach(parent, id);
      all.get(id)!.parent = parent;
    },
    trash: (name: string) => void (all.get(idOf(name))!.inTrash = true),
    restore: (name: string) => void (all.get(idOf(name))!.inTrash = false),
    expireFiles: () => void (validFrom = signature),
    close: async () => {
      await Promise.all([api, files].map(closed));
    },
  });
};

interface Query {
  readonly page_size?: number;
  readonly start_cursor?: string;
  readonly filter?: { readonly created_time?: { readonly on_or_after?: string } };
}

const bodyOf = async (request: IncomingMessage): Promise<unknown> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return parts.length === 0 ? {} : JSON.parse(Buffer.concat(parts).toString('utf8'));
};

const listening = async (server: Server): Promise<string> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const closed = async (server: Server): Promise<void> => {
  const done = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await done;
};

const send = (response: ServerResponse, json: object, status = 200, headers: object = {}): void =>
  void response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify(json));

/** An error object of the API. */
export const refuse = (response: ServerResponse, status: number, code: string, headers: object = {}): void =>
  send(
    response,
    { object: 'error', status, code, message: `so the test wants it: ${code}` },
    status,
    headers,
  );
