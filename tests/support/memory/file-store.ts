import { hash } from 'node:crypto';
import {
  FileTooLarge,
  isSha256,
  resolveRange,
  type FileStore,
  type OpenFile,
  type StoredFile,
} from '../../../application/ports/file-store.ts';

/** Files in memory, gone with the process: for tests. */
export const createMemoryFileStore = (): FileStore => {
  const files = new Map<string, Buffer>();

  const put = async (bytes: Uint8Array): Promise<StoredFile> => {
    const sha256 = hash('sha256', bytes, 'hex');
    if (!files.has(sha256)) files.set(sha256, Buffer.from(bytes));
    return { sha256, bytes: bytes.length };
  };

  return {
    put,
    putText: (text) => put(Buffer.from(text, 'utf8')),
    putMany: (items) => Promise.all(items.map(put)),
    putStream: async (source, maxBytes) => put(await collect(source, maxBytes)),
    open: async (sha256, range): Promise<OpenFile | null> => {
      const file = files.get(sha256);
      if (file === undefined) return null;
      const { start, end } = resolveRange(file.length, range);
      return { bytes: file.length, start, end, stream: once(file.subarray(start, end + 1)) };
    },
    read: async (sha256) => {
      const file = files.get(sha256);
      return file === undefined ? null : Buffer.from(file);
    },
    has: async (sha256) => isSha256(sha256) && files.has(sha256),
    delete: async (sha256) => files.delete(sha256),
  };
};

const collect = async (source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> => {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of source) {
    bytes += part.length;
    if (bytes > maxBytes) throw new FileTooLarge(maxBytes);
    parts.push(Uint8Array.from(part));
  }
  return Buffer.concat(parts);
};

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield Uint8Array.from(bytes);
}
