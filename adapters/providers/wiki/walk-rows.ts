import {
  type ListedItem,
  SourceRefused,
} from '../../../application/sources/ingestion/listed/listed-source.ts';
import { RequestRefused } from '../../http-client/refusal.ts';
import type { Known } from './look-at-page.ts';
import type { WikiPage } from './objects.ts';
import type { Place } from './places.ts';
import type { RowsPage, WikiApi } from './wiki-api.ts';

export type RowsPlace = Extract<Place, { kind: 'rows' }>;

interface RowsWalkOptions {
  readonly api: Pick<WikiApi, 'rows'>;
  readonly knownOf: (ids: readonly string[]) => Promise<Known>;
  /** Null: it was looked at already. */
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

export const rowsOf = (id: string, level: number): RowsPlace => ({
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
export const createRowsWalk = ({ api, knownOf, lookAtRow, leadTo }: RowsWalkOptions) => {
  /** Pages of rows that are under way, and what is known of these rows: few, as rows seldom lead to other databases. */
  const answers = new Map<string, { readonly page: RowsPage; readonly known: Known }>();
  /** Data sources that rows stand in for: a wiki of people's own is a database whose rows may be databases. */
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

/** A cursor of long ago is not taken any more. */
const isStale = (error: unknown): boolean => error instanceof RequestRefused && error.status === 400;

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
