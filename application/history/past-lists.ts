import type { LifetimeFilter, Lifetimes } from '../ports/lifetimes.ts';
import type { Page, PageRequest } from '../ports/page.ts';
import type { Moment } from './moment.ts';

/** Records that are folded for one page of a filtered list. */
const MAX_FOLDED = 500;

export type ListPast = <Row>(
  filter: LifetimeFilter,
  page: PageRequest,
  /** The record at the moment; null if it is not shown. */
  rowOf: (id: string) => Promise<Row | null>,
  /** A condition that only the record tells. */
  passes?: (row: Row) => boolean,
) => Promise<Page<Row>>;

/** The number of records that there were. */
export type CountPast = (filter: LifetimeFilter) => Promise<number>;

export const createCountPast =
  (lifetimes: () => Promise<Lifetimes>, moment: Moment): CountPast =>
  async (filter) =>
    (await (await lifetimes()).alive(filter, moment, { limit: 1 })).total;

/**
 * Lists records as they were: the index of lifetimes names those of a page, and each is folded from its streams. A
 * condition on the folded records is applied to at most 500 of them, so that such a page may have fewer records than its
 * limit, and `next` then names where the list goes on. `total` does not know such conditions.
 */
export const createListPast =
  (lifetimes: () => Promise<Lifetimes>, moment: Moment): ListPast =>
  async <Row>(
    filter: LifetimeFilter,
    { limit, after }: PageRequest,
    rowOf: (id: string) => Promise<Row | null>,
    passes?: (row: Row) => boolean,
  ) => {
    const index = await lifetimes();
    const rows: Row[] = [];
    let last = after;
    for (let folded = 0; ;) {
      const size = passes === undefined ? limit - rows.length : 100;
      const page = await index.alive(filter, moment, {
        limit: size,
        ...(last !== undefined && { after: last }),
      });
      const found = await Promise.all(page.ids.map(rowOf));
      for (const [i, row] of found.entries()) {
        last = page.ids[i]!;
        if (row === null || passes?.(row) === false) continue;
        rows.push(row);
        if (rows.length < limit) continue;
        const hasMore = page.hasMore || i + 1 < found.length;
        return { rows, hasMore, total: page.total, next: last };
      }
      folded += found.length;
      const { hasMore, total } = page;
      if (!hasMore || folded >= MAX_FOLDED)
        return { rows, hasMore, total, ...(last !== undefined && { next: last }) };
    }
  };
