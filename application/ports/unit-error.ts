/** A unit of a data source (a page, a file) that could not be read. */
export interface UnitError {
  readonly locator: string;
  readonly code: string;
  readonly message: string;
  /** Unix milliseconds. */
  readonly at: number;
  readonly attempt: number;
}
