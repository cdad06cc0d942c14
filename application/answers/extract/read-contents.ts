import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { Caller } from '../../access/caller.ts';
import type { ContentRecord } from '../../ports/catalog.ts';
import type { ExtractDeps, ExtractRequest } from './extraction.ts';

const PAGE = 100;
/** Contents of named sources: what is more fits no model, and is not read in vain. */
const MOST = 1_000;
/** Reads at once. */
const AT_ONCE = 8;

type Reads = Pick<ExtractDeps, 'search' | 'sources'>;

/**
 * The contents that the caller names or that its search finds, once each, in the order named or found.
 *
 * @throws DomainError not_found for what the caller may not see; invalid_request for sources that hold too much
 */
export const readContents = async (
  deps: Reads,
  caller: Caller,
  { from, onBehalfOf }: Pick<ExtractRequest, 'from' | 'onBehalfOf'>,
): Promise<readonly ContentRecord[]> => {
  switch (from.kind) {
    case 'sources':
      return ofSources(deps, caller, once(from.ids), onBehalfOf);
    case 'contents':
      return ofContents(deps, caller, once(from.ids), onBehalfOf);
    case 'search': {
      const { query, limit, usePostfilter, filter } = from;
      const search = { query, mode: 'hybrid', limit, rerank: false, usePostfilter, filter } as const;
      return (await deps.search(caller, search, onBehalfOf)).results.map(({ content }) => content);
    }
  }
};

const once = (ids: readonly string[]): readonly string[] => [...new Set(ids.map((id) => id.toLowerCase()))];

const ofSources = async (
  { sources }: Reads,
  caller: Caller,
  ids: readonly string[],
  onBehalfOf: ExtractRequest['onBehalfOf'],
): Promise<readonly ContentRecord[]> => {
  const contents: ContentRecord[] = [];
  for (const id of ids) {
    for (let after: string | undefined, more = true; more; after = contents.at(-1)?.id) {
      const page = { limit: PAGE, ...(after !== undefined && { after }) };
      const { rows, hasMore } = await sources.contents(caller, id, page, onBehalfOf);
      contents.push(...rows);
      more = hasMore && rows.length > 0;
      if (contents.length > MOST) {
        const message = `these sources hold more than ${MOST} contents: name fewer, or give a query`;
        throw new DomainError('invalid_request', message);
      }
    }
  }
  return contents;
};

const ofContents = async (
  { sources }: Reads,
  caller: Caller,
  ids: readonly string[],
  onBehalfOf: ExtractRequest['onBehalfOf'],
): Promise<readonly ContentRecord[]> => {
  const contents: ContentRecord[] = [];
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const some = ids.slice(at, at + AT_ONCE).map((id) => sources.content(caller, id, onBehalfOf));
    contents.push(...(await Promise.all(some)));
  }
  return contents;
};
