import type { Filter } from '../../domain/filter/filter.ts';

/** What a key reaches: its tenant, and unless `only` is null, nothing outside these source groups. */
export interface GroupScope {
  readonly tenant: string;
  readonly only: readonly string[] | null;
}

/**
 * Whose catalog is read. Nothing of another tenant is ever seen, nothing of a data source whose deletion was
 * requested, and, unless `only` is null, nothing outside these source groups: an empty list sees nothing. What may not
 * be seen is treated as absent: it is not ranked, not counted, and no cursor.
 */
export interface CatalogScope extends GroupScope {
  /** Null: no policy is asked. */
  readonly access: Access | null;
}

/**
 * What a policy allows one principal. A content is seen when its source satisfies `sources` and itself `chunks`. A source
 * is seen when it satisfies `sources` and, where `chunks` asks anything, one of its contents is seen.
 */
export interface Access {
  readonly sources: Filter;
  readonly chunks: Filter;
}

/** Whether a source may be seen in part: what is made from all of its text then tells too much. */
export const judgesChunks = ({ access }: CatalogScope): boolean =>
  access !== null && access.chunks.parts.length > 0;
