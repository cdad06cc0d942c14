import type { FetchedItem } from '../../../application/sources/ingestion/listed/listed-source.ts';
import type { RepositoryApi } from './repository-api.ts';
import type { TreeEntry } from './tree.ts';
import { createHash } from 'node:crypto';

/** The outcome of a file that is skipped by its tree entry alone; null when its bytes are wanted. */
export const skippedOutcome = (entry: TreeEntry, maxBytes: number): FetchedItem | null => {
  if (entry.kind === 'symlink') return skipped('symlink', 'it is a symbolic link, which is not followed');
  if (entry.kind === 'submodule')
    return skipped(
      'submodule',
      'it is a submodule: another repository, which can be a data source of its own',
    );
  if (entry.bytes === 0) return skipped('empty', 'the file is empty');
  if (entry.bytes !== null && entry.bytes > maxBytes) return tooLarge(maxBytes);
  return null;
};

export const tooLarge = (maxBytes: number): FetchedItem =>
  skipped('too_large', `the file has more than ${maxBytes} bytes`);

export const fetchedFile = (path: string, body: Uint8Array, url: string): FetchedItem =>
  isLfsPointer(body)
    ? skipped('lfs_pointer', 'the file is stored in Git LFS, which is not read')
    : { kind: 'document', document: { body, fileName: nameIn(path), url } };

export const nameIn = (path: string): string => path.split('/').at(-1) ?? path;

const skipped = (reason: string, message: string): FetchedItem => ({ kind: 'skipped', reason, message });

/** Base64 with line ends needs four thirds, and JSON a little more. */
const inflated = (bytes: number): number => Math.ceil(bytes * 1.4) + 64 * 1024;

/**
 * The bytes of a blob; null when other bytes arrived. Hosts send it raw, as requested, or as JSON with base64: the hash
 * distinguishes them.
 *
 * @throws ResponseTooLarge, RequestRefused
 */
export const readBlob = async (
  api: RepositoryApi,
  sha: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array | null> => {
  const asked = { maxBytes: inflated(maxBytes), headers: { accept: 'application/vnd.github.raw+json' } };
  const sent = await api.bytes(`git/blobs/${sha}`, asked, signal);
  if (gitBlobName(sent, sha.length) === sha) return sent;
  const decoded = inJson(sent);
  return decoded !== null && gitBlobName(decoded, sha.length) === sha ? decoded : null;
};

const inJson = (bytes: Buffer): Uint8Array | null => {
  try {
    const { content, encoding } = JSON.parse(bytes.toString('utf8')) as {
      content?: unknown;
      encoding?: unknown;
    };
    return encoding === 'base64' && typeof content === 'string' ? Buffer.from(content, 'base64') : null;
  } catch {
    return null;
  }
};

const HEADER_OF_POINTER = 'version https://git-lfs.github.com/spec/v1';
const MAX_OF_POINTER = 1_024;

/** The git object hash of these bytes. @param digits 40 for SHA-1, 64 for SHA-256 in repositories that use it */
export const gitBlobName = (bytes: Uint8Array, digits: number): string =>
  createHash(digits === 64 ? 'sha256' : 'sha1')
    .update(`blob ${bytes.byteLength}\0`)
    .update(bytes)
    .digest('hex');

/** A placeholder of a file in another store (git-lfs.com, specification of pointers). */
const isLfsPointer = (bytes: Uint8Array): boolean =>
  bytes.byteLength <= MAX_OF_POINTER && bytesOf(bytes, HEADER_OF_POINTER.length) === HEADER_OF_POINTER;

const bytesOf = (bytes: Uint8Array, length: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(length, bytes.byteLength)).toString('latin1');
