import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Accounts, answerToken, newAccounts } from './accounts.ts';
import { createDrive, type Drive } from './drive.ts';
import { type Item, jsonOf, selected } from './items.ts';

export interface Asked {
  readonly method: string;
  /** Without `/drive/v3`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly authorization: string | undefined;
  readonly resourceKeys: string | undefined;
}
/** True: it has answered. */
type Hook = (response: ServerResponse, asked: Asked) => boolean;

/**
 * Stands in for the Drive API, version 3, and for Google's token endpoint. From its documentation: lists by `q` with pages
 * of at most 1,000 and `nextPageToken`, `fields`, `supportsAllDrives` and `includeItemsFromAllDrives` without which items
 * of shared drives are not there (404), start tokens and changes by drive, `removed` without a file for what was deleted or
 * may not be seen any more, `newStartPageToken` on the last page, 410 for a token that is not known any more, shortcuts and
 * resource keys, `alt=media`, exports of at most 10 MB (403 `exportSizeLimitExceeded`), 403 `fileNotDownloadable` for the
 * bytes of Google's own types, 401 `authError`, and the envelope of errors. From threads of its users: a folder in the
 * trash is told as one change, whatever is in it.
 */
export interface DriveHost extends Drive {
  readonly url: string;
  readonly tokenUrl: string;
  readonly asked: Asked[];
  readonly accounts: Accounts;
  /** Entries of every list beside, as the API sends them. */
  extra: readonly object[];
  /** Of a list and of changes; a client that asks for fewer gets fewer. */
  maxPerPage: number;
  maxExported: number;
  incompleteSearch: boolean;
  /** Tokens of changes below it are not known any more. */
  oldestToken: number;
  /** Looked at before every answer of the API, until it has answered. */
  hook: Hook;
  readonly close: () => Promise<void>;
}

export const openDriveHost = async (): Promise<DriveHost> => {
  const drive = createDrive();
  const accounts = newAccounts();
  const state = {
    asked: [] as Asked[],
    accounts,
    extra: [] as readonly object[],
    maxPerPage: 1_000,
    maxExported: 10 * 1024 ** 2,
    incompleteSearch: false,
    oldestToken: 0,
    hook: (() => false) as Hook,
  };

  const visible = ({ query, resourceKeys = '' }: Asked, id: string): Item | null => {
    const item = drive.items.get(id);
    if (item === undefined || item.hidden === true) return null;
    if (item.driveId !== undefined && query.get('supportsAllDrives') !== 'true') return null;
    const { resourceKey } = item;
    return resourceKey === undefined || resourceKeys.split(',').includes(`${id}/${resourceKey}`)
      ? item
      : null;
  };
  const shown = (item: Item) => jsonOf(item, drive.isTrashed(item));

  const answerList = (response: ServerResponse, asked: Asked): void => {
    const { query } = asked;
    const [, parent = ''] =
      /^'((?:[^'\\]|\\.)*)' in parents and trashed=false$/.exec(query.get('q') ?? '') ?? [];
    const folder = visible(asked, parent.replaceAll(/\\(.)/g, '$1'));
    if (folder === null) return refuse(response, 404, 'notFound', `File not found: ${parent}.`);
    const allDrives = query.get('includeItemsFromAllDrives') === 'true';
    const all = [...drive.items.values()].filter(
      (item) =>
        item.parent === folder.id &&
        item.hidden !== true &&
        !drive.isTrashed(item) &&
        (item.driveId === undefined || allDrives),
    );
    const from = Number(query.get('pageToken') ?? 0);
    const to = from + Math.min(state.maxPerPage, Number(query.get('pageSize') ?? 100));
    const answer = {
      kind: 'drive#fileList',
      incompleteSearch: state.incompleteSearch,
      files: [...all.slice(from, to).map(shown), ...state.extra],
      ...(to < all.length && { nextPageToken: String(to) }),
    };
    sendFields(response, answer, query, 'kind,incompleteSearch,nextPageToken,files(kind,id,name,mimeType)');
  };

  const answerChanges = (response: ServerResponse, { query }: Asked): void => {
    const driveId = query.get('driveId') ?? undefined;
    const from = Number(query.get('pageToken'));
    if (driveId !== undefined && !drive.sharedDrives.has(driveId))
      return refuse(response, 404, 'notFound', `Shared drive not found: ${driveId}`);
    if (from < state.oldestToken)
      return refuse(response, 410, 'pageTokenExpired', 'Sync token is no longer valid.');
    const all = drive.changes
      .map((change, i) => ({ ...change, at: i }))
      .filter((change) => change.at >= from && change.driveId === driveId);
    const page = all.slice(0, Math.min(state.maxPerPage, Number(query.get('pageSize') ?? 100)));
    const answer = {
      kind: 'drive#changeList',
      changes: page.map(({ id, removed }) => {
        const item = drive.items.get(id);
        const isGone = removed || item === undefined || item.hidden === true;
        const change = { kind: 'drive#change', changeType: 'file', fileId: id, removed: isGone };
        return isGone ? change : { ...change, file: shown(item) };
      }),
      ...(page.length < all.length
        ? { nextPageToken: String(page.at(-1)!.at + 1) }
        : { newStartPageToken: String(drive.changes.length) }),
    };
    sendFields(response, answer, query, 'kind,nextPageToken,newStartPageToken,changes');
  };

  const answerFile = (response: ServerResponse, asked: Asked, id: string, isExport: boolean): void => {
    const item = visible(asked, id);
    if (item === null) return refuse(response, 404, 'notFound', `File not found: ${id}.`);
    if (isExport) return answerExport(response, item, asked.query.get('mimeType') ?? '');
    if (asked.query.get('alt') !== 'media')
      return sendFields(response, shown(item), asked.query, 'kind,id,name,mimeType');
    if (item.bytes === undefined)
      return refuse(
        response,
        403,
        'fileNotDownloadable',
        'Only files with binary content can be downloaded.',
      );
    response.writeHead(200, { 'content-type': item.mimeType }).end(item.bytes);
  };
  const answerExport = (response: ServerResponse, { exports = {} }: Item, type: string): void => {
    const bytes = exports[type];
    if (bytes === undefined)
      return refuse(response, 400, 'badRequest', 'The requested conversion is not supported.');
    if (bytes.length > state.maxExported)
      return refuse(response, 403, 'exportSizeLimitExceeded', 'This file is too large to be exported.');
    response.writeHead(200, { 'content-type': type }).end(bytes);
  };

  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://host');
    const asked: Asked = {
      method: request.method ?? '',
      path: pathname.replace('/drive/v3', ''),
      query: searchParams,
      authorization: request.headers.authorization,
      resourceKeys: request.headers['x-goog-drive-resource-keys'] as string | undefined,
    };
    state.asked.push(asked);
    if (state.hook(response, asked)) return;
    const token = asked.authorization?.replace('Bearer ', '') ?? '';
    if (accounts.accepts?.has(token) === false || token === '')
      return refuse(response, 401, 'authError', 'Invalid Credentials');
    const [, id, isExport] = /^\/files\/([^/]+)(\/export)?$/.exec(asked.path) ?? [];
    if (asked.path === '/files') return answerList(response, asked);
    if (asked.path === '/changes') return answerChanges(response, asked);
    if (asked.path === '/changes/startPageToken') {
      const driveId = searchParams.get('driveId');
      if (driveId !== null && !drive.sharedDrives.has(driveId))
        return refuse(response, 404, 'notFound', 'no drive');
      const startPageToken = String(drive.changes.length);
      return sendFields(response, { startPageToken }, searchParams, 'startPageToken');
    }
    if (id !== undefined) return answerFile(response, asked, decodeURIComponent(id), isExport !== undefined);
    refuse(response, 404, 'notFound', 'Not Found');
  };
  const answerExchange = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const form = new URLSearchParams(await text(request));
    const { status, json } = answerToken(accounts, form, `${url}/token`);
    send(response, json, status);
  };
  const server = createServer((request, response) => {
    if (request.url !== '/token') return answer(request, response);
    void answerExchange(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(state, drive, {
    url,
    tokenUrl: `${url}/token`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  });
};

const send = (response: ServerResponse, json: unknown, status = 200): void =>
  void response
    .writeHead(status, { 'content-type': 'application/json; charset=UTF-8' })
    .end(JSON.stringify(json));

const sendFields = (response: ServerResponse, json: unknown, query: URLSearchParams, usual: string): void =>
  send(response, selected(json, query.get('fields') ?? usual));

export const refuse = (
  response: ServerResponse,
  code: number,
  reason: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void =>
  void response
    .writeHead(code, { 'content-type': 'application/json; charset=UTF-8', ...headers })
    .end(JSON.stringify({ error: { errors: [{ domain: 'global', reason, message }], code, message } }));
