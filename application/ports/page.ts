import { DomainError } from '../../domain/shared/domain-error.ts';

/** One page of a list, paged by key: `after` is exclusive, `total` comes from a counter. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
  readonly total: number;
}
export interface PageRequest {
  /** 1 to 100. */
  readonly limit: number;
  /**
   * Id of the last record of the page before. Every list refuses, with DomainError `invalid_cursor`, one that names no
   * record which the caller sees there, or saw until it was removed: a page after it would be a guess.
   */
  readonly after?: string;
}

export const unknownCursor = (after: string): DomainError =>
  new DomainError('invalid_cursor', `there is no record ${after.slice(0, 200)} in this list`);
