import {
  type ListedUnit,
  SourceAway,
  SourceRefused,
} from '../../application/ingestion/listed/listed-source.ts';
import type { OpenedFor } from '../../application/ingestion/listed/listed-source.ts';
import { RequestRefused } from '../provider/refusal.ts';
import { type Known, lookAtPage, lostAt, type PageReader, type SeenPage } from './look-at-page.ts';
import { wikiPageId } from '../../domain/ingestion-setting/index.ts';
import type { Place } from './places.ts';
import type { Root } from './root.ts';
import type { RowsPage } from './wiki-api.ts';

/** No page of people's own lies deeper. */
const MOST_LEVELS = 100;
/** So many pages in a row without an answer, and it is the wiki that is away. */
const MOST_UNANSWERED = 10;

type RowsPlace = Extract<Place, { kind: 'rows' }>;

interface WalkOptions extends PageReader {
  readonly root: Root;
  readonly includeChildren: boolean;
  readonly opened: Pick<OpenedFor, 'known' | 'afresh'>;
}

/** A walk through the pages below a root, depth first, one place at a time. */
export interface Walk {
  readonly start: () => Place;
  /**
   * Looks at the last of the places, and puts what it leads to in its stead; an error leaves them as they are. Answers
   * the units that it found.
   */
  readonly step: (places: Place[], signal: AbortSignal) => Promise<readonly ListedUnit[]>;
}

export const createWalk = (
  options: WalkOptions,
  hold: (id: string, seen: SeenPage) => readonly ListedUnit[],
): Walk => {
  const { api, root, opened, includeChildren } = options;
  const visited = new Set<string>();
  /** Pages of rows that are under way, and what is known of these rows. */
  const answers = new Map<string, { readonly page: RowsPage; readonly known: Known }>();
  let unanswered = 0;

  const leadTo = (places: Place[], next: readonly Place[]): void => {
    const allowed = next.filter(
      ({ kind, level }) => (includeChildren || kind === 'rows') && level <= MOST_LEVELS,
    );
    places.push(...allowed.toReversed());
  };
  const lookAt = async (
    sight: Parameters<typeof lookAtPage>[1],
    known: Known,
    signal: AbortSignal,
  ): Promise<SeenPage> => {
    const seen = await lookAtPage(options, sight, opened.afresh ? untrusted(known) : known, signal);
    unanswered = seen.isUnanswered ? unanswered + 1 : 0;
    if (unanswered >= MOST_UNANSWERED) throw new SourceAway('the wiki does not answer');
    visited.add(sight.id);
    return seen;
  };
  const knownOf = (ids: readonly string[]) => opened.known(ids.filter((id) => wikiPageId(id) !== null));

  const stepToPage = async (
    places: Place[],
    place: Extract<Place, { kind: 'page' }>,
    signal: AbortSignal,
  ) => {
    const { id, edited, level } = place;
    const isRoot = root.kind === 'page' && root.page.id === id;
    const sight = { id, page: isRoot ? root.page : null, edited, isRow: false };
    const seen = await lookAt(sight, await knownOf([id]), signal);
    places.pop();
    leadTo(places, placesBelow(seen, level + 1));
    return hold(id, seen);
  };
  const stepToDatabase = async (places: Place[], { id, level }: Place, signal: AbortSignal) => {
    const isRoot = root.kind === 'database' && root.database.id === id;
    try {
      const { dataSources, inTrash } = isRoot ? root.database : await api.database(id, signal);
      places.pop();
      visited.add(id);
      leadTo(places, inTrash ? [] : dataSources.map((one) => rowsOf(one, level + 1)));
      return [];
    } catch (error) {
      return lost(places, id, error);
    }
  };
  /** A database that is a view of another one, or is not shared, is one error; so is one whose rows are not. */
  const lost = async (places: Place[], id: string, error: unknown) => {
    if (!(error instanceof RequestRefused) || wikiPageId(id) === null) throw error;
    const known = await knownOf([id]);
    places.pop();
    visited.add(id);
    const isKnown = (known.get(id)?.fingerprint ?? null) !== null;
    return hold(id, lostAt(id, isKnown, error));
  };
  const rowsAt = async (place: RowsPlace, signal: AbortSignal) => {
    const { id, cursor, since } = place;
    const key = JSON.stringify([id, cursor, since]);
    const held = answers.get(key);
    if (held !== undefined) return held;
    const page = await api.rows({ dataSourceId: id, cursor, since }, signal);
    const answer = { page, known: await knownOf(page.rows.map((row) => row.id)) };
    // Rows may lead to databases of their own: few are under way at once.
    answers.set(key, answer);
    return answer;
  };
  const stepToRow = async (places: Place[], place: RowsPlace, signal: AbortSignal) => {
    const { page, known } = await rowsAt(place, signal);
    const row = page.rows[place.done];
    if (row === undefined) {
      answers.delete(JSON.stringify([place.id, place.cursor, place.since]));
      places.pop();
      leadTo(places, rowsBehind(place, page));
      return [];
    }
    const behind = { ...place, done: place.done + 1 };
    if (visited.has(row.id)) return (places.splice(-1, 1, behind), []);
    const seen = await lookAt({ id: row.id, page: row, edited: null, isRow: true }, known, signal);
    places.splice(-1, 1, behind);
    leadTo(places, placesBelow(seen, place.level + 1));
    return hold(row.id, seen);
  };

  return {
    start: () =>
      root.kind === 'page'
        ? { kind: 'page', id: root.page.id, edited: null, level: 0 }
        : { kind: 'database', id: root.database.id, level: 0 },
    step: async (places, signal) => {
      const place = places.at(-1)!;
      if (place.kind === 'rows')
        return stepToRow(places, place, signal).catch((error: unknown) => {
          if (place.cursor !== null && isStale(error)) {
            places.splice(-1, 1, { ...place, cursor: null, done: 0 });
            return [];
          }
          return lost(places, place.id, error);
        });
      if (visited.has(place.id)) return (places.pop(), []);
      return place.kind === 'page'
        ? stepToPage(places, place, signal)
        : stepToDatabase(places, place, signal);
    },
  };
};

/** A cursor of long ago is not taken any more. */
const isStale = (error: unknown): boolean => error instanceof RequestRefused && error.status === 400;

/** What leads on from them counts, so that a page that cannot be read hides nothing; but each is read. */
const untrusted = (known: Known): Known =>
  new Map([...known].map(([id, { fingerprint }]) => [id, { fingerprint, failed: true }]));

const rowsOf = (id: string, level: number): RowsPlace => ({
  kind: 'rows',
  id,
  cursor: null,
  since: null,
  isCut: false,
  done: 0,
  level,
});

const placesBelow = ({ below, edits }: SeenPage, level: number): readonly Place[] => [
  ...below.pages.map((id): Place => ({ kind: 'page', id, edited: edits.get(id) ?? null, level })),
  ...below.databases.map((id): Place => ({ kind: 'database', id, level })),
];

/** A query answers ten thousand rows: the others begin where its last one was created. */
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
