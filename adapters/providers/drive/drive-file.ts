import type { ProviderMetadata } from '../../../application/sources/ingestion/listed/listed-source.ts';

import { InvalidResponse } from '../../http-client/provider-response.ts';

/** What the Drive API tells of a file, a folder or a shortcut (its reference, `files`). */
export interface DriveFile {
  readonly id: string;
  readonly name: string;
  readonly mimeType: string;
  /** One at most; none: the account may not see it. */
  readonly parent: string | null;
  /** It, or a folder that it is in. */
  readonly trashed: boolean;
  /** The shared drive that it is in; null: that of a person. */
  readonly driveId: string | null;
  /** In bytes; null for Google's own types. */
  readonly size: number | null;
  /** Null for Google's own types. */
  readonly checksum: string | null;
  /** Another one after every change, also such as nobody sees. */
  readonly version: string;
  readonly canDownload: boolean;
  readonly webUrl: string | null;
  /** Its author is the owner; a file of a shared drive has none. */
  readonly metadata: ProviderMetadata;
  readonly resourceKey: string | null;
  /** Of a shortcut. */
  readonly target: {
    readonly id: string;
    readonly mimeType: string;
    readonly resourceKey: string | null;
  } | null;
}

export const FILE_FIELDS =
  'id,name,mimeType,parents,trashed,driveId,size,md5Checksum,sha256Checksum,headRevisionId,version,createdTime,' +
  'modifiedTime,owners(displayName),webViewLink,resourceKey,capabilities(canDownload),shortcutDetails(targetId,targetMimeType,targetResourceKey)';

const FOLDER_TYPE = 'application/vnd.google-apps.folder';
export const SHORTCUT_TYPE = 'application/vnd.google-apps.shortcut';
export const isFolder = ({ mimeType }: Pick<DriveFile, 'mimeType'>): boolean => mimeType === FOLDER_TYPE;
/** Google's own types have no bytes: they are exported, or not had at all. */
export const isNative = ({ mimeType }: Pick<DriveFile, 'mimeType'>): boolean =>
  mimeType.startsWith('application/vnd.google-apps.');

type Json = Readonly<Record<string, unknown>>;

/** @throws InvalidResponse */
export const driveFileOf = (json: unknown): DriveFile => {
  const file = objectOf(json);
  const { id, name, mimeType } = file;
  if (typeof id !== 'string' || typeof mimeType !== 'string')
    throw new InvalidResponse('sent a file without id or type');
  return {
    id,
    name: typeof name === 'string' ? name : '',
    mimeType,
    parent: textOf(Array.isArray(file['parents']) ? file['parents'][0] : null),
    trashed: file['trashed'] === true,
    driveId: textOf(file['driveId']),
    size: sizeOf(file['size']),
    checksum: textOf(file['sha256Checksum']) ?? textOf(file['md5Checksum']) ?? textOf(file['headRevisionId']),
    version: textOf(file['version']) ?? textOf(file['modifiedTime']) ?? '',
    canDownload: objectOf(file['capabilities'])['canDownload'] !== false,
    webUrl: webUrlOf(file['webViewLink']),
    metadata: metadataOf(file),
    resourceKey: textOf(file['resourceKey']),
    target: targetOf(objectOf(file['shortcutDetails'])),
  };
};

const metadataOf = ({ owners, createdTime, modifiedTime }: Json): ProviderMetadata => ({
  author: textOf(objectOf(Array.isArray(owners) ? owners[0] : null)['displayName']),
  created: textOf(createdTime),
  modified: textOf(modifiedTime),
});

const targetOf = ({ targetId, targetMimeType, targetResourceKey }: Json): DriveFile['target'] =>
  typeof targetId === 'string'
    ? { id: targetId, mimeType: textOf(targetMimeType) ?? '', resourceKey: textOf(targetResourceKey) }
    : null;

export const objectOf = (json: unknown): Json =>
  typeof json === 'object' && json !== null ? (json as Json) : {};
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;
/** The API writes 64-bit numbers as texts. */
const sizeOf = (value: unknown): number | null =>
  typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : null;
const webUrlOf = (value: unknown): string | null =>
  typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value) ? value : null;

/**
 * By which a changed file is told. Bytes have a hash, and keep it when they are moved; Google's own types have a number
 * that also grows when nothing readable has changed: then what is read decides. A file that is renamed is read again.
 */
export const fingerprintOf = ({ mimeType, checksum, version, name, canDownload }: DriveFile): string =>
  JSON.stringify([mimeType, checksum ?? `version ${version}`, name, canDownload]);
