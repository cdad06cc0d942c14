import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { AnswerTooLarge, BrokenOff } from '../../http-client/answer.ts';
import { RequestRefused } from '../../http-client/refusal.ts';
import { gitBlobName } from './git-object.ts';
import type { RepositoryApi } from './repository-api.ts';
import type { Spool } from './spool.ts';
import { filesOfTar, TarBroken } from './tar.ts';

const MOST_ARCHIVE_BYTES = 1024 ** 3;
const MOST_SPOOLED_BYTES = 2 * 1024 ** 3;
/** Of a bomb, a thousand times as much could come out. */
const MOST_INFLATED_BYTES = 8 * 1024 ** 3;

/**
 * Puts the wanted blobs of a commit into the spool, by one request, as far as its archive has them: it leaves out paths
 * (`export-ignore`), changes files (`export-subst`), may be cut or be no archive at all. So only what has the hash of a
 * wanted blob is taken, and what is missing afterwards is no fault.
 *
 * @param wanted their hashes, and how many bytes each has at most
 */
export const spoolArchive = async (
  api: RepositoryApi,
  commit: string,
  wanted: { readonly shas: ReadonlySet<string>; readonly maxBytes: number },
  spool: Spool,
  signal: AbortSignal,
): Promise<void> => {
  const asked = { maxBytes: MOST_ARCHIVE_BYTES };
  try {
    await api.ask(
      api.host.flavour.archivePath(commit),
      asked,
      ({ body }) =>
        pipeline(Readable.from(body), createGunzip(), (inflated) => takeFrom(inflated, wanted, spool)),
      signal,
    );
  } catch (error) {
    if (!isOfTheArchive(error)) throw error;
  }
};

const takeFrom = async (
  inflated: AsyncIterable<Uint8Array>,
  { shas, maxBytes }: { readonly shas: ReadonlySet<string>; readonly maxBytes: number },
  spool: Spool,
): Promise<void> => {
  const [digits = 40] = [...shas].slice(0, 1).map(({ length }) => length);
  let passed = 0;
  for await (const file of filesOfTar(inflated)) {
    passed += file.bytes;
    if (passed > MOST_INFLATED_BYTES || spool.bytes() > MOST_SPOOLED_BYTES) return;
    if (file.bytes > maxBytes) continue;
    const bytes = await file.read();
    const sha = gitBlobName(bytes, digits);
    if (shas.has(sha)) await spool.put(sha, bytes);
  }
};

/** Wrong with this archive, and with nothing else. */
const isOfTheArchive = (error: unknown): boolean =>
  error instanceof TarBroken ||
  error instanceof AnswerTooLarge ||
  error instanceof RequestRefused ||
  (!(error instanceof BrokenOff) && String((error as { code?: unknown }).code).startsWith('Z_'));
