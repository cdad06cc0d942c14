import type { FileHandle } from 'node:fs/promises';

/** Writes what it is given to the end of a file, in order. */
export interface GatheringWriter {
  /** Resolves at once while few bytes wait. The part must not be changed afterwards. @throws what a write has thrown */
  readonly add: (part: Uint8Array) => Promise<void>;
  /** Resolves when all is written. @throws what a write has thrown */
  readonly end: () => Promise<void>;
}

/** In memory for one file: while so many wait, no more are taken. */
const MOST_WAITING_BYTES = 512 * 1024;

/**
 * Has one write under way at most, and gathers what comes meanwhile for the next: whoever brings the bytes does not wait for
 * each, and the system is called once for many.
 */
export const gatheringWriter = (handle: Pick<FileHandle, 'writev' | 'writeFile'>): GatheringWriter => {
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  let writing: Promise<void> | null = null;
  const writeOn = async (): Promise<void> => {
    while (waiting.length > 0) {
      const [parts, size] = [waiting, bytes];
      [waiting, bytes] = [[], 0];
      const { bytesWritten } = await handle.writev(parts);
      // A system may take a part only, and says why at the next call.
      if (bytesWritten < size) await handle.writeFile(Buffer.concat(parts).subarray(bytesWritten));
    }
    writing = null;
  };
  return {
    add: async (part) => {
      waiting.push(part);
      bytes += part.byteLength;
      writing ??= writeOn();
      // It is looked at by the next call, or at the end.
      writing.catch(() => undefined);
      if (bytes > MOST_WAITING_BYTES) await writing;
    },
    end: async () => {
      await writing;
    },
  };
};
