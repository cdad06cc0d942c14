/** What is wrong with a value, in words that name the places; none: it fits. At most twenty. */
export type FindProblems = (value: unknown) => readonly string[];

/** Compiles JSON Schemas (draft 2020-12) that callers wrote. */
export interface SchemaCompiler {
  /**
   * Takes what is checked in bounded time: keywords of validation without regular expressions, references to `$defs` of
   * the same schema only, no recursion, bounded in size, depth, and size with all references written out. Nothing is
   * ever fetched.
   *
   * @throws DomainError `schema_invalid` with the place and the reason
   */
  readonly compile: (schema: Readonly<Record<string, unknown>>) => FindProblems;
}
