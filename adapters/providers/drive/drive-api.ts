import type { Credential, Credentials } from '../../../application/ports/secrets.ts';
import {
  SourceUnavailable,
  SourceRefused,
} from '../../../application/sources/ingestion/listed/listed-source.ts';
import {
  type ProviderResponse,
  type Judge,
  bytesOf,
  jsonOf,
  InvalidResponse,
} from '../../http-client/provider-response.ts';

import type { ProviderClient } from '../../http-client/client.ts';
import { serverDelay } from '../../http-client/retry.ts';
import { type DriveFile, FILE_FIELDS, driveFileOf, asObject, asString } from './drive-file.ts';

export interface Change {
  readonly id: string;
  /** Null when it was deleted, or is no longer visible. */
  readonly file: DriveFile | null;
}

/** The Drive API, version 3. Throws what `ProviderClient.ask` throws. */
export interface DriveApi {
  /**
   * Resource keys that some files shared by link require in addition to their id, by id. Sent with each request about
   * such a file.
   */
  readonly keys: Map<string, string>;
  readonly file: (id: string, signal: AbortSignal) => Promise<DriveFile>;
  /** A page of the files in a folder, without the trash. `page` null: the first page. */
  readonly children: (
    folderId: string,
    page: string | null,
    signal: AbortSignal,
  ) => Promise<{ readonly files: readonly DriveFile[]; readonly next: string | null }>;
  /** A token for changes from now on; `driveId` null: files visible to the account outside of shared drives. */
  readonly startToken: (driveId: string | null, signal: AbortSignal) => Promise<string>;
  /** A page of changes. `next`: token of the next page; `newest`: on the last page, the token for later changes. */
  readonly changes: (
    driveId: string | null,
    token: string,
    signal: AbortSignal,
  ) => Promise<{
    readonly changes: readonly Change[];
    readonly next: string | null;
    readonly newest: string | null;
  }>;
  readonly download: (id: string, maxBytes: number, signal: AbortSignal) => Promise<Uint8Array>;
  readonly exported: (id: string, type: string, maxBytes: number, signal: AbortSignal) => Promise<Uint8Array>;
}

interface DriveApiOptions {
  readonly client: ProviderClient;
  /** With a trailing slash. */
  readonly base: URL;
  readonly credentials: Credentials;
  readonly keys: Map<string, string>;
}

const PAGE = '1000';
/** Enough for a page of 1,000 files with long names. */
const MAX_JSON = 16 * 1024 ** 2;
const ALL_DRIVES = { supportsAllDrives: 'true' };
const FROM_ALL_DRIVES = { ...ALL_DRIVES, includeItemsFromAllDrives: 'true' };

export const createDriveApi = (options: DriveApiOptions): DriveApi => {
  const json = <T>(
    path: string,
    query: Query,
    id: string | null,
    take: (json: unknown) => T,
    signal: AbortSignal,
  ) =>
    ask(
      options,
      { path, query, id, maxBytes: MAX_JSON },
      async (answer) => take(await jsonOf(answer)),
      signal,
    );
  return {
    keys: options.keys,
    file: (id, signal) => json(fileAt(id), { ...ALL_DRIVES, fields: FILE_FIELDS }, id, driveFileOf, signal),
    children: (folderId, page, signal) => {
      const fields = `nextPageToken,incompleteSearch,files(${FILE_FIELDS})`;
      const q = `'${folderId.replaceAll(/['\\]/g, '\\$&')}' in parents and trashed=false`;
      const query = {
        ...FROM_ALL_DRIVES,
        q,
        fields,
        pageSize: PAGE,
        ...(page !== null && { pageToken: page }),
      };
      return json('drive/v3/files', query, folderId, pageOfFiles, signal);
    },
    startToken: (driveId, signal) => {
      const query = { ...ALL_DRIVES, fields: 'startPageToken', ...(driveId !== null && { driveId }) };
      return json('drive/v3/changes/startPageToken', query, null, tokenIn, signal);
    },
    changes: (driveId, token, signal) => {
      const fields = `nextPageToken,newStartPageToken,changes(changeType,removed,fileId,file(${FILE_FIELDS}))`;
      const more = {
        includeRemoved: 'true',
        pageToken: token,
        pageSize: PAGE,
        ...(driveId !== null && { driveId }),
      };
      return json('drive/v3/changes', { ...FROM_ALL_DRIVES, ...more, fields }, null, pageOfChanges, signal);
    },
    download: (id, maxBytes, signal) => {
      const query = { ...ALL_DRIVES, alt: 'media' };
      return ask(options, { path: fileAt(id), query, id, maxBytes }, bytesOf, signal);
    },
    exported: (id, mimeType, maxBytes, signal) =>
      ask(options, { path: `${fileAt(id)}/export`, query: { mimeType }, id, maxBytes }, bytesOf, signal),
  };
};

type Query = Readonly<Record<string, string>>;
interface Asked {
  readonly path: string;
  readonly query: Query;
  /** The file that the request is about. */
  readonly id: string | null;
  readonly maxBytes: number;
}

const fileAt = (id: string): string => `drive/v3/files/${encodeURIComponent(id)}`;

/** Retries once if the token was refused and another one is available: it may expire between two requests. */
const ask = async <T>(
  { client, base, credentials, keys }: DriveApiOptions,
  { path, query, id, maxBytes }: Asked,
  read: (answer: ProviderResponse) => Promise<T>,
  signal: AbortSignal,
): Promise<T> => {
  const url = new URL(`${path}?${new URLSearchParams(query).toString()}`, base);
  const key = id === null ? undefined : keys.get(id);
  const headers = key === undefined ? {} : { 'x-goog-drive-resource-keys': `${id}/${key}` };
  for (let attempt = 1; ; attempt += 1) {
    const credential = await credentials.current(signal);
    const secretHeaders = { authorization: `Bearer ${tokenOf(credential)}` };
    try {
      return await client.ask({ url, headers, secretHeaders, maxBytes }, read, signal);
    } catch (error) {
      const isRejected = error instanceof SourceRefused && error.code === 'credentials_rejected';
      if (attempt > 1 || !isRejected || !(await credentials.refused(credential, signal))) throw error;
    }
  }
};

const tokenOf = (credential: Credential): string => {
  if (credential.type === 'token' || credential.type === 'access_token') return credential.token;
  throw new Error(`a drive is not asked with ${credential.type}`);
};

const listOf = (json: unknown, name: string): readonly unknown[] => {
  const found = asObject(json)[name] ?? [];
  if (!Array.isArray(found)) throw new InvalidResponse(`sent no list of ${name}`);
  return found;
};

const pageOfFiles = (json: unknown) => {
  // Missing files would count as deleted.
  if (asObject(json)['incompleteSearch'] === true)
    throw new SourceUnavailable('the drive does not list all of a folder', { oneRequest: true });
  return { files: listOf(json, 'files').map(driveFileOf), next: asString(asObject(json)['nextPageToken']) };
};

const pageOfChanges = (json: unknown) => {
  const changes = listOf(json, 'changes').flatMap((one): Change | [] => {
    const { changeType, removed, fileId, file } = asObject(one);
    if (typeof fileId !== 'string' || (changeType ?? 'file') !== 'file') return [];
    return { id: fileId, file: removed === true || file === undefined ? null : driveFileOf(file) };
  });
  const { nextPageToken, newStartPageToken } = asObject(json);
  const [next, newest] = [asString(nextPageToken), asString(newStartPageToken)];
  if (next === null && newest === null)
    throw new InvalidResponse('sent changes without a token to go on from');
  return { changes, next, newest };
};

const tokenIn = (json: unknown): string => {
  const token = asString(asObject(json)['startPageToken']);
  if (token === null) throw new InvalidResponse('sent no token to ask for changes with');
  return token;
};

/** Rate limits that come as 403 (the documentation of the Drive API, "Resolve errors", and of its limits). */
const LIMITS: ReadonlySet<string> = new Set([
  'userRateLimitExceeded',
  'rateLimitExceeded',
  'RATE_LIMIT_EXCEEDED',
]);
/** Daily limits, including downloads. */
const LONG_LIMITS: ReadonlySet<string> = new Set(['dailyLimitExceeded', 'quotaExceeded']);
const LONG_WAIT_MS = 15 * 60_000;
const NOT_ENABLED: ReadonlySet<string> = new Set(['accessNotConfigured', 'SERVICE_DISABLED']);
const NO_SCOPE: ReadonlySet<string> = new Set(['insufficientPermissions', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT']);

/** The API's stable reason codes; `errors[0].reason` distinguishes the kinds of 403. */
export const reasonsIn = (json: unknown): readonly string[] => {
  const { errors, details } = asObject(asObject(json)['error']);
  return [errors, details].flatMap((list) =>
    (Array.isArray(list) ? list : []).flatMap((one) => asString(asObject(one)['reason']) ?? []),
  );
};

export const judgeDrive: Judge = ({ status, header, json }, now) => {
  if (status !== 403) return undefined;
  const reasons = reasonsIn(json);
  const has = (words: ReadonlySet<string>): boolean => reasons.some((reason) => words.has(reason));
  const asked = serverDelay(header, now);
  if (has(LONG_LIMITS)) return { kind: 'wait', ms: Math.max(asked, LONG_WAIT_MS) };
  if (has(LIMITS)) return { kind: 'wait', ms: asked === 0 ? null : asked };
  if (has(NOT_ENABLED))
    return rejected(
      'api_not_enabled',
      'the Drive API is not enabled in the Google Cloud project that the secret belongs to: enable it',
    );
  if (has(NO_SCOPE))
    return rejected(
      'scope_missing',
      'the secret may not read files: it needs the scope https://www.googleapis.com/auth/drive.readonly',
    );
  return { kind: 'no' };
};

const rejected = (code: string, message: string) =>
  ({
    kind: 'refused',
    error: new SourceRefused(code, 'Credentials rejected', message),
  }) as const;
