import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gitBlobName } from './git-object.ts';

/** Blobs on disk for the time of one attempt, by their hashes. */
export interface Spool {
  readonly has: (sha: string) => boolean;
  readonly put: (sha: string, bytes: Uint8Array) => Promise<void>;
  /** Null: it has none, or the disk did not keep it whole. */
  readonly get: (sha: string) => Promise<Uint8Array | null>;
  readonly bytes: () => number;
  readonly close: () => Promise<void>;
}

/** Answers how many bytes were written: a disk that is full takes a part, without an error. */
type Write = (file: FileHandle, bytes: Uint8Array, at: number) => Promise<number>;

const write: Write = async (file, bytes, at) =>
  (await file.write(bytes, 0, bytes.byteLength, at)).bytesWritten;

/** One file, whose name is taken away at once where the system allows: a killed process leaves nothing behind. */
export const openSpool = async (writing: Write = write): Promise<Spool> => {
  const folder = await mkdtemp(join(tmpdir(), 'knowledger-spool-'));
  const file: FileHandle = await open(join(folder, 'blobs'), 'wx+', 0o600);
  const forget = (): Promise<void> => rm(folder, { recursive: true, force: true });
  await forget().catch(() => undefined);
  const places = new Map<string, { readonly at: number; readonly bytes: number }>();
  let end = 0;
  return {
    has: (sha) => places.has(sha),
    put: async (sha, bytes) => {
      if (places.has(sha)) return;
      const at = end;
      end += bytes.byteLength;
      if ((await writing(file, bytes, at)) < bytes.byteLength) return;
      places.set(sha, { at, bytes: bytes.byteLength });
    },
    get: async (sha) => {
      const place = places.get(sha);
      if (place === undefined) return null;
      const bytes = Buffer.alloc(place.bytes);
      await file.read(bytes, 0, place.bytes, place.at);
      // What a disk holds may be something else than was written.
      return gitBlobName(bytes, sha.length) === sha ? bytes : null;
    },
    bytes: () => end,
    close: async () => {
      await file.close();
      await forget();
    },
  };
};
