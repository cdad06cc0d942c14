import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ModelFile, hashOf } from './manifest.ts';
import { type Digest, type OfferedFile, SourceFailed, type WeightsSource } from './source.ts';

export interface Receiving {
  readonly source: WeightsSource;
  /** Target folder of the file and its path. */
  readonly folder: string;
  /** Bytes of this file so far. */
  readonly onProgress: (bytes: number) => void;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

const MAX_ATTEMPTS = 4;
const FIRST_DELAY_MS = 1_000;

/**
 * Receives one file, continues an interrupted attempt, and gives the file its final name only when its hash matches the
 * source. Interruptions are retried, at most four attempts.
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
  // Without a hash, nothing shows whether it is the same file.
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

/** The result of two attempts may be of two different files. */
const broken = ({ path }: OfferedFile, how: { readonly passing: boolean }): SourceFailed =>
  new SourceFailed(`${path} is not what the source says it is: its hash differs`, how);

/** Appends to the partial file, and waits for the disk. */
const receiveRest = async (
  { source, onProgress }: Receiving,
  file: OfferedFile,
  part: string,
  signal: AbortSignal,
): Promise<{ readonly from: number; readonly digest: Digest | null }> => {
  const begun = file.digest === null ? 0 : await lengthOf(part);
  // A partial file of full length or more had the wrong content.
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

/** Null when the file is missing or differs; a wrong file is removed, so that it is fetched anew. */
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
