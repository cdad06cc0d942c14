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
import { RequestRefused } from '../../http-client/provider-response.ts';
import { type DriveApi, createDriveApi, judgeDrive } from './drive-api.ts';
import { isFolder } from './drive-file.ts';
import { driveListing } from './listing.ts';
import {
  type DriveSyncToken,
  type WalkPlace,
  followChanges,
  newTree,
  noRoot,
  readSyncToken,
} from './walk.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';

/** A folder, parsed from its URL. */
interface FolderAddress {
  /** `root` is the whole drive of the account. */
  readonly id: string;
  /** The resource key that some folders shared by link require. */
  readonly resourceKey: string | null;
}

const ID = /^[\w-]{10,200}$/;
const KEY = /^[\w-]{1,200}$/;
/** `/drive/folders/ID`, with an account (`/u/1`), a domain (`/a/example.com`), or on phones (`/mobile`). */
const FOLDER = /^(?:\/a\/[^/]+)?(?:\/corp)?\/drive(?:\/u\/\d+)?(?:\/mobile)?\/folders\/([^/]+)\/?$/;
/** Before 2014 the URL had the id after `#folders/`. */
const OLD_PATH = /^(?:\/a\/[^/]+)?(?:\/drive)?(?:\/u\/\d+)?\/?$/;
const OLD_FOLDER = /^#(?:folders|shared-with-me\/folders)\/(?:[^/]+\/)*([^/]+)$/;
const BY_QUERY = /^(?:\/a\/[^/]+)?(?:\/drive)?(?:\/u\/\d+)?\/(?:open|folderview|embeddedfolderview)$/;
const MY_DRIVE = /^(?:\/a\/[^/]+)?\/drive(?:\/u\/\d+)?(?:\/mobile)?\/my-drive\/?$/;
const FILE = /\/(?:file|document|spreadsheets|presentation|forms|drawings)\/(?:u\/\d+\/)?d\//;

/** Parses the URL forms of a folder in Google Drive. @throws DomainError invalid_request, which says what to give */
export const folderAddress = (folderUrl: string): FolderAddress => {
  const url = URL.canParse(folderUrl) ? new URL(folderUrl) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw refused('this is not a URL');
  if (FILE.test(url.pathname)) throw refused('this is the address of a file');
  if (url.hostname !== 'drive.google.com' || url.port !== '')
    throw refused('this is not a URL of Google Drive');
  const id = MY_DRIVE.test(url.pathname) ? 'root' : idIn(url);
  if (id === null) throw refused('this is not the URL of a folder');
  const key = url.searchParams.get('resourcekey') ?? url.searchParams.get('resourceKey');
  if (key !== null && !KEY.test(key)) throw refused('its `resourcekey` is invalid');
  return { id, resourceKey: key };
};

const idIn = ({ pathname, hash, searchParams }: URL): string | null => {
  const id =
    FOLDER.exec(pathname)?.[1] ??
    (BY_QUERY.test(pathname) ? searchParams.get('id') : null) ??
    (OLD_PATH.test(pathname) ? OLD_FOLDER.exec(hash)?.[1] : null);
  return id !== undefined && id !== null && ID.test(id) ? id : null;
};

const refused = (why: string): DomainError =>
  new DomainError(
    'invalid_request',
    `folder_url: ${why}; give the address of a folder as your browser shows it, such as https://drive.google.com/drive/folders/1AbCdEfGhIjK`,
  );

const FILE_ID =
  /^https?:\/\/(?:docs|drive)\.google\.com\/(?:[^?#]*\/)?(?:file|document|spreadsheets|presentation|forms|drawings)\/(?:u\/\d+\/)?d\/([\w-]+)/;

/** The id of a file, given directly or by URL. @throws DomainError invalid_request */
export const fileIdIn = (written: string): string => {
  const url = URL.canParse(written) ? new URL(written) : null;
  const byQuery =
    url?.hostname === 'drive.google.com' && url.pathname === '/open' ? url.searchParams.get('id') : null;
  const id = FILE_ID.exec(written)?.[1] ?? byQuery ?? written;
  if (ID.test(id)) return id;
  throw new DomainError(
    'invalid_request',
    `locators: ${JSON.stringify(written)} is neither the id of a file nor its address`,
  );
};

export interface DriveOptions {
  /** Base URL of the Drive API and of Google's token endpoint, set by the operator: callers' secrets are sent there. */
  readonly apiUrl: string;
  readonly tokenUrl: string;
  /** Guarded; may reach the API. */
  readonly dispatcher: Dispatcher;
  readonly credentials: SecretCredentials;
  /** Maximum size of a file. */
  readonly maxBytes: number;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

const SCOPE = 'https://www.googleapis.com/auth/drive.readonly';
/** Maximum silence before an attempt fails. */
const IDLE_TIMEOUT_MS = 30_000;
const WHOLE_MS = 5 * 60_000;
const RETRY = { attempts: 4, firstDelayMs: 1_000, maxDelayMs: 10_000 };
const LONGEST_WAIT_MS = 30_000;
/** Quotas are counted per minute. */
const DEFAULT_WAIT_MS = 10_000;
/** After this time a walk verifies what the reported changes have added up to. */
const WALK_AGAIN_MS = 7 * 24 * 3_600_000;

/** Folders of Google Drive. An item is a file, identified by its id, wherever in the tree it is. */
export const createDriveSource = (options: DriveOptions): ListedSource<CloudDriveParameters> => ({
  kind: 'cloud_drive',
  sourceType: 'cloud_drive',
  // Only the bytes of a file count.
  contentParameters: [],
  secretTypes: ['service_account', 'oauth_refresh', 'token'],
  needsSecret: true,
  check: ({ folderUrl }) => void folderAddress(folderUrl),
  subjectOf: ({ folderUrl }) => ({ kind: 'cloud_drive', folderUrl }),
  itemsToSync: async (_, files) => [...new Set(files.map(fileIdIn))],
  open: (parameters, signal, opened) => openDrive(options, parameters, opened, signal),
});

const openDrive = async (
  options: DriveOptions,
  { folderUrl, secretId }: CloudDriveParameters,
  { tenant, syncToken }: OpenedFor,
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
  // A missing token is reported before the job begins.
  await credentials.current(signal);
  const question = JSON.stringify([address.id, address.resourceKey, secretId]);
  return driveListing({
    api,
    question,
    left: toGoBy(readSyncToken(syncToken), question, now()),
    begin: (aborted) => beginWalk(api, address, aborted),
    maxBytes,
    now,
  });
};

const toGoBy = (left: DriveSyncToken | null, question: string, now: number): DriveSyncToken | null =>
  left?.question === question && left.walkedAt > now - WALK_AGAIN_MS ? left : null;

const clientOf = ({ dispatcher, now, sleep }: DriveOptions) =>
  createProviderClient({
    name: 'the drive',
    dispatcher,
    idleTimeoutMs: IDLE_TIMEOUT_MS,
    attemptTimeoutMs: WHOLE_MS,
    retry: RETRY,
    maxWaitMs: LONGEST_WAIT_MS,
    defaultWaitMs: DEFAULT_WAIT_MS,
    judge: judgeDrive,
    now,
    sleep,
  });

/** The token of changes is requested before the walk, so that later changes are reported from there on. */
const beginWalk = async (api: DriveApi, { id }: FolderAddress, signal: AbortSignal): Promise<WalkPlace> => {
  const root = await api.file(id, signal).catch((error: unknown) => {
    throw error instanceof RequestRefused ? noRoot(error.status) : error;
  });
  if (root.trashed) throw notAFolder('it is in the trash: restore it, then sync');
  if (!isFolder(root)) throw notAFolder('it is not a folder');
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
