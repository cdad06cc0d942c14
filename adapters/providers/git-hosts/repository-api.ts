import { SourceRefused } from '../../../application/sources/ingestion/listed/listed-source.ts';
import {
  type ProviderResponse,
  RequestRefused,
  bytesOf,
  jsonOf,
  InvalidResponse,
} from '../../http-client/provider-response.ts';

import type { ProviderClient } from '../../http-client/client.ts';
import type { ProviderRequest } from '../../http-client/follow.ts';
import type { Authorization } from './authorization.ts';

/** What a request says beside its path. */
export type Asked = Omit<ProviderRequest, 'url' | 'secretHeaders' | 'method' | 'body'>;

/** The API of the host, asked about one repository. Throws what `ProviderClient.ask` throws. */
export interface RepositoryApi {
  readonly host: Host;
  /** `path` is relative to that of the repository, encoded. */
  readonly ask: <T>(
    path: string,
    asked: Asked,
    read: (answer: ProviderResponse) => Promise<T>,
    signal: AbortSignal,
  ) => Promise<T>;
  readonly json: (path: string, maxBytes: number, signal: AbortSignal) => Promise<unknown>;
  readonly bytes: (path: string, asked: Asked, signal: AbortSignal) => Promise<Buffer>;
  /** What this repository answers to, behind the base of the API: its number from the moment that it has moved. */
  readonly place: () => string;
}

interface RepositoryApiOptions {
  readonly client: ProviderClient;
  readonly host: Host;
  readonly authorization: Authorization;
  /** `repos/owner/name` or `repositories/7`. */
  readonly place: string;
}

export const createRepositoryApi = (options: RepositoryApiOptions): RepositoryApi => {
  const { client, host, authorization } = options;
  let { place } = options;
  const ask: RepositoryApi['ask'] = async (path, asked, read, signal) => {
    for (let attempt = 1; ; attempt += 1) {
      const url = new URL(`${place}${path === '' ? '' : '/'}${path}`, host.base);
      const secretHeaders = await authorization.headers(signal);
      try {
        return await client.ask(
          { ...asked, url, secretHeaders },
          (answer) => {
            place = placeIn(host.base, answer.url) ?? place;
            return read(answer);
          },
          signal,
        );
      } catch (error) {
        const mayBeOthers = attempt === 1 && isRejection(error) && (await authorization.refused(signal));
        if (!mayBeOthers) throw error;
      }
    }
  };
  return {
    host,
    ask,
    place: () => place,
    json: (path, maxBytes, signal) =>
      ask(path, { maxBytes, headers: { accept: 'application/vnd.github+json' } }, jsonOf, signal),
    bytes: (path, asked, signal) => ask(path, asked, bytesOf, signal),
  };
};

const isRejection = (error: unknown): boolean =>
  error instanceof SourceRefused && error.code === 'credentials_rejected';

/** The number by which a repository that was renamed is found, as GitHub redirects to it: its old name may be given away. */
const placeIn = (base: URL, { origin, pathname }: URL): string | null => {
  if (origin !== base.origin || !pathname.startsWith(base.pathname)) return null;
  return /^repositories\/\d+(?=\/|$)/.exec(pathname.slice(base.pathname.length))?.[0] ?? null;
};

/** What a refusal of the repository as a whole means for its data source. */
export const refusedAsAWhole = (error: unknown, repository: string, isGiven: boolean): never => {
  if (!(error instanceof RequestRefused)) throw error;
  const { status } = error;
  if (status === 403 && isGiven) {
    const message = `the host does not let this secret read ${repository}: it needs read access to contents`;
    throw new SourceRefused('credentials_rejected', 'Credentials rejected', message);
  }
  const why = isGiven ? `${repository} is not there, or this secret may not read it` : hidden(repository);
  throw new SourceRefused('not_found', 'Not found at the provider', `${why} (${status})`);
};

const hidden = (repository: string): string =>
  `${repository} is not there, or needs a secret: give the data source one that may read it`;

export const textField = (json: unknown, field: string): string => {
  const found: unknown = (json as Record<string, unknown> | null)?.[field];
  if (typeof found !== 'string') throw new InvalidResponse(`sent JSON without \`${field}\``);
  return found;
};

/** What hosts differ in. Paths are relative to that of the repository. */
export interface HostFlavour {
  /** Answers the hash of the commit alone, or JSON that holds it. */
  readonly commitPath: (ref: string) => string;
  readonly archivePath: (commit: string) => string;
  /** Where people read a file, behind the address of the repository. */
  readonly webPath: (commit: string) => string;
  /** Trees come in pages. */
  readonly pagesTrees: boolean;
  /** The name of a branch or tag that nothing else can have, encoded: a short name may mean either, or a hash. */
  readonly fullName: (kind: 'heads' | 'tags', name: string) => string;
}

/** GitHub, and GitHub Enterprise Server (`/api/v3`). */
const GITHUB: HostFlavour = {
  commitPath: (ref) => `commits/${ref}`,
  archivePath: (commit) => `tarball/${commit}`,
  webPath: (commit) => `blob/${commit}`,
  pagesTrees: false,
  fullName: (kind, name) => encodedPath(`${kind}/${name}`),
};
/** Gitea and Forgejo (`/api/v1`). */
const GITEA: HostFlavour = {
  commitPath: (ref) => `git/commits/${ref}`,
  archivePath: (commit) => `archive/${commit}.tar.gz`,
  webPath: (commit) => `src/commit/${commit}`,
  pagesTrees: true,
  // Its route takes one segment.
  fullName: (kind, name) => encodeURIComponent(`refs/${kind}/${name}`.toWellFormed()),
};

export interface Host {
  /** Of its API, with a slash at the end. */
  readonly base: URL;
  /** Where people read it, with a slash at the end. */
  readonly web: URL;
  readonly flavour: HostFlavour;
}

/** @param apiUrl as the operator gives it: `https://api.github.com`, `https://HOST/api/v3`, `https://HOST/api/v1` */
export const hostAt = (apiUrl: string): Host => {
  const base = new URL(apiUrl.endsWith('/') ? apiUrl : `${apiUrl}/`);
  const web = new URL('/', base);
  if (base.pathname === '/') web.hostname = base.hostname.replace(/^api\./, '');
  else web.pathname = base.pathname.replace(/api\/v\d+\/$/, '');
  return { base, web, flavour: base.pathname.endsWith('/api/v1/') ? GITEA : GITHUB };
};

/** Each segment encoded: names of branches and paths of files hold slashes. */
export const encodedPath = (path: string): string =>
  path.toWellFormed().split('/').map(encodeURIComponent).join('/');
