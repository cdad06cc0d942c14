import type { Page, PageRequest } from '../../application/ports/page.ts';
import { HttpProblem } from './problem.ts';

/** A list's query: `next_id`, as the answer names the cursor, is taken for `after`. */
export interface ListQuery {
  readonly limit?: number;
  readonly after?: string;
  readonly next_id?: string;
}

/** @throws HttpProblem invalid_cursor when both names are given and differ */
export const cursorOf = (after: string | undefined, alias: string | undefined): string | undefined => {
  if (after !== undefined && alias !== undefined && after !== alias) {
    throw new HttpProblem(
      'invalid_cursor',
      'next_id is another name of the same cursor: send one of the two',
    );
  }
  return after ?? alias;
};

/** The page asked for, by UUID. */
export const pageRequestOf = ({ limit = 20, after, next_id: nextId }: ListQuery): PageRequest => {
  const cursor = cursorOf(after?.toLowerCase(), nextId?.toLowerCase());
  return cursor === undefined ? { limit } : { limit, after: cursor };
};

/** The pagination object: `next_id` is the cursor of the last row, absent on the last page. */
export const paginationOf = <Row>(
  { rows, hasMore, total }: Page<Row>,
  limit: number,
  cursor: (row: Row) => string,
): { limit: number; has_more: boolean; total: number; next_id?: string } => {
  const last = rows.at(-1);
  return { limit, has_more: hasMore, total, ...(hasMore && last !== undefined && { next_id: cursor(last) }) };
};
