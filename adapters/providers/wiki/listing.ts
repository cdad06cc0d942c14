import {
  type FetchedItem,
  type ListedItem,
  type Listing,
  type OpenedFor,
  SourceUnavailable,
} from '../../../application/sources/ingestion/listed/listed-source.ts';
import { lengthOf } from '../../../application/sources/ingestion/read-documents.ts';
import { fetchFile, fileLocator, fileOfLocator } from './fetch-file.ts';
import type { HostedFile } from './hosted-file.ts';
import { type Known, readWikiPage, type PageReader, type ReadPage } from './read-page.ts';
import { readPlaces, writePlaces, type Place } from './places.ts';
import type { Root } from './root.ts';
import { createWalk } from './walk.ts';
import type { ProviderClient } from '../../http-client/client.ts';
import { RequestRefused } from '../../http-client/provider-response.ts';
import type { WikiParent } from './objects.ts';
import type { WikiApi } from './wiki-api.ts';
import { wikiPageId } from '../../../domain/ingestion-setting/index.ts';

/** The number of items that are processed for one page of a listing. */
const AT_ONCE = 100;

interface KnownAhead extends Pick<OpenedFor, 'known'> {
  /** Loads what is known of the places that a walk visits next, which are the last of `places`. */
  readonly walk: (places: readonly Place[]) => void;
}

/** Loads what is known of many pages in one query: a walk visits them one by one, and would query each. */
const knownAhead = ({ known }: Pick<OpenedFor, 'known'>): KnownAhead => {
  let ahead: readonly Place[] = [];
  let asked: ReadonlySet<string> = new Set();
  let found: Awaited<ReturnType<OpenedFor['known']>> = new Map();
  const idsAhead = (): readonly string[] =>
    ahead.slice(-AT_ONCE).flatMap(({ kind, id }) => (kind === 'page' && wikiPageId(id) !== null ? [id] : []));
  return {
    walk: (places) => {
      ahead = places;
      asked = new Set();
    },
    known: async (locators) => {
      if (!locators.every((locator) => asked.has(locator))) {
        const ids = new Set([...locators, ...idsAhead()]);
        found = await known([...ids]);
        asked = ids;
      }
      return new Map(
        locators.flatMap((locator) => {
          const one = found.get(locator);
          return one === undefined ? [] : [[locator, one] as const];
        }),
      );
    },
  };
};

const MAX_LEVELS = 100;

/** Whether a page is the root, or is below it: the integration may also see other pages. */
const isBelow = async (
  of: { readonly api: WikiApi; readonly root: Root; readonly includeChildren: boolean },
  id: string,
  signal: AbortSignal,
): Promise<boolean> => {
  const root = of.root.kind === 'page' ? of.root.page.id : of.root.database.id;
  if (id === root) return of.root.kind === 'page';
  try {
    let { parent } = await of.api.page(id, signal);
    // Without children, the data source contains only the page itself, or the rows of a database.
    if (!of.includeChildren) return of.root.kind === 'database' && parent.id === root;
    for (let level = 0; level < MAX_LEVELS; level += 1) {
      if (parent.id === root) return true;
      const next = await parentOf(of.api, parent, signal);
      if (next === null) return false;
      parent = next;
    }
    return false;
  } catch (error) {
    if (error instanceof RequestRefused) return false;
    throw error;
  }
};

const parentOf = async (
  api: WikiApi,
  { type, id }: WikiParent,
  signal: AbortSignal,
): Promise<WikiParent | null> => {
  switch (type) {
    case 'page_id':
      return above(await api.page(id, signal));
    case 'block_id':
      return above(await api.block(id, signal));
    case 'database_id':
      return above(await api.database(id, signal));
    default:
      return null;
  }
};

/** The trash also contains everything below a deleted page. */
const above = (one: { readonly inTrash: boolean; readonly parent: WikiParent }): WikiParent | null =>
  one.inTrash ? null : one.parent;

/**
 * A page of the listing ends at the first of these limits: what was read for it is held in memory until it is fetched,
 * and read again if the process dies before.
 */
const PAGE_ITEMS = 100;
const HELD_BYTES = 8 * 1024 ** 2;
const LONGEST_MS = 10_000;

interface ListingOptions extends PageReader {
  readonly root: Root;
  readonly includeChildren: boolean;
  readonly storage: ProviderClient;
  readonly opened: Pick<OpenedFor, 'known' | 'readAll'>;
}

/**
 * Lists the pages below a root, and their files. A page is read while it is listed, because its blocks contain the
 * pages below it; the result is held until it is fetched.
 */
export const wikiListing = (options: ListingOptions): Listing => {
  const outcomes = new Map<string, FetchedItem>();
  const files = new Map<string, HostedFile>();
  const hold = (id: string, { item, outcome, below, files: found }: ReadPage): readonly ListedItem[] => {
    if (item === null) return [];
    if (outcome !== null) outcomes.set(id, outcome);
    for (const file of found) files.set(fileLocator(id, file.key), file);
    const attached = below.files.map(({ key, identity }) => ({
      locator: fileLocator(id, key),
      fingerprint: identity,
    }));
    return [item, ...attached];
  };
  const opened = { ...options.opened, ...knownAhead(options.opened) };
  const walk = createWalk({ ...options, opened }, hold);
  const read = async (id: string, signal: AbortSignal): Promise<readonly ListedItem[]> => {
    const sight = { id, page: null, edited: null, isRow: false };
    return hold(id, await readWikiPage(options, sight, NONE, signal));
  };
  return {
    list: async (cursor, signal) => {
      outcomes.clear();
      files.clear();
      const places = cursor === null ? [walk.start()] : [...readPlaces(cursor)];
      opened.walk(places);
      const items: ListedItem[] = [];
      const until = options.now() + LONGEST_MS;
      while (places.length > 0 && items.length < PAGE_ITEMS && heldBytes(outcomes) < HELD_BYTES) {
        if (items.length > 0 && options.now() >= until) break;
        signal.throwIfAborted();
        try {
          items.push(...(await walk.step(places, signal)));
        } catch (error) {
          // What was read by now is returned; the next page of the listing meets the same error.
          if (items.length === 0 || !(error instanceof SourceUnavailable)) throw error;
          break;
        }
      }
      return { items, next: places.length === 0 ? null : writePlaces(places) };
    },
    find: async (locators, signal) => {
      const found = new Map<string, ListedItem>();
      const pages = new Set(locators.map((locator) => fileOfLocator(locator)?.pageId ?? locator));
      for (const id of pages) {
        if (!(await isBelow(options, id, signal))) continue;
        for (const item of await read(id, signal)) found.set(item.locator, item);
      }
      return locators.map((locator) => found.get(locator) ?? null);
    },
    fetch: async ({ locator }, signal) => {
      const outcome = outcomes.get(locator);
      if (outcome !== undefined) return outcome;
      const file = fileOfLocator(locator);
      if (file !== null) return fetchFile(options, file, files.get(locator), signal);
      await read(locator, signal);
      return outcomes.get(locator) ?? { kind: 'gone' };
    },
  };
};

const heldBytes = (outcomes: ReadonlyMap<string, FetchedItem>): number =>
  outcomes.values().reduce((sum, one) => sum + (one.kind === 'document' ? lengthOf(one.document) : 0), 0);

const NONE: Known = new Map();
