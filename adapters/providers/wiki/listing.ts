import {
  type FetchedUnit,
  type ListedUnit,
  type Listing,
  type OpenedFor,
  SourceAway,
} from '../../../application/sources/ingestion/listed/listed-source.ts';
import { lengthOf } from '../../../application/sources/ingestion/read-documents.ts';
import { isBelow } from './ancestry.ts';
import { fetchFile, fileLocator, fileOfLocator } from './fetch-file.ts';
import type { HostedFile } from './hosted-file.ts';
import { knownAhead } from './known-ahead.ts';
import { type Known, lookAtPage, type PageReader, type SeenPage } from './look-at-page.ts';
import { readPlaces, writePlaces } from './places.ts';
import type { Root } from './root.ts';
import { createWalk } from './walk.ts';
import type { ProviderClient } from '../../http-client/client.ts';

/**
 * A page of the listing ends with whichever comes first: what is read for it is held until it is fetched, and read again
 * where the process dies before.
 */
const UNITS = 100;
const HELD_BYTES = 8 * 1024 ** 2;
const LONGEST_MS = 10_000;

interface ListingOptions extends PageReader {
  readonly root: Root;
  readonly includeChildren: boolean;
  readonly storage: ProviderClient;
  readonly opened: Pick<OpenedFor, 'known' | 'afresh'>;
}

/**
 * The pages below a root, and their files. A page is read while it is listed, because what is below it is in it; what was
 * read is held until it is fetched.
 */
export const wikiListing = (options: ListingOptions): Listing => {
  const outcomes = new Map<string, FetchedUnit>();
  const files = new Map<string, HostedFile>();
  const hold = (id: string, { unit, outcome, below, files: found }: SeenPage): readonly ListedUnit[] => {
    if (unit === null) return [];
    if (outcome !== null) outcomes.set(id, outcome);
    for (const file of found) files.set(fileLocator(id, file.key), file);
    const attached = below.files.map(({ key, identity }) => ({
      locator: fileLocator(id, key),
      fingerprint: identity,
    }));
    return [unit, ...attached];
  };
  const opened = { ...options.opened, ...knownAhead(options.opened) };
  const walk = createWalk({ ...options, opened }, hold);
  const read = async (id: string, signal: AbortSignal): Promise<readonly ListedUnit[]> => {
    const sight = { id, page: null, edited: null, isRow: false };
    return hold(id, await lookAtPage(options, sight, NONE, signal));
  };
  return {
    list: async (cursor, signal) => {
      outcomes.clear();
      files.clear();
      const places = cursor === null ? [walk.start()] : [...readPlaces(cursor)];
      opened.walk(places);
      const units: ListedUnit[] = [];
      const until = options.now() + LONGEST_MS;
      while (places.length > 0 && units.length < UNITS && heldBytes(outcomes) < HELD_BYTES) {
        if (units.length > 0 && options.now() >= until) break;
        signal.throwIfAborted();
        try {
          units.push(...(await walk.step(places, signal)));
        } catch (error) {
          // What was read by now is kept; the next page of the listing meets the same.
          if (units.length === 0 || !(error instanceof SourceAway)) throw error;
          break;
        }
      }
      return { units, next: places.length === 0 ? null : writePlaces(places) };
    },
    find: async (locators, signal) => {
      const found = new Map<string, ListedUnit>();
      const pages = new Set(locators.map((locator) => fileOfLocator(locator)?.pageId ?? locator));
      for (const id of pages) {
        if (!(await isBelow(options, id, signal))) continue;
        for (const unit of await read(id, signal)) found.set(unit.locator, unit);
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

const heldBytes = (outcomes: ReadonlyMap<string, FetchedUnit>): number =>
  outcomes.values().reduce((sum, one) => sum + (one.kind === 'document' ? lengthOf(one.document) : 0), 0);

const NONE: Known = new Map();
