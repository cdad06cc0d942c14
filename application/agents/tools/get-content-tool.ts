import { id, record } from './argument-schema.ts';
import type { Definition } from './define.ts';
import type { KnowledgeToolDeps } from './deps.ts';
import { told } from './links.ts';
import { quoted, redacted, SHOWN_CONTENT, shownContent } from './shown-content.ts';

export const getContentTool = ({
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
    const content = told(redacted(found, await rulesFor(caller.tenant)), links);
    return {
      data: { content: shownContent(content, uriOf) },
      contents: [content],
      text: quoted([content], ids, uriOf),
    };
  },
});
