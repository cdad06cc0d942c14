import type { ProviderMetadata } from '../../../application/sources/ingestion/listed/listed-source.ts';

import { InvalidResponse } from '../../http-client/provider-response.ts';

/** A file, folder or shortcut as the Drive API returns it (API reference: `files`). */
export interface DriveFile {
  readonly id: string;
  readonly name: string;
  readonly mimeType: string;
  /** Id of the parent folder; null when the account may not see it. */
  readonly parent: string | null;
  /** Whether the file or one of its parent folders is in the trash. */
  readonly trashed: boolean;
  /** Id of the shared drive; null for a file in a personal drive. */
  readonly driveId: string | null;
  /** In bytes; null for Google's own types. */
  readonly size: number | null;
  /** Null for Google's own types. */
  readonly checksum: string | null;
  /** Changes with every change to the file, including invisible ones. */
  readonly version: string;
  readonly canDownload: boolean;
  readonly webUrl: string | null;
  /** The owner counts as the author; a file of a shared drive has none. */
  readonly metadata: ProviderMetadata;
  readonly resourceKey: string | null;
  /** Target of a shortcut; null otherwise. */
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
/** Google's own types have no bytes: they can only be exported, and some cannot. */
export const isNative = ({ mimeType }: Pick<DriveFile, 'mimeType'>): boolean =>
  mimeType.startsWith('application/vnd.google-apps.');

type Json = Readonly<Record<string, unknown>>;

/** @throws InvalidResponse */
export const driveFileOf = (json: unknown): DriveFile => {
  const file = asObject(json);
  const { id, name, mimeType } = file;
  if (typeof id !== 'string' || typeof mimeType !== 'string')
    throw new InvalidResponse('sent a file without id or type');
  return {
    id,
    name: typeof name === 'string' ? name : '',
    mimeType,
    parent: asString(Array.isArray(file['parents']) ? file['parents'][0] : null),
    trashed: file['trashed'] === true,
    driveId: asString(file['driveId']),
    size: sizeOf(file['size']),
    checksum:
      asString(file['sha256Checksum']) ?? asString(file['md5Checksum']) ?? asString(file['headRevisionId']),
    version: asString(file['version']) ?? asString(file['modifiedTime']) ?? '',
    canDownload: asObject(file['capabilities'])['canDownload'] !== false,
    webUrl: webUrlOf(file['webViewLink']),
    metadata: metadataOf(file),
    resourceKey: asString(file['resourceKey']),
    target: targetOf(asObject(file['shortcutDetails'])),
  };
};

const metadataOf = ({ owners, createdTime, modifiedTime }: Json): ProviderMetadata => ({
  author: asString(asObject(Array.isArray(owners) ? owners[0] : null)['displayName']),
  created: asString(createdTime),
  modified: asString(modifiedTime),
});

const targetOf = ({ targetId, targetMimeType, targetResourceKey }: Json): DriveFile['target'] =>
  typeof targetId === 'string'
    ? { id: targetId, mimeType: asString(targetMimeType) ?? '', resourceKey: asString(targetResourceKey) }
    : null;

export const asObject = (json: unknown): Json =>
  typeof json === 'object' && json !== null ? (json as Json) : {};
export const asString = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;
/** The API sends 64-bit numbers as texts. */
const sizeOf = (value: unknown): number | null =>
  typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : null;
const webUrlOf = (value: unknown): string | null =>
  typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value) ? value : null;

/**
 * Fingerprint that detects a changed file. A file with bytes has a hash, which a move keeps. A Google type has only a
 * version, which can increase without a visible change; the extracted text then decides. A renamed file is read again.
 */
export const fingerprintOf = ({ mimeType, checksum, version, name, canDownload }: DriveFile): string =>
  JSON.stringify([mimeType, checksum ?? `version ${version}`, name, canDownload]);
