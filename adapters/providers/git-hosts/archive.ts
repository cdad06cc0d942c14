import { gitBlobName } from './files.ts';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file of an archive. Its name is left out, because its path in the archive does not matter. */
export interface TarFile {
  readonly bytes: number;
  /** May be called before the next file is requested. */
  readonly read: () => Promise<Uint8Array>;
}

/** The bytes are not an archive, or end early. */
export class InvalidArchive extends Error {
  override readonly name = 'InvalidArchive';
}

const BLOCK = 512;
const SIZE = { at: 124, length: 12 };
const CHECKSUM = { at: 148, length: 8 };
const TYPE = 156;
/** "0", and NUL in archives from before POSIX. */
const FILE_TYPES: ReadonlySet<number> = new Set([0x30, 0]);

/** The regular files of an archive (POSIX ustar, pax) in order; everything else is skipped. @throws InvalidArchive */
export async function* filesOfTar(archive: AsyncIterable<Uint8Array>): AsyncGenerator<TarFile> {
  const input = inputOf(archive);
  for (;;) {
    const header = await input.take(BLOCK);
    if (header.every((byte) => byte === 0)) return;
    const bytes = sizeIn(header);
    let isRead = false;
    if (FILE_TYPES.has(header[TYPE]!)) {
      yield {
        bytes,
        read: () => {
          isRead = true;
          return input.take(bytes);
        },
      };
    }
    if (!isRead) await input.skip(bytes);
    await input.skip((BLOCK - (bytes % BLOCK)) % BLOCK);
  }
}

const sizeIn = (header: Uint8Array): number => {
  const sum = header.reduce((total, byte, i) => {
    const isOfSum = i >= CHECKSUM.at && i < CHECKSUM.at + CHECKSUM.length;
    return total + (isOfSum ? 0x20 : byte);
  }, 0);
  if (octal(header, CHECKSUM) !== sum) throw new InvalidArchive('a header of the archive is damaged');
  return octal(header, SIZE);
};

const octal = (
  header: Uint8Array,
  { at, length }: { readonly at: number; readonly length: number },
): number => {
  const text = Buffer.from(header.subarray(at, at + length)).toString('latin1');
  const digits = /^\s*([0-7]+)[\s\0]*$/.exec(text)?.[1];
  // Files of over 8 GiB encode their size differently; such files are never wanted here.
  if (digits === undefined) throw new InvalidArchive('a header of the archive cannot be read');
  return Number.parseInt(digits, 8);
};

const inputOf = (archive: AsyncIterable<Uint8Array>) => {
  const parts = archive[Symbol.asyncIterator]();
  let left: Uint8Array = new Uint8Array();
  /** Passes exactly `bytes` bytes to `use`. */
  const pass = async (bytes: number, use: (part: Uint8Array) => void): Promise<void> => {
    for (let missing = bytes; missing > 0;) {
      if (left.length === 0) {
        const next = await parts.next();
        if (next.done === true) throw new InvalidArchive('the archive ends before its end');
        left = next.value;
        continue;
      }
      const part = left.subarray(0, missing);
      left = left.subarray(part.length);
      missing -= part.length;
      use(part);
    }
  };
  return {
    take: async (bytes: number): Promise<Uint8Array> => {
      const taken = new Uint8Array(bytes);
      let at = 0;
      await pass(bytes, (part) => {
        taken.set(part, at);
        at += part.length;
      });
      return taken;
    },
    skip: (bytes: number): Promise<void> => pass(bytes, () => {}),
  };
};

/** Blobs on disk for one attempt, by hash. */
export interface Spool {
  readonly has: (sha: string) => boolean;
  readonly put: (sha: string, bytes: Uint8Array) => Promise<void>;
  /** Null when it is missing, or the disk did not keep it intact. */
  readonly get: (sha: string) => Promise<Uint8Array | null>;
  readonly bytes: () => number;
  readonly close: () => Promise<void>;
}

/** Returns how many bytes were written: a full disk takes only a part, without an error. */
type Write = (file: FileHandle, bytes: Uint8Array, at: number) => Promise<number>;

const write: Write = async (file, bytes, at) =>
  (await file.write(bytes, 0, bytes.byteLength, at)).bytesWritten;

/** One file, which is unlinked immediately where the system allows it: a killed process leaves nothing behind. */
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
      // The disk may return other bytes than were written.
      return gitBlobName(bytes, sha.length) === sha ? bytes : null;
    },
    bytes: () => end,
    close: async () => {
      await file.close();
      await forget();
    },
  };
};
