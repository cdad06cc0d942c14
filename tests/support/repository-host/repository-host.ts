import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  blobSha,
  commitOf,
  folderOf,
  type HostedCommit,
  type HostedEntry,
  type HostedFile,
  type Mode,
  treeOf,
} from './objects.ts';
import { type ArchiveFaults, archiveOf } from './tar-archive.ts';

export interface Asked {
  readonly path: string;
  readonly authorization: string | undefined;
}
/** True: it has answered. */
type Hook = (response: ServerResponse, asked: Asked) => boolean;

/**
 * Stands in for GitHub's REST API. From its documentation: media types `sha` and `raw`, ETag and 304, recursive trees
 * with `truncated`, 302 of archives to another host, 301 to `/repositories/{id}` after a renaming, 404 for what a token
 * may not see, 409 for an empty repository, 422 for an unknown reference, 401 for bad credentials, limits with
 * Retry-After or x-ratelimit-reset, tokens of installations. Hashes of blobs are git's; those of commits and trees are
 * made up.
 */
export interface RepositoryHost {
  readonly url: string;
  /** Where archives come from. */
  readonly archiveUrl: string;
  readonly asked: Asked[];
  readonly archivesAsked: Asked[];
  readonly put: (path: string, text: string | Buffer, mode?: Mode) => void;
  readonly addSubmodule: (path: string, commit: string) => void;
  readonly remove: (path: string) => void;
  /** Names the newest commit. */
  readonly tag: (name: string) => string;
  /** `owner/name` from now on; the old name leads to the new one. */
  readonly rename: (repository: string) => void;
  /** Another repository takes this name: it holds nothing but `foreign.html`. */
  readonly takeOver: (repository: string) => void;
  /** Entries of the root beside. */
  extra: readonly HostedEntry[];
  /** How large a tree may be before it is cut. */
  maxEntries: number;
  archive: ArchiveFaults;
  /** Authorizations that are let in; null: all. */
  accepts: readonly string[] | null;
  /** Looked at before every answer, until it has answered. */
  hook: Hook;
  readonly close: () => Promise<void>;
}

const REPOSITORY_ID = 4711;

export const openRepositoryHost = async (repository = 'acme/docs'): Promise<RepositoryHost> => {
  const files = new Map<string, HostedFile>();
  const commits = new Map<string, HostedCommit>();
  const tags = new Map<string, string>();
  const names = { now: repository, before: new Set<string>(), takenOver: new Set<string>() };
  const head = (): HostedCommit | null => {
    if (files.size === 0) return null;
    const commit = commitOf(files);
    commits.set(commit.sha, commit);
    return commit;
  };
  const state = {
    asked: [] as Asked[],
    archivesAsked: [] as Asked[],
    extra: [] as readonly HostedEntry[],
    maxEntries: 100_000,
    archive: {} as ArchiveFaults,
    accepts: null as readonly string[] | null,
    hook: (() => false) as Hook,
  };

  const foreign = commitOf(
    new Map([['foreign.html', { mode: '100644', bytes: Buffer.from('<title>Foreign</title>') }]]),
  );
  const referred = (ref: string): HostedCommit | null => {
    const newest = head();
    if (['HEAD', 'heads/main', 'main'].includes(ref)) return newest;
    const tagged = tags.get(ref.replace(/^tags\//, ''));
    return commits.get(tagged ?? ref) ?? null;
  };
  const answerCommit = (
    request: IncomingMessage,
    response: ServerResponse,
    ref: string,
    isForeign: boolean,
  ): void => {
    if (head() === null) return refuse(response, 409, 'Git Repository is empty.');
    const commit = isForeign ? foreign : referred(ref);
    if (commit === null) return refuse(response, 422, `No commit found for SHA: ${ref}`);
    const etag = `"${commit.sha}"`;
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end();
    response.writeHead(200, { etag, 'content-type': 'application/vnd.github.sha' }).end(commit.sha);
  };
  const answerTree = (response: ServerResponse, sha: string, recursive: boolean): void => {
    for (const commit of commits.values()) {
      const folder = folderOf(commit, sha);
      if (folder === null) continue;
      const tree = [...treeOf(commit, folder, recursive), ...(folder === '' ? state.extra : [])];
      const truncated = tree.length > state.maxEntries;
      return send(response, { sha, tree: tree.slice(0, state.maxEntries), truncated });
    }
    refuse(response, 404, 'Not Found');
  };
  const answerBlob = (response: ServerResponse, sha: string): void => {
    for (const { files: of } of commits.values())
      for (const { bytes, mode } of of.values())
        if (mode !== '160000' && blobSha(bytes) === sha)
          return void response
            .writeHead(200, { 'content-type': 'application/vnd.github.raw+json' })
            .end(bytes);
    refuse(response, 404, 'Not Found');
  };

  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const asked = { path: request.url ?? '', authorization: request.headers.authorization };
    state.asked.push(asked);
    if (state.hook(response, asked)) return;
    if (state.accepts !== null && asked.authorization === undefined)
      return refuse(response, 404, 'Not Found');
    if (state.accepts?.includes(asked.authorization ?? '') === false)
      return refuse(response, 401, 'Bad credentials');
    const { pathname, searchParams } = new URL(asked.path, 'http://host');
    const [, place = '', rest = ''] =
      /^\/(repos\/[^/]+\/[^/]+|repositories\/\d+)\/?(.*)$/.exec(pathname) ?? [];
    const name = place.replace(/^repos\//, '');
    const isForeign = names.takenOver.has(name);
    if (names.before.has(name) && !isForeign)
      return void response.writeHead(301, { location: `/repositories/${REPOSITORY_ID}/${rest}` }).end();
    if (name !== names.now && !isForeign && place !== `repositories/${REPOSITORY_ID}`)
      return refuse(response, 404, 'Not Found');
    const [kind, sha = ''] = rest.replace(/^git\//, '').split(/\/(.*)/);
    if (kind === 'commits') return answerCommit(request, response, decodeURIComponent(sha), isForeign);
    if (kind === 'trees') return answerTree(response, sha, searchParams.has('recursive'));
    if (kind === 'blobs') return answerBlob(response, sha);
    if (kind === 'tarball')
      return void response.writeHead(302, { location: `${archiveUrl}/legacy.tar.gz/${sha}` }).end();
    refuse(response, 404, 'Not Found');
  };
  const answerArchive = (request: IncomingMessage, response: ServerResponse): void => {
    state.archivesAsked.push({ path: request.url ?? '', authorization: request.headers.authorization });
    const commit = commits.get((request.url ?? '').split('/').at(-1) ?? '');
    if (commit === undefined) return refuse(response, 404, 'Not Found');
    response.writeHead(200, { 'content-type': 'application/x-gzip' }).end(archiveOf(commit, state.archive));
  };

  const api = createServer(answer);
  const archives = createServer(answerArchive);
  const [url, archiveUrl] = [await listening(api), await listening(archives)];
  return Object.assign(state, {
    url,
    archiveUrl,
    put: (path: string, text: string | Buffer, mode: Mode = '100644') =>
      void files.set(path, { mode, bytes: Buffer.from(text) }),
    addSubmodule: (path: string, commit: string) =>
      void files.set(path, { mode: '160000', bytes: Buffer.alloc(0), commit }),
    remove: (path: string) => void files.delete(path),
    tag: (name: string) => {
      const { sha } = head()!;
      tags.set(name, sha);
      return sha;
    },
    rename: (to: string) => {
      names.before.add(names.now);
      names.now = to;
    },
    takeOver: (name: string) => {
      names.takenOver.add(name);
      commits.set(foreign.sha, foreign);
    },
    close: async () => {
      await Promise.all([api, archives].map(closed));
    },
  });
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

const send = (response: ServerResponse, json: object, status = 200): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));

export const refuse = (response: ServerResponse, status: number, message: string): void =>
  send(response, { message, documentation_url: 'https://docs.github.com/rest' }, status);
