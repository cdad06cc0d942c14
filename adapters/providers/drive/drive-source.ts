import type { Dispatcher } from 'undici';
import {
  type ListedSource,
  type Listing,
  type OpenedFor,
  SourceRefused,
} from '../../../application/sources/ingestion/listed/listed-source.ts';
import type { SecretCredentials } from '../../../application/ports/secrets.ts';
import type { CloudDriveParameters } from '../../../domain/ingestion-setting/index.ts';
import { createProviderClient } from '../../http-client/client.ts';
import { RequestRefused } from '../../http-client/refusal.ts';
import { createDriveApi, type DriveApi } from './drive-api.ts';
import { isFolder } from './drive-file.ts';
import { fileIdIn, type FolderAddress, folderAddress } from './folder-url.ts';
import { judgeDrive } from './judge.ts';
import { driveListing } from './listing.ts';
import { type DriveMark, readMark, type WalkPlace } from './mark.ts';
import { newTree } from './tree.ts';
import { followChanges, noRoot } from './walk.ts';

export interface DriveOptions {
  /** Of the Drive API and of Google's token endpoint, as the operator names them: callers' secrets are sent there. */
  readonly apiUrl: string;
  readonly tokenUrl: string;
  /** Guarded; may reach the API. */
  readonly dispatcher: Dispatcher;
  readonly credentials: SecretCredentials;
  /** Of a file. */
  readonly maxBytes: number;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

const SCOPE = 'https://www.googleapis.com/auth/drive.readonly';
/** Without an answer for so long, a try ends. */
const SILENCE_MS = 30_000;
const WHOLE_MS = 5 * 60_000;
const RETRY = { tries: 4, firstDelayMs: 1_000, maxDelayMs: 10_000 };
const LONGEST_WAIT_MS = 30_000;
/** Quotas are counted by the minute. */
const UNSAID_WAIT_MS = 10_000;
/** So old, what changes have told so far is checked by a walk. */
const WALK_AGAIN_MS = 7 * 24 * 3_600_000;

/** Folders of Google Drive. A unit is a file, named by its id, wherever in the tree it is. */
export const createDriveSource = (options: DriveOptions): ListedSource<CloudDriveParameters> => ({
  kind: 'cloud_drive',
  sourceType: 'cloud_drive',
  // A file is judged by its bytes alone.
  judging: [],
  secretTypes: ['service_account', 'oauth_refresh', 'token'],
  needsSecret: true,
  check: ({ folderUrl }) => void folderAddress(folderUrl),
  subjectOf: ({ folderUrl }) => ({ kind: 'cloud_drive', folderUrl }),
  unitsToSync: async (_, files) => [...new Set(files.map(fileIdIn))],
  open: (parameters, signal, opened) => openDrive(options, parameters, opened, signal),
});

const openDrive = async (
  options: DriveOptions,
  { folderUrl, secretId }: CloudDriveParameters,
  { tenant, mark }: OpenedFor,
  signal: AbortSignal,
): Promise<Listing> => {
  if (secretId === null) throw noSecret();
  const address = folderAddress(folderUrl);
  const keys = new Map<string, string>();
  if (address.resourceKey !== null) keys.set(address.id, address.resourceKey);
  const { apiUrl, tokenUrl, maxBytes, now } = options;
  const credentials = options.credentials.of({ tenant, secretId }, { tokenUrl, scope: SCOPE });
  const base = new URL(apiUrl.endsWith('/') ? apiUrl : `${apiUrl}/`);
  const api = createDriveApi({ client: clientOf(options), base, credentials, keys });
  // Whether there is a token shows before the job begins.
  await credentials.current(signal);
  const question = JSON.stringify([address.id, address.resourceKey, secretId]);
  return driveListing({
    api,
    question,
    left: toGoBy(readMark(mark), question, now()),
    begin: (aborted) => beginWalk(api, address, aborted),
    maxBytes,
    now,
  });
};

const toGoBy = (left: DriveMark | null, question: string, now: number): DriveMark | null =>
  left?.question === question && left.walkedAt > now - WALK_AGAIN_MS ? left : null;

const clientOf = ({ dispatcher, now, sleep }: DriveOptions) =>
  createProviderClient({
    name: 'the drive',
    dispatcher,
    silenceMs: SILENCE_MS,
    wholeMs: WHOLE_MS,
    retry: RETRY,
    longestWaitMs: LONGEST_WAIT_MS,
    unsaidWaitMs: UNSAID_WAIT_MS,
    judge: judgeDrive,
    now,
    sleep,
  });

/** The token of changes comes before the walk: what changes meanwhile is told from there on. */
const beginWalk = async (api: DriveApi, { id }: FolderAddress, signal: AbortSignal): Promise<WalkPlace> => {
  const root = await api.file(id, signal).catch((error: unknown) => {
    throw error instanceof RequestRefused ? noRoot(error.status) : error;
  });
  if (root.trashed) throw notAFolder('it is in the trash: restore it, then sync');
  if (!isFolder(root)) throw notAFolder('it is no folder');
  const tree = newTree(root.id, api.keys);
  await followChanges(api, tree, root.driveId, signal);
  return { tree, queue: [root.id], page: null };
};

const notAFolder = (what: string): SourceRefused =>
  new SourceRefused('not_found', 'Not found at the provider', `the folder cannot be read: ${what}`);

const noSecret = (): SourceRefused =>
  new SourceRefused(
    'secret_missing',
    'Credentials rejected',
    'a drive is read with a secret alone: name one of type service_account, oauth_refresh or token in the settings of this data source, then sync',
  );
