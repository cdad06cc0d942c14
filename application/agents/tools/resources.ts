import { DomainError } from '../../../domain/shared/domain-error.ts';
import { redactedContent } from '../../redaction/redacted-catalog.ts';
import type { ContentRecord } from '../../ports/catalog.ts';
import type { SearchOperations } from '../../search/operations.ts';
import { contentUri, readContentUri } from './content-uri.ts';
import type { KnowledgeToolDeps } from './deps.ts';
import type { ToolCaller } from './knowledge-tool.ts';
import { onBehalfOfArguments } from './filter-arguments.ts';

/** A content with its URI. */
export interface KnowledgeResource {
  readonly uri: string;
  readonly content: ContentRecord;
}

export interface KnowledgeResources {
  /**
   * All contents that the caller may read, newest first, 50 at a time.
   *
   * @throws DomainError invalid_cursor
   */
  readonly list: (
    by: ToolCaller,
    cursor: string | undefined,
  ) => Promise<{ readonly resources: readonly KnowledgeResource[]; readonly nextCursor?: string }>;
  /** @throws DomainError invalid_request, not_found, authz_policy_not_found */
  readonly read: (by: ToolCaller, uri: string) => Promise<KnowledgeResource>;
}

const PER_PAGE = 50;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Contents by their URIs, redacted for agents. For callers with the scope knowledge:read. */
export const createKnowledgeResources = ({
  query,
  sources,
  rulesFor,
}: Pick<SearchOperations, 'query'> &
  Pick<KnowledgeToolDeps, 'sources' | 'rulesFor'>): KnowledgeResources => ({
  list: async ({ caller, onBehalfOf }, cursor) => {
    if (cursor !== undefined && !UUID.test(cursor)) {
      throw new DomainError(
        'invalid_cursor',
        'this is not a cursor of this list: send one that the list returned, or none',
      );
    }
    const page = { limit: PER_PAGE, ...(cursor !== undefined && { after: cursor }) };
    const { rows, hasMore } = await query(caller, { filter: {}, sort: 'timestamp', page }, onBehalfOf);
    const rules = await rulesFor(caller.tenant);
    const resources = rows.map((row) => ({ uri: contentUri(row.id), content: redactedContent(row, rules) }));
    const last = rows.at(-1);
    return { resources, ...(hasMore && last !== undefined && { nextCursor: last.id }) };
  },

  read: async (by, uri) => {
    const { id, principal } = readContentUri(uri);
    const { caller, onBehalfOf } = onBehalfOfArguments(by, principal);
    const content = await sources.content(caller, id, onBehalfOf);
    return { uri, content: redactedContent(content, await rulesFor(caller.tenant)) };
  },
});
