import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import {
  type FetchedItem,
  type ListedItem,
  type Listing,
  SourceUnavailable,
} from '../../../application/sources/ingestion/listed/listed-source.ts';
import { ResponseTooLarge, ConnectionBroken, RequestRefused } from '../../http-client/provider-response.ts';
import { fetchedFile, gitBlobName, skippedOutcome, nameIn, readBlob, tooLarge } from './files.ts';
import type { FoundCommit, TreeEntry } from './tree.ts';
import { type RepositoryApi, encodedPath } from './repository-api.ts';
import { type Spool, InvalidArchive, filesOfTar, openSpool } from './archive.ts';

const MAX_ARCHIVE_BYTES = 1024 ** 3;
const MAX_SPOOLED_BYTES = 2 * 1024 ** 3;
/** A decompression bomb could yield a thousand times as much. */
const MAX_INFLATED_BYTES = 8 * 1024 ** 3;

/**
 * Fetches the wanted blobs of a commit into the spool with one request, as far as its archive contains them: an archive
 * leaves out paths (`export-ignore`), changes files (`export-subst`), and may be truncated or invalid. So only files
 * with the hash of a wanted blob are taken, and missing ones are not an error.
 *
 * @param wanted hashes with their maximum number of bytes
 */
const spoolArchive = async (
  api: RepositoryApi,
  commit: string,
  wanted: { readonly shas: ReadonlySet<string>; readonly maxBytes: number },
  spool: Spool,
  signal: AbortSignal,
): Promise<void> => {
  const asked = { maxBytes: MAX_ARCHIVE_BYTES };
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
    if (passed > MAX_INFLATED_BYTES || spool.bytes() > MAX_SPOOLED_BYTES) return;
    if (file.bytes > maxBytes) continue;
    const bytes = await file.read();
    const sha = gitBlobName(bytes, digits);
    if (shas.has(sha)) await spool.put(sha, bytes);
  }
};

/** Whether the error is only about this archive. */
const isOfTheArchive = (error: unknown): boolean =>
  error instanceof InvalidArchive ||
  error instanceof ResponseTooLarge ||
  error instanceof RequestRefused ||
  (error instanceof SourceUnavailable && error.oneRequest) ||
  (!(error instanceof ConnectionBroken) && String((error as { code?: unknown }).code).startsWith('Z_'));

/** Items per page of the listing. */
const PAGE = 1_000;
/** From this number of files on, one archive is faster than single requests. */
const ARCHIVE_ABOVE = 100;
/** After this many consecutive requests without a response, the host counts as unavailable. */
const MAX_CONSECUTIVE_FAILURES = 10;

export interface Snapshot {
  readonly commit: string;
  /** The entries that pass the path filters, in order. */
  readonly entries: readonly TreeEntry[];
}

interface ListingOptions {
  readonly api: RepositoryApi;
  /** An earlier job has already listed `newest` with the same parameters. */
  readonly unchanged: boolean;
  /** The commit of the reference now; null when the repository has no commit. */
  readonly newest: FoundCommit | null;
  readonly at: (commit: string, signal: AbortSignal) => Promise<Snapshot>;
  /** Null when that commit no longer exists. */
  readonly earlier: (commit: string, signal: AbortSignal) => Promise<Snapshot | null>;
  readonly markOf: (commit: FoundCommit) => string;
  /** URL of the repository for users. */
  readonly web: string;
  /** Maximum size of a file. */
  readonly maxBytes: number;
}

/**
 * Lists the files of a repository at one commit. An interrupted listing continues at the same commit, so that all items
 * of a job have one state.
 */
export const repositoryListing = (options: ListingOptions): Listing => {
  const { api, newest, maxBytes } = options;
  let snapshot: Snapshot | null = null;
  let spool: Spool | null = null;
  let unanswered = 0;
  const byPath = new Map<string, TreeEntry>();
  const take = (found: Snapshot): readonly TreeEntry[] => {
    if (snapshot !== found) {
      byPath.clear();
      // Of equal names the first one counts.
      for (const entry of found.entries.toReversed()) byPath.set(entry.path, entry);
      snapshot = found;
    }
    return found.entries;
  };
  /** The commit of the interrupted listing if it still exists, else the newest. */
  const entriesAt = async (pinned: string | null, signal: AbortSignal) => {
    if (pinned !== null && snapshot?.commit === pinned) return { entries: snapshot.entries, isPinned: true };
    const earlier = pinned === null || pinned === newest?.sha ? null : await options.earlier(pinned, signal);
    if (earlier !== null) return { entries: take(earlier), isPinned: true };
    if (newest === null) return { entries: [], isPinned: false };
    if (snapshot?.commit !== newest.sha) take(await options.at(newest.sha, signal));
    return { entries: snapshot?.entries ?? [], isPinned: pinned === newest.sha };
  };
  const bytesOf = async ({ sha }: TreeEntry, signal: AbortSignal): Promise<Uint8Array | null> =>
    (await spool?.get(sha)) ?? readBlob(api, sha, maxBytes, signal);
  const urlOf = (path: string): string =>
    `${options.web}/${api.host.flavour.webPath(snapshot?.commit ?? '')}/${encodedPath(path)}`;
  const fetchFile = async (entry: TreeEntry, signal: AbortSignal): Promise<FetchedItem> => {
    const bytes = await bytesOf(entry, signal);
    unanswered = 0;
    if (bytes === null) return failed('wrong_bytes', 'the host sent other bytes than those of this file');
    if (bytes.byteLength > maxBytes) return tooLarge(maxBytes);
    return fetchedFile(entry.path, bytes, urlOf(entry.path));
  };

  return {
    unchanged: options.unchanged,
    syncToken: () => {
      const { commit = '' } = snapshot ?? {};
      return commit === newest?.sha ? options.markOf(newest) : options.markOf({ sha: commit, etag: null });
    },
    list: async (cursor, signal) => {
      const place = placeOf(cursor);
      const { entries, isPinned } = await entriesAt(place?.commit ?? null, signal);
      const from = isPinned ? (place?.index ?? 0) : 0;
      const items = entries.slice(from, from + PAGE).map(itemOf);
      const isLast = from + PAGE >= entries.length;
      return { items, next: isLast ? null : `${snapshot?.commit}:${from + PAGE}` };
    },
    find: async (paths, signal) => {
      await entriesAt(null, signal);
      return paths.map((path) => {
        const entry = byPath.get(path);
        return entry === undefined ? null : itemOf(entry);
      });
    },
    prepare: async (items, signal) => {
      if (spool !== null || snapshot === null) return;
      const wanted = items.filter(({ locator }) => isWanted(byPath.get(locator), maxBytes));
      if (wanted.length <= ARCHIVE_ABOVE) return;
      spool = await openSpool();
      const files = snapshot.entries.filter((entry) => isWanted(entry, maxBytes));
      const shas = new Set(files.map(({ sha }) => sha));
      await spoolArchive(api, snapshot.commit, { shas, maxBytes }, spool, signal);
    },
    fetch: async ({ locator }, signal) => {
      const entry = byPath.get(locator);
      if (entry === undefined) return { kind: 'gone' };
      const about = (outcome: FetchedItem): FetchedItem =>
        outcome.kind === 'skipped' || outcome.kind === 'failed'
          ? { ...outcome, title: nameIn(locator), url: urlOf(locator) }
          : outcome;
      const without = skippedOutcome(entry, maxBytes);
      if (without !== null) return about(without);
      try {
        return about(await fetchFile(entry, signal));
      } catch (error) {
        unanswered = error instanceof SourceUnavailable ? unanswered + 1 : 0;
        if (unanswered >= MAX_CONSECUTIVE_FAILURES) throw error;
        return about(outcomeOf(error, maxBytes));
      }
    },
    close: async () => spool?.close(),
  };
};

const itemOf = ({ path, kind, sha }: TreeEntry): ListedItem => ({
  locator: path,
  // The same bytes mean something else as the target of a link.
  fingerprint: kind === 'file' ? sha : `${kind} ${sha}`,
});

const isWanted = (entry: TreeEntry | undefined, maxBytes: number): boolean =>
  entry !== undefined && skippedOutcome(entry, maxBytes) === null;

const placeOf = (cursor: string | null): { readonly commit: string; readonly index: number } | null => {
  const [, commit, index] = /^([0-9a-f]+):(\d+)$/.exec(cursor ?? '') ?? [];
  return commit === undefined ? null : { commit, index: Number(index) };
};

/**
 * The outcome of an error that concerns only this file; rethrows all others. A file of a commit cannot be missing:
 * hosts also send 404 when access was revoked, and while one of their replicas lags behind.
 */
const outcomeOf = (error: unknown, maxBytes: number): FetchedItem => {
  if (error instanceof ResponseTooLarge) return tooLarge(maxBytes);
  if (error instanceof SourceUnavailable && error.oneRequest) return failed('not_answered', error.message);
  if (!(error instanceof RequestRefused)) throw error;
  return failed('refused', error.message);
};

const failed = (code: string, message: string): FetchedItem => ({ kind: 'failed', code, message });
