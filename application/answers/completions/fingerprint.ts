import { canonicalJson, sortedJson } from '../../event-sourcing/idempotent.ts';
import { snakeKeys } from '../../../domain/shared/key-case.ts';
import type { Hash } from '../../ports/identity.ts';
import { filterAsWritten } from '../../search/retrieval-filter.ts';
import type { CompletionRequest } from './completion.ts';

/**
 * What a repeated request is known by: the form that is kept, and the one that an earlier version kept where a request
 * filters by metadata. Its filters stood there under the places where they apply.
 */
export const fingerprintsOf = (
  { sha256 }: Hash,
  request: CompletionRequest,
): readonly [kept: string, ...before: string[]] => {
  const { onSources, onChunks, ...fixed } = request.filter;
  const kept = sha256(canonicalJson({ ...request, filter: filterAsWritten(request.filter) }));
  if (onSources === undefined && onChunks === undefined) return [kept];
  const places = {
    ...(onSources !== undefined && { onSources }),
    ...(onChunks !== undefined && { onChunks }),
  };
  const { filter, ...rest } = snakeKeys({ ...request, filter: fixed }) as { readonly filter: object };
  return [kept, sha256(sortedJson({ ...rest, filter: { ...filter, ...places } }))];
};
