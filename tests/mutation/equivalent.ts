/** A mutant that no test can tell from the program. */
export interface Equivalent {
  readonly file: string;
  /** What was replaced, and by what, as the report prints it. */
  readonly code: string;
  readonly by: string;
  readonly why: string;
}

export const EQUIVALENT: readonly Equivalent[] = [];
