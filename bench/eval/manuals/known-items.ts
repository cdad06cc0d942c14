import {
  drawn,
  itemsOf,
  type KnownItem,
  namesBy,
  namesIn,
  pagesOf,
  titleOf,
  withoutShared,
} from '../manual.ts';
import type { Manual } from './manuals.ts';

/** What is drawn of each sort. */
const COUNT = 200;
const SEED = '1';
const NEVER = /(?!)/;
const ALL = /^/;

/** Names and titles of a manual, drawn by lot: those that `npm run eval:questions` draws with `--count 200`. */
export const knownItemsOf = async (
  { pages: read = ALL, names, titles }: Manual,
  folder: string,
): Promise<{ readonly names: readonly KnownItem[]; readonly titles: readonly KnownItem[] }> => {
  const named: [string, string][] = [];
  const titled: [string, string][] = [];
  for await (const page of pagesOf(folder)) {
    if (!read.test(page.path)) continue;
    if (names !== undefined && (names.pages ?? ALL).test(page.path)) {
      const { select, anchor = ALL } = names;
      for (const name of select === undefined ? namesIn(page, anchor) : namesBy(page, select))
        named.push([name, page.path]);
    }
    if (titles !== undefined && (titles.pages ?? ALL).test(page.path))
      titled.push([titleOf(page, titles.end ?? NEVER), page.path]);
  }
  const bare = withoutShared(titled.map(([title]) => title));
  return {
    names: drawn(itemsOf(named), COUNT, SEED),
    titles: drawn(itemsOf(titled.map(([, path], i) => [bare[i]!, path])), COUNT, SEED),
  };
};
