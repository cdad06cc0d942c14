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
import { type Authorization, isRejection } from '../credentials/authorization.ts';

/** The parts of a request besides its path. */
export type RequestOptions = Omit<ProviderRequest, 'url' | 'secretHeaders' | 'method' | 'body'>;

/** The API of the host for one repository. Throws what `ProviderClient.ask` throws. */
export interface RepositoryApi {
  readonly host: Host;
  /** `path` is relative to the repository, and encoded. */
  readonly ask: <T>(
    path: string,
    asked: RequestOptions,
    read: (answer: ProviderResponse) => Promise<T>,
    signal: AbortSignal,
  ) => Promise<T>;
  /** `take` throws InvalidResponse when the JSON is not what the API promises. */
  readonly json: <T>(
    path: string,
    take: (json: unknown) => T,
    maxBytes: number,
    signal: AbortSignal,
  ) => Promise<T>;
  readonly bytes: (path: string, asked: RequestOptions, signal: AbortSignal) => Promise<Buffer>;
  /** The API path of this repository below the base URL: its number or new name once it has been renamed. */
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
    json: (path, take, maxBytes, signal) =>
      ask(
        path,
        { maxBytes, headers: { accept: 'application/vnd.github+json' } },
        async (answer) => take(await jsonOf(answer)),
        signal,
      ),
    bytes: (path, asked, signal) => ask(path, asked, bytesOf, signal),
  };
};

/** Where a renamed repository is: hosts redirect to its number (GitHub) or new name, and its old name may be reused. */
const placeIn = (base: URL, { origin, pathname }: URL): string | null => {
  if (origin !== base.origin || !pathname.startsWith(base.pathname)) return null;
  return (
    /^(?:repositories\/\d+|repos\/[^/]+\/[^/]+)(?=\/|$)/.exec(pathname.slice(base.pathname.length))?.[0] ??
    null
  );
};

/** Maps a refusal of the whole repository to an error of its data source. */
export const refusalOfRepository = (error: unknown, repository: string, hasSecret: boolean): never => {
  if (!(error instanceof RequestRefused)) throw error;
  const { status } = error;
  if (status === 403 && hasSecret) {
    const message = `the host does not let this secret read ${repository}: it needs read access to contents`;
    throw new SourceRefused('credentials_rejected', 'Credentials rejected', message);
  }
  const why = hasSecret ? `${repository} is not there, or this secret may not read it` : hidden(repository);
  throw new SourceRefused('not_found', 'Not found at the provider', `${why} (${status})`);
};

const hidden = (repository: string): string =>
  `${repository} is not there, or needs a secret: give the data source one that may read it`;

export const textField = (json: unknown, field: string): string => {
  const found: unknown = (json as Record<string, unknown> | null)?.[field];
  if (typeof found !== 'string') throw new InvalidResponse(`sent JSON without \`${field}\``);
  return found;
};

/** The differences between hosts. Paths are relative to the repository. */
export interface HostFlavour {
  /** The response is the bare hash of the commit, or JSON that contains it. */
  readonly commitPath: (ref: string) => string;
  readonly archivePath: (commit: string) => string;
  /** URL of a file for users, below the URL of the repository. */
  readonly webPath: (commit: string) => string;
  /** Trees are paginated. */
  readonly pagesTrees: boolean;
  /** Names a branch or tag in `commitPath`, where a branch and a tag may have the same name. */
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
  // Otherwise the response lists every file that the commit changed.
  commitPath: (ref) => `git/commits/${ref}?stat=false&verification=false&files=false`,
  archivePath: (commit) => `archive/${commit}.tar.gz`,
  webPath: (commit) => `src/commit/${commit}`,
  pagesTrees: true,
  // A name with a slash is found as one segment only.
  fullName: (kind, name) => encodeURIComponent(`refs/${kind}/${name}`.toWellFormed()),
};

export interface Host {
  /** Base URL of the API, with a trailing slash. */
  readonly base: URL;
  /** Base URL for users, with a trailing slash. */
  readonly web: URL;
  readonly flavour: HostFlavour;
}

/** @param apiUrl as the operator configures it: `https://api.github.com`, `https://HOST/api/v3`, `https://HOST/api/v1` */
export const hostAt = (apiUrl: string): Host => {
  const base = new URL(apiUrl.endsWith('/') ? apiUrl : `${apiUrl}/`);
  const web = new URL('/', base);
  if (base.pathname === '/') web.hostname = base.hostname.replace(/^api\./, '');
  else web.pathname = base.pathname.replace(/api\/v\d+\/$/, '');
  return { base, web, flavour: base.pathname.endsWith('/api/v1/') ? GITEA : GITHUB };
};

/** Encodes each segment: names of branches and paths of files contain slashes. */
export const encodedPath = (path: string): string =>
  path.toWellFormed().split('/').map(encodeURIComponent).join('/');
