import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ModelFile, hashOf } from './manifest.ts';
import { type Digest, type OfferedFile, SourceFailed, type WeightsSource } from './source.ts';

export interface Receiving {
  readonly source: WeightsSource;
  /** Where the file is put, with its path. */
  readonly folder: string;
  /** Bytes of this file so far. */
  readonly onProgress: (bytes: number) => void;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

const MAX_ATTEMPTS = 4;
const FIRST_DELAY_MS = 1_000;

/**
 * Receives one file, goes on where an earlier try has broken off, and gives it its name only when it is what the source
 * says. What breaks off is tried four times.
 *
 * @throws SourceFailed; the signal's reason when it aborts
 */
export const receiveFile = async (
  receiving: Receiving,
  file: OfferedFile,
  signal: AbortSignal,
): Promise<ModelFile> => {
  const target = join(receiving.folder, file.path);
  const part = `${target}.part`;
  await mkdir(dirname(target), { recursive: true });
  // Without a hash nothing tells whether it is the same file.
  const there = file.digest === null ? null : await receivedAs(target, file, null);
  if (there !== null) return there;
  let said: Digest | null = null;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { from, digest } = await receiveRest(receiving, file, part, signal);
      said = digest ?? said;
      const received = await receivedAs(part, file, said);
      if (received === null) throw broken(file, { passing: from > 0 });
      await rename(part, target);
      return received;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof SourceFailed && error.passing) || attempt === MAX_ATTEMPTS) throw error;
      await receiving.sleep(FIRST_DELAY_MS * 2 ** (attempt - 1), signal);
    }
  }
};

/** What was put together from two tries may be of two files. */
const broken = ({ path }: OfferedFile, how: { readonly passing: boolean }): SourceFailed =>
  new SourceFailed(`${path} is not what the source says it is: its hash differs`, how);

/** Appends to what there is of it, and waits for the disk. */
const receiveRest = async (
  { source, onProgress }: Receiving,
  file: OfferedFile,
  part: string,
  signal: AbortSignal,
): Promise<{ readonly from: number; readonly digest: Digest | null }> => {
  const begun = file.digest === null ? 0 : await lengthOf(part);
  // What is whole, or more than that, was not what it should be.
  const from = file.bytes !== null && begun < file.bytes ? begun : 0;
  const opened = await source.open(file, from, signal);
  const handle = await open(part, opened.from > 0 ? 'a' : 'w');
  try {
    let bytes = opened.from;
    for await (const chunk of opened.body) {
      signal.throwIfAborted();
      await handle.write(chunk);
      onProgress((bytes += chunk.length));
    }
    if (file.bytes !== null && bytes < file.bytes)
      throw new SourceFailed(`${file.path} has ended after ${bytes} of ${file.bytes} bytes`, {
        passing: true,
      });
    await handle.sync();
  } finally {
    await handle.close();
  }
  return opened;
};

/** Null where it is not there, or something else; then it is removed, so that it is begun anew. */
const receivedAs = async (
  path: string,
  file: OfferedFile,
  said: Digest | null,
): Promise<ModelFile | null> => {
  const bytes = await lengthOf(path);
  const digest = file.digest ?? said;
  const sha256 = await hashOf(path);
  if (sha256 === null) return null;
  const isWhole = file.bytes === null || file.bytes === bytes;
  const hash = digest?.kind === 'git' ? await hashOf(path, 'sha1', `blob ${bytes}\0`) : sha256;
  if (isWhole && (digest === null || digest.hex === hash)) return { path: file.path, bytes, sha256 };
  await rm(path);
  return null;
};

const lengthOf = async (path: string): Promise<number> => {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
};
