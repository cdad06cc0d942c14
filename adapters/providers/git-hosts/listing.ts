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
import { fetchedFile, gitBlobName, leftOut, nameIn, readBlob, tooLarge } from './files.ts';
import type { FoundCommit, TreeEntry } from './tree.ts';
import { type RepositoryApi, encodedPath } from './repository-api.ts';
import { type Spool, TarBroken, filesOfTar, openSpool } from './archive.ts';

const MAX_ARCHIVE_BYTES = 1024 ** 3;
const MAX_SPOOLED_BYTES = 2 * 1024 ** 3;
/** Of a bomb, a thousand times as much could come out. */
const MAX_INFLATED_BYTES = 8 * 1024 ** 3;

/**
 * Puts the wanted blobs of a commit into the spool, by one request, as far as its archive has them: it leaves out paths
 * (`export-ignore`), changes files (`export-subst`), may be cut or be no archive at all. So only what has the hash of a
 * wanted blob is taken, and what is missing afterwards is no fault.
 *
 * @param wanted their hashes, and how many bytes each has at most
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

/** Wrong with this archive, and with nothing else. */
const isOfTheArchive = (error: unknown): boolean =>
  error instanceof TarBroken ||
  error instanceof ResponseTooLarge ||
  error instanceof RequestRefused ||
  (!(error instanceof ConnectionBroken) && String((error as { code?: unknown }).code).startsWith('Z_'));

/** Items of a page of the listing. */
const PAGE = 1_000;
/** More files than this come faster, and with one request, in an archive. */
const ARCHIVE_ABOVE = 100;
/** So many requests in a row without an answer, and it is the host that is away. */
const MAX_UNANSWERED = 10;

export interface Snapshot {
  readonly commit: string;
  /** Those that pass the filters of paths, in their order. */
  readonly entries: readonly TreeEntry[];
}

interface ListingOptions {
  readonly api: RepositoryApi;
  /** `newest` was listed by an earlier job already, under the same parameters. */
  readonly unchanged: boolean;
  /** What the reference means now; null: the repository has no commit. */
  readonly newest: FoundCommit | null;
  readonly at: (commit: string, signal: AbortSignal) => Promise<Snapshot>;
  /** Null: that commit is there no more. */
  readonly earlier: (commit: string, signal: AbortSignal) => Promise<Snapshot | null>;
  readonly markOf: (commit: FoundCommit) => string;
  /** Where people read the repository. */
  readonly web: string;
  /** Of a file. */
  readonly maxBytes: number;
}

/**
 * The files of a repository at one commit. A listing that was broken off goes on at the commit where it began, so that
 * all of a job is of one state.
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
      // Of equal names the first counts.
      for (const entry of found.entries.toReversed()) byPath.set(entry.path, entry);
      snapshot = found;
    }
    return found.entries;
  };
  /** The commit of a broken listing where it is there still, else the newest. */
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
      const without = leftOut(entry, maxBytes);
      if (without !== null) return about(without);
      try {
        return about(await fetchFile(entry, signal));
      } catch (error) {
        unanswered = error instanceof SourceUnavailable ? unanswered + 1 : 0;
        if (unanswered >= MAX_UNANSWERED) throw error;
        return about(outcomeOf(error, maxBytes));
      }
    },
    close: async () => spool?.close(),
  };
};

const itemOf = ({ path, kind, sha }: TreeEntry): ListedItem => ({
  locator: path,
  // Bytes that are the same are another thing as the target of a link.
  fingerprint: kind === 'file' ? sha : `${kind} ${sha}`,
});

const isWanted = (entry: TreeEntry | undefined, maxBytes: number): boolean =>
  entry !== undefined && leftOut(entry, maxBytes) === null;

const placeOf = (cursor: string | null): { readonly commit: string; readonly index: number } | null => {
  const [, commit, index] = /^([0-9a-f]+):(\d+)$/.exec(cursor ?? '') ?? [];
  return commit === undefined ? null : { commit, index: Number(index) };
};

/**
 * What meets this file alone; all else is thrown. A file of a commit cannot be gone: hosts also answer 404 to those who may
 * not read it any more, and while a copy of theirs lags behind.
 */
const outcomeOf = (error: unknown, maxBytes: number): FetchedItem => {
  if (error instanceof ResponseTooLarge) return tooLarge(maxBytes);
  if (error instanceof SourceUnavailable && error.oneRequest) return failed('not_answered', error.message);
  if (!(error instanceof RequestRefused)) throw error;
  return failed('refused', error.message);
};

const failed = (code: string, message: string): FetchedItem => ({ kind: 'failed', code, message });
