import type { RedactionRule } from '../../domain/redaction/index.ts';
import type { Retrieve } from '../../application/search/retrieve.ts';
import type { SearchRequest, SearchResult } from '../../application/search/retrieval-filter.ts';
import type { RetrieveSerialised } from '../../application/search/serialised-search.ts';
import type { RetrieveInput, RetrieveSerialisedInput } from './search-operations.ts';
import type { ThreadPool } from './thread-pool.ts';

export interface SearchThreads {
  readonly retrieve: Retrieve;
  readonly retrieveSerialised: RetrieveSerialised;
}

/**
 * Retrieves in threads. Threads know no policies: each search carries the redaction rules of its tenant.
 *
 * @param rulesFor rejects if the rules cannot be read: nothing is searched then
 */
export const createSearchThreads = (
  { ask }: Pick<ThreadPool, 'ask'>,
  rulesFor: (tenant: string) => Promise<readonly RedactionRule[]>,
): SearchThreads => ({
  retrieve: async (scope, request) => {
    const input: RetrieveInput = { scope, request, rules: await rulesFor(scope.tenant) };
    return (await ask({ operation: 'retrieve', input }, threadFor(request))) as SearchResult;
  },
  retrieveSerialised: async (planned, context) => {
    const { scope, request } = planned;
    const input: RetrieveSerialisedInput = { planned, context, rules: await rulesFor(scope.tenant) };
    return (await ask({ operation: 'retrieveSerialised', input }, threadFor(request))) as Uint8Array;
  },
});

/** Vectors take much memory: only one thread loads them. */
const threadFor = ({ vector }: SearchRequest): 'any' | 'first' => (vector === undefined ? 'any' : 'first');
