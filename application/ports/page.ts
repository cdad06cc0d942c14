import { DomainError } from '../../domain/shared/domain-error.ts';

/** One page of a list. Paging is by key: `after` is exclusive. `total` comes from a counter. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
  readonly total: number;
  /** The cursor of the next page. Default: that of the last row. */
  readonly next?: string;
}
export interface PageRequest {
  /** 1 to 100. */
  readonly limit: number;
  /**
   * Id of the last record of the previous page. Every list throws DomainError `invalid_cursor` for an id that names no
   * record which the caller sees in the list, or saw until it was removed: the position in the list would be a guess.
   */
  readonly after?: string;
}

export const unknownCursor = (after: string): DomainError =>
  new DomainError('invalid_cursor', `there is no record ${after.slice(0, 200)} in this list`);
