import type { Page, PageRequest } from '../../ports/page.ts';

export interface PageArguments {
  readonly limit?: number;
  readonly after?: string;
}
export interface Pagination {
  readonly limit: number;
  readonly hasMore: boolean;
  readonly total: number;
  readonly nextId?: string;
}

export const pageOf = ({ limit = 20, after }: PageArguments): PageRequest =>
  after === undefined ? { limit } : { limit, after: after.toLowerCase() };

export const paginationOf = (
  { rows, hasMore, total }: Page<{ readonly id: string }>,
  { limit }: PageRequest,
): Pagination => {
  const last = rows.at(-1);
  return { limit, hasMore, total, ...(hasMore && last !== undefined && { nextId: last.id }) };
};
