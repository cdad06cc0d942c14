import { createHash } from 'node:crypto';
import {
  type FetchedItem,
  type ListedItem,
  type OpenedFor,
  SourceUnavailable,
} from '../../../application/sources/ingestion/listed/listed-source.ts';
import { wikiPageId } from '../../../domain/ingestion-setting/index.ts';
import { RequestRefused } from '../../http-client/provider-response.ts';
import { pageUrl } from './markdown.ts';
import { filesOf, type HostedFile } from './hosted-file.ts';
import { type WikiBlock, type WikiPage, text } from './objects.ts';
import { pageDocument } from './page-document.ts';
import { type BlockTree, blocksIn, readBlocks, TooManyBlocks, topBlocks } from './read-blocks.ts';
import type { WikiApi } from './wiki-api.ts';

/** What a walk visits next from a page. */
interface Below {
  readonly pages: readonly string[];
  readonly databases: readonly string[];
  readonly files: readonly Pick<HostedFile, 'key' | 'identity'>[];
}

/**
 * The stored version of a page: what detects a later version, and what need not be requested again while there is none.
 */
interface PageVersion extends Below {
  /** Its last edit time, as the wiki reports it. */
  readonly edited: string;
  /** It was read in the minute of that edit: further edits in this minute would have the same time. */
  readonly isFresh: boolean;
  /** Fingerprint of its top-level blocks; empty for a row that was never opened. */
  readonly outline: string;
}

/** Increment when the text is generated in another way. */
const FORMAT = 1;
/** Times are rounded down to the minute, and clocks differ. */
const ROUNDED_MS = 60_000;
const LEEWAY_MS = 30_000;

const SHOWN_BY_TITLE: ReadonlySet<string> = new Set(['child_page', 'child_database']);

const outlineOf = (top: readonly WikiBlock[]): string => {
  const hash = createHash('sha256');
  for (const { id, type, lastEdited, hasChildren, content } of top) {
    // The page only shows the title of a child page.
    const shown = SHOWN_BY_TITLE.has(type) ? text(content['title']) : `${lastEdited} ${hasChildren}`;
    hash.update(`${JSON.stringify([id, shown])}\n`);
  }
  return hash.digest('base64url').slice(0, 22);
};

/** @param now Unix milliseconds, when the reading began */
const isFreshAt = (edited: string, now: number): boolean => {
  const at = Date.parse(edited);
  return Number.isNaN(at) || now < at + ROUNDED_MS + LEEWAY_MS;
};

/** @param now Unix milliseconds: makes the fingerprint of a fresh page unique */
const writeVersion = (version: PageVersion, now: number): string => {
  const { edited, isFresh, outline, pages, databases, files } = version;
  const named = files.map(({ key, identity }) => [key, identity]);
  return JSON.stringify([FORMAT, edited, isFresh ? now : 0, outline, pages, databases, named]);
};

/** Null when unreadable, for example written by another version of this service. */
const readVersion = (fingerprint: string | null): PageVersion | null => {
  if (fingerprint?.startsWith(`[${FORMAT},`) !== true) return null;
  const [, edited, freshAt, outline, pages, databases, named] = JSON.parse(fingerprint) as Written;
  const files = named.map(([key, identity]) => ({ key, identity }));
  return { edited, isFresh: freshAt !== 0, outline, pages, databases, files };
};
type Written = readonly [
  format: number,
  edited: string,
  freshAt: number,
  outline: string,
  pages: readonly string[],
  databases: readonly string[],
  files: readonly (readonly [key: string, identity: string])[],
];

/** The page to process. */
export interface PageToRead {
  readonly id: string;
  /** Null when it must be requested. */
  readonly page: WikiPage | null;
  /** Its last edit time, if known without the page. */
  readonly edited: string | null;
  /** Whether it is a row of a database. */
  readonly isRow: boolean;
}

export interface ReadPage {
  /** Null when it is in the trash. */
  readonly item: ListedItem | null;
  /** Null when it is unchanged, and was not read. */
  readonly outcome: FetchedItem | null;
  readonly below: Below;
  /** Files whose URLs are currently valid. */
  readonly files: readonly HostedFile[];
  /** Edit times of pages below, as far as seen. */
  readonly edits: ReadonlyMap<string, string>;
  /** The wiki did not respond. */
  readonly isUnanswered: boolean;
}

export type Known = Awaited<ReturnType<OpenedFor['known']>>;

export interface PageReader {
  readonly api: WikiApi;
  readonly maxBytes: number;
  readonly now: () => number;
}

const NOTHING: Below = { pages: [], databases: [], files: [] };
const seenPage = (more: Partial<ReadPage>): ReadPage => ({
  item: null,
  outcome: null,
  below: NOTHING,
  files: [],
  edits: new Map(),
  isUnanswered: false,
  ...more,
});

/**
 * Reads a page unless it is unchanged. A page is unchanged when its edit time and its top-level blocks are: these
 * contain the pages below it, which may be added and removed without changing the edit time. For a row without pages
 * below it the edit time suffices, which its database reports for a hundred rows at once.
 *
 * @param known null forces reading
 */
export const readWikiPage = async (
  reader: PageReader,
  sight: PageToRead,
  known: Known | null,
  signal: AbortSignal,
): Promise<ReadPage> => {
  const { id } = sight;
  if (wikiPageId(id) === null) return failed(id, NOTHING, 'invalid_id', 'the wiki gives it an invalid id');
  const was = known?.get(id);
  const before = readVersion(was?.fingerprint ?? null);
  try {
    const trusted = was?.failed === true ? null : before;
    return await readUnlessSame(reader, sight, trusted, was?.fingerprint ?? '', signal);
  } catch (error) {
    if (error instanceof TooManyBlocks) return failed(id, before ?? NOTHING, 'too_large', error.message);
    if (error instanceof SourceUnavailable && error.oneRequest)
      return { ...failed(id, before ?? NOTHING, 'not_answered', error.message), isUnanswered: true };
    if (!(error instanceof RequestRefused)) throw error;
    if (!LOST.has(error.status)) return failed(id, before ?? NOTHING, 'refused', error.message);
    return notFoundResult(id, (was?.fingerprint ?? null) !== null, error);
  }
};

/** Deleted, or not shared. */
const LOST: ReadonlySet<number> = new Set([404, 410]);

const failed = (id: string, below: Below, code: string, message: string): ReadPage =>
  seenPage({
    item: { locator: id, fingerprint: 'failed' },
    outcome: { kind: 'failed', code, message, url: pageUrl(id) },
    // The pages below it are visited nevertheless.
    below: { ...below, files: [] },
  });

/** The page was deleted, or is no longer shared: a known page is removed, an unknown one is listed as an error. */
export const notFoundResult = (id: string, isKnown: boolean, { message }: RequestRefused): ReadPage => {
  const why = `${message}: it is not shared with the integration, or was deleted`;
  const outcome: FetchedItem = isKnown
    ? { kind: 'gone' }
    : { kind: 'failed', code: 'not_shared', message: why, url: pageUrl(id) };
  return seenPage({ item: { locator: id, fingerprint: outcome.kind }, outcome });
};

const readUnlessSame = async (
  { api, maxBytes, now }: PageReader,
  { id, page: given, edited: told, isRow }: PageToRead,
  before: PageVersion | null,
  fingerprint: string,
  signal: AbortSignal,
): Promise<ReadPage> => {
  const began = now();
  const page = given ?? (told === null ? await api.page(id, signal) : null);
  if (page?.inTrash === true) return seenPage({});
  // The text may be newer than this time: then it is read once more next time.
  const edited = page?.lastEdited ?? told ?? '';
  const isSame = before !== null && !before.isFresh && before.edited === edited;
  const item = { locator: id, fingerprint };
  if (isSame && isRow && !leadsOn(before)) return seenPage({ item, below: before });
  const top = await topBlocks(api, id, signal);
  const outline = outlineOf(top);
  if (isSame && before.outline === outline) return seenPage({ item, below: before, edits: editsIn(top) });
  const read = page ?? (await api.page(id, signal));
  const trees = await readBlocks(api, top, signal);
  const files = filesOf(read, trees);
  const below = { ...pagesIn(trees), files };
  const version = { edited, isFresh: isFreshAt(edited, began), outline, ...below };
  return seenPage({
    item: { locator: id, fingerprint: writeVersion(version, began) },
    outcome: pageDocument(read, trees, maxBytes),
    below,
    files,
    edits: editsIn([...blocksIn(trees)].map(({ block }) => block)),
  });
};

const leadsOn = ({ pages, databases }: Below): boolean => pages.length + databases.length > 0;

/** A page has only one location: pages in copies belong to the original. */
const pagesIn = (trees: readonly BlockTree[]): Pick<Below, 'pages' | 'databases'> => {
  const own = [...blocksIn(trees)].flatMap(({ block, isCopy }) => (isCopy ? [] : block));
  const ids = (type: string): readonly string[] =>
    own.filter((block) => block.type === type).map(({ id }) => id);
  return { pages: ids('child_page'), databases: ids('child_database') };
};

const editsIn = (blocks: readonly WikiBlock[]): ReadonlyMap<string, string> =>
  new Map(blocks.flatMap(({ id, type, lastEdited }) => (type === 'child_page' ? [[id, lastEdited]] : [])));
