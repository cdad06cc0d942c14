import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { resolveRange, type ByteRange, type OpenFile } from '../../../application/ports/file-store.ts';

/** Length of a file in bytes, null where there is none. */
export const lengthOf = async (file: string): Promise<number | null> => {
  const info = await stat(file, { throwIfNoEntry: false }).catch(nullIfAbsent);
  return info?.isFile() === true ? info.size : null;
};

export const readWhole = (file: string): Promise<Buffer | null> => readFile(file).catch(nullIfAbsent);

/** The file is opened when the stream is first read, so that a stream nobody reads leaks no descriptor. */
export const openFile = async (file: string, range: ByteRange | undefined): Promise<OpenFile | null> => {
  const bytes = await lengthOf(file);
  if (bytes === null) return null;
  const { start, end } = resolveRange(bytes, range);
  return { bytes, start, end, stream: slice(file, start, end) };
};

async function* slice(file: string, start: number, end: number): AsyncGenerator<Uint8Array> {
  if (end >= start) yield* createReadStream(file, { start, end }) as AsyncIterable<Buffer>;
}

export const isAbsent = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');

export const nullIfAbsent = (error: unknown): null => {
  if (isAbsent(error)) return null;
  throw error;
};
