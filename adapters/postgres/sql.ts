import type { Kysely } from 'kysely';

/** Statements name their tables themselves: the versions of a view lie in schemas whose names are made at run time. */
// oxlint-disable-next-line typescript/no-explicit-any -- the one place that says so
export type AnyTables = any;

/** A pool, a connection or a transaction. */
export type Sql = Kysely<AnyTables>;
