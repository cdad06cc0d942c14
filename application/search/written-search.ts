import type { OnBehalfOf } from '../access/authz/access.ts';
import type { Caller } from '../access/caller.ts';
import type { IdSource } from '../ports/identity.ts';
import type { SearchOperations } from './operations.ts';
import { type PlanDeps, planSearch, type Search } from './plan-search.ts';
import type { RetrieveWritten, WriteResults } from './written-results.ts';

/** What `search` finds, as a client is sent it. @throws what `search` throws */
export type WrittenSearch = (caller: Caller, search: Search, onBehalfOf?: OnBehalfOf) => Promise<Uint8Array>;

/**
 * Has answers written where they are found, but for those that a reranker puts into another order.
 */
export const createWrittenSearch =
  ({
    search: found,
    retrieveWritten,
    write,
    ids,
    hasReranker,
    ...deps
  }: PlanDeps & {
    readonly search: SearchOperations['search'];
    readonly retrieveWritten: RetrieveWritten;
    readonly write: WriteResults;
    readonly ids: IdSource;
    readonly hasReranker: boolean;
  }): WrittenSearch =>
  async (caller, search, onBehalfOf = {}) => {
    const { query } = search;
    if (search.rerank) return write(await found(caller, search, onBehalfOf), query);
    const { mode, ...planned } = await planSearch(deps, hasReranker, caller, search, onBehalfOf);
    return retrieveWritten(planned, { query, queryId: ids.newId(), mode });
  };
