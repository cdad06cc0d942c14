import {
  type ListedItem,
  type OpenedFor,
  SourceUnavailable,
  SourceRefused,
} from '../../../application/sources/ingestion/listed/listed-source.ts';
import { wikiPageId } from '../../../domain/ingestion-setting/index.ts';
import { RequestRefused } from '../../http-client/provider-response.ts';
import {
  type Known,
  type PageToRead,
  type PageReader,
  type ReadPage,
  readWikiPage,
  notFoundResult,
} from './read-page.ts';
import type { WikiPage } from './objects.ts';
import type { Place } from './places.ts';
import type { Root } from './root.ts';
import type { RowsPage, WikiApi } from './wiki-api.ts';

/** Deeper than real pages are nested. */
const MAX_LEVELS = 100;
/** After this many consecutive pages without a response, the wiki counts as unavailable. */
const MAX_CONSECUTIVE_FAILURES = 10;

type PagePlace = Extract<Place, { kind: 'page' }>;

interface WalkOptions extends PageReader {
  readonly root: Root;
  readonly includeChildren: boolean;
  readonly opened: Pick<OpenedFor, 'known' | 'readAll'>;
}

/** A depth-first walk through the pages below a root, one place at a time. */
interface Walk {
  readonly start: () => Place;
  /**
   * Visits the last of the places, and replaces it by what it leads to; an error leaves the places unchanged.
   *
   * @returns the items that it found
   */
  readonly step: (places: Place[], signal: AbortSignal) => Promise<readonly ListedItem[]>;
}

export const createWalk = (
  options: WalkOptions,
  hold: (id: string, seen: ReadPage) => readonly ListedItem[],
): Walk => {
  const { api, root, opened, includeChildren } = options;
  const visited = new Set<string>();
  let unanswered = 0;

  const leadTo = (places: Place[], next: readonly Place[]): void => {
    const allowed = next.filter(
      ({ kind, level }) => (includeChildren || kind === 'rows') && level <= MAX_LEVELS,
    );
    places.push(...allowed.toReversed());
  };
  const lookAt = async (sight: PageToRead, known: Known, signal: AbortSignal): Promise<ReadPage> => {
    const seen = await readWikiPage(options, sight, opened.readAll ? untrusted(known) : known, signal);
    unanswered = seen.isUnanswered ? unanswered + 1 : 0;
    if (unanswered >= MAX_CONSECUTIVE_FAILURES) throw new SourceUnavailable('the wiki does not answer');
    visited.add(sight.id);
    return seen;
  };
  const knownOf = (ids: readonly string[]) => opened.known(ids.filter((id) => wikiPageId(id) !== null));

  const stepToPage = async (places: Place[], { id, edited, level }: PagePlace, signal: AbortSignal) => {
    const isRoot = root.kind === 'page' && root.page.id === id;
    const sight = { id, page: isRoot ? root.page : null, edited, isRow: false };
    const seen = await lookAt(sight, await knownOf([id]), signal);
    places.pop();
    leadTo(places, placesBelow(seen, level + 1));
    return hold(id, seen);
  };
  const stepToDatabase = async (places: Place[], { id, level }: Place, signal: AbortSignal) => {
    const isRoot = root.kind === 'database' && root.database.id === id;
    const { dataSources, inTrash } = isRoot ? root.database : await api.database(id, signal);
    places.pop();
    visited.add(id);
    leadTo(places, inTrash ? [] : dataSources.map((one) => rowsOf(one, level + 1)));
    return [];
  };
  const stepToRow = createRowsWalk({
    api,
    knownOf,
    leadTo,
    lookAtRow: async (row, known, signal) => {
      if (visited.has(row.id)) return null;
      const seen = await lookAt({ id: row.id, page: row, edited: null, isRow: true }, known, signal);
      return { items: hold(row.id, seen), below: (level) => placesBelow(seen, level) };
    },
  });
  /** A database that is a linked view, or is not shared, is one error; so is one whose rows are not readable. */
  const lost = async (places: Place[], id: string, error: unknown) => {
    if (!(error instanceof RequestRefused) || wikiPageId(id) === null) throw error;
    const known = await knownOf([id]);
    places.pop();
    visited.add(id);
    return hold(id, notFoundResult(id, (known.get(id)?.fingerprint ?? null) !== null, error));
  };

  return {
    start: () =>
      root.kind === 'page'
        ? { kind: 'page', id: root.page.id, edited: null, level: 0 }
        : { kind: 'database', id: root.database.id, level: 0, isLate: false },
    step: async (places, signal) => {
      const place = places.at(-1)!;
      if (place.kind !== 'rows' && visited.has(place.id)) return (places.pop(), []);
      if (place.kind === 'page') return stepToPage(places, place, signal);
      const stepping =
        place.kind === 'rows' ? stepToRow(places, place, signal) : stepToDatabase(places, place, signal);
      return stepping.catch((error: unknown) =>
        putOff(places, place, error) ? [] : lost(places, place.id, error),
      );
    },
  };
};

/**
 * A database that does not respond fails the job, because its rows would count as deleted; but it is postponed until
 * everything else is done.
 */
const putOff = (places: Place[], place: Exclude<Place, PagePlace>, error: unknown): boolean => {
  const others = places.some((other) => other !== place && (other.kind === 'page' || !other.isLate));
  if (!(error instanceof SourceUnavailable) || !error.oneRequest || !others) return false;
  places.pop();
  places.unshift({ ...place, isLate: true });
  return true;
};

/** Keeps the known children, so that an unreadable page hides nothing, but forces each page to be read. */
const untrusted = (known: Known): Known =>
  new Map([...known].map(([id, { fingerprint }]) => [id, { fingerprint, failed: true }]));

const placesBelow = ({ below, edits }: ReadPage, level: number): readonly Place[] => [
  ...below.pages.map((id): Place => ({ kind: 'page', id, edited: edits.get(id) ?? null, level })),
  ...below.databases.map((id): Place => ({ kind: 'database', id, level, isLate: false })),
];

type RowsPlace = Extract<Place, { kind: 'rows' }>;

interface RowsWalkOptions {
  readonly api: Pick<WikiApi, 'rows'>;
  readonly knownOf: (ids: readonly string[]) => Promise<Known>;
  /** Null when it was already visited. */
  readonly lookAtRow: (
    row: WikiPage,
    known: Known,
    signal: AbortSignal,
  ) => Promise<{
    readonly items: readonly ListedItem[];
    readonly below: (level: number) => readonly Place[];
  } | null>;
  readonly leadTo: (places: Place[], next: readonly Place[]) => void;
}

const rowsOf = (id: string, level: number): RowsPlace => ({
  kind: 'rows',
  id,
  cursor: null,
  since: null,
  isCut: false,
  done: 0,
  level,
  isLate: false,
});

/** Steps through the rows of data sources: see `Walk.step`. */
const createRowsWalk = ({ api, knownOf, lookAtRow, leadTo }: RowsWalkOptions) => {
  /**
   * Result pages in progress, with what is known of their rows; there are few, because rows seldom lead to other
   * databases.
   */
  const answers = new Map<string, { readonly page: RowsPage; readonly known: Known }>();
  /** Visited data sources: a wiki database may contain databases as rows. */
  const entered = new Set<string>();
  const rowsAt = async (place: RowsPlace, signal: AbortSignal) => {
    const { id, cursor, since } = place;
    entered.add(id);
    const held = answers.get(keyOf(place));
    if (held !== undefined) return held;
    const page = await api.rows({ dataSourceId: id, cursor, since }, signal);
    const answer = { page, known: await knownOf(page.rows.map((row) => row.id)) };
    answers.set(keyOf(place), answer);
    return answer;
  };
  const leave = (places: Place[], place: RowsPlace, page: RowsPage): void => {
    const inner = page.dataSources.filter((id) => !entered.has(id));
    const next = [...inner.map((id) => rowsOf(id, place.level + 1)), ...rowsBehind(place, page)];
    answers.delete(keyOf(place));
    places.pop();
    leadTo(places, next);
  };
  return async (places: Place[], place: RowsPlace, signal: AbortSignal): Promise<readonly ListedItem[]> => {
    try {
      const { page, known } = await rowsAt(place, signal);
      const row = page.rows[place.done];
      if (row === undefined) return (leave(places, place, page), []);
      const seen = await lookAtRow(row, known, signal);
      places.splice(-1, 1, { ...place, done: place.done + 1 });
      if (seen === null) return [];
      leadTo(places, seen.below(place.level + 1));
      return seen.items;
    } catch (error) {
      if (place.cursor === null || !isStale(error)) throw error;
      places.splice(-1, 1, { ...place, cursor: null, done: 0 });
      return [];
    }
  };
};

const keyOf = ({ id, cursor, since }: RowsPlace): string => JSON.stringify([id, cursor, since]);

/** An old cursor is refused. */
const isStale = (error: unknown): boolean => error instanceof RequestRefused && error.status === 400;

/** A query returns at most ten thousand rows: a new query begins at the creation time of the last one. */
const rowsBehind = (place: RowsPlace, { rows, next, isCut }: RowsPage): readonly Place[] => {
  const wasCut = place.isCut || isCut;
  if (next !== null) return [{ ...place, cursor: next, isCut: wasCut, done: 0 }];
  if (!wasCut) return [];
  const since = rows.at(-1)?.created ?? null;
  if (since !== null && since !== place.since) return [{ ...rowsOf(place.id, place.level), since }];
  const message =
    'a database of the wiki has more rows of one minute than the wiki answers: nothing is removed';
  throw new SourceRefused('too_many_rows', 'Too large', message);
};
