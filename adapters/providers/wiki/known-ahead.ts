import type { OpenedFor } from '../../../application/sources/ingestion/listed/listed-source.ts';
import { wikiPageId } from '../../../domain/ingestion-setting/index.ts';
import type { Place } from './places.ts';

/** As many as are looked at for one page of a listing. */
const AT_ONCE = 100;

export interface KnownAhead extends Pick<OpenedFor, 'known'> {
  /** What is known is asked anew, and for those that a walk comes to next, which are the last of `places`. */
  readonly walk: (places: readonly Place[]) => void;
}

/** Asks what is known of many pages at once: a walk looks at them one by one, and would ask as often. */
export const knownAhead = ({ known }: Pick<OpenedFor, 'known'>): KnownAhead => {
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
