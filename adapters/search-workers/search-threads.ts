import type { RedactionRule } from '../../domain/redaction/index.ts';
import type { Retrieve } from '../../application/search/retrieve.ts';
import type { SearchRequest, SearchResult } from '../../application/search/retrieval-filter.ts';
import type { RetrieveWritten } from '../../application/search/written-search.ts';
import type { RetrieveInput, RetrieveWrittenInput } from './search-answers.ts';
import type { ThreadPool } from './thread-pool.ts';

export interface SearchThreads {
  readonly retrieve: Retrieve;
  readonly retrieveWritten: RetrieveWritten;
}

/**
 * Has threads retrieve. They know no policies: the rules by which a tenant's contents are redacted go with each search.
 *
 * @param rulesFor fails when they cannot be read: nothing is searched then
 */
export const createSearchThreads = (
  { ask }: Pick<ThreadPool, 'ask'>,
  rulesFor: (tenant: string) => Promise<readonly RedactionRule[]>,
): SearchThreads => ({
  retrieve: async (scope, request) => {
    const input: RetrieveInput = { scope, request, rules: await rulesFor(scope.tenant) };
    return (await ask({ operation: 'retrieve', input }, threadFor(request))) as SearchResult;
  },
  retrieveWritten: async (planned, told) => {
    const { scope, request } = planned;
    const input: RetrieveWrittenInput = { planned, told, rules: await rulesFor(scope.tenant) };
    return (await ask({ operation: 'retrieveWritten', input }, threadFor(request))) as Uint8Array;
  },
});

/** Vectors take much memory: one thread keeps them. */
const threadFor = ({ vector }: SearchRequest): 'any' | 'first' => (vector === undefined ? 'any' : 'first');
