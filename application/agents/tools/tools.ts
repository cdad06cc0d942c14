import type { Grant } from '../../../domain/api-key/decider.ts';
import type { OnBehalfOf } from '../../access/authz/access.ts';
import { redactedContent } from '../../redaction/redacted-catalog.ts';
import type { SchemaCompiler } from '../../ports/compilers.ts';
import { askTool } from './ask-tool.ts';
import { define, type PrincipalChoice, type Definition } from './define.ts';
import type { KnowledgeToolDeps } from './deps.ts';
import type { KnowledgeTool } from './knowledge-tool.ts';
import { listSourcesTool } from './list-sources-tool.ts';
import { searchTool } from './search-tool.ts';
import { withoutFixed } from './filter-arguments.ts';
import { statusTool } from './status-tool.ts';
import { id, record } from './argument-schema.ts';
import { withExternalUrl } from './links.ts';
import { quoted, SHOWN_CONTENT, shownContent } from './shown-content.ts';

const getContentTool = ({
  sources,
  rulesFor,
  ids,
}: KnowledgeToolDeps): Definition<{ readonly id: string }> => ({
  name: 'get_content',
  title: 'Read a passage',
  description:
    'Reads one passage by its id, as search and ask name it: to check a citation, or to read it once more.',
  scope: 'knowledge:read',
  readOnly: true,
  properties: { id: id('Of the passage') },
  required: ['id'],
  result: record({ content: SHOWN_CONTENT }),
  run: async ({ caller, onBehalfOf }, args, { uriOf, links }) => {
    const found = await sources.content(caller, args.id.toLowerCase(), onBehalfOf);
    const content = withExternalUrl(redactedContent(found, await rulesFor(caller.tenant)), links);
    return {
      data: { content: shownContent(content, uriOf) },
      contents: [content],
      text: quoted([content], ids, uriOf),
    };
  },
});

/**
 * Returns the tools that a key may call, in a fixed order. There is no other way to call a tool. Arguments that the
 * connection has fixed (`fixed`) are left out.
 */
export type KnowledgeTools = (grant: Grant, fixed?: OnBehalfOf) => readonly KnowledgeTool[];

/**
 * Creates the tools for agents inside and outside of this service.
 *
 * @param principal `given`: the caller fixes on whose behalf tools read, and arguments cannot name it; `asked`: the
 *   arguments `principal_id` and `authz_policy` may name it unless the caller has fixed it
 */
export const createKnowledgeTools = (
  { schemas, ...deps }: KnowledgeToolDeps & { readonly schemas: SchemaCompiler },
  principal: PrincipalChoice,
): KnowledgeTools => {
  const tools: readonly KnowledgeTool[] = [
    define(searchTool(deps), schemas, principal),
    define(askTool(deps), schemas, principal),
    define(getContentTool(deps), schemas, principal),
    define(listSourcesTool(deps), schemas, principal),
    define(statusTool(deps), schemas, principal),
  ];
  return ({ scopes }, fixed = {}) =>
    tools
      .filter(({ scope }) => scopes.includes(scope))
      .map((tool) => ({ ...tool, parameters: withoutFixed(tool.parameters, fixed) }));
};
