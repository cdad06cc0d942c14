/** One page of a list, paged by key: `after` is exclusive, `total` comes from a counter. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly has_more: boolean;
  readonly total: number;
}
export interface PageRequest {
  /** 1 to 100. */
  readonly limit: number;
  /** Id of the last record of the page before. */
  readonly after?: string;
}
