import type { SearchMode } from '../../search/plan-search.ts';
import { list, mustNotBeBlank, record, text, whole } from './argument-schema.ts';
import type { Definition } from './define.ts';
import type { KnowledgeToolDeps } from './deps.ts';
import { FILTER, type FilterArguments, filterOf } from './filter-arguments.ts';
import { withExternalUrl } from './links.ts';
import { redactedContent } from '../../redaction/redacted-catalog.ts';
import { redact } from '../../redaction/redactor.ts';
import { quoted, SHOWN_CONTENT, shownContent } from './shown-content.ts';

interface Args extends FilterArguments {
  readonly query: string;
  readonly mode?: SearchMode;
  readonly limit?: number;
}

const MODES = ['hybrid', 'keyword', 'vector'];

export const searchTool = ({ search, rulesFor, ids }: KnowledgeToolDeps): Definition<Args> => ({
  name: 'search',
  title: 'Search the knowledge base',
  description:
    'Finds the passages of the indexed documents that answer a question best, the best first. Use it for anything that ' +
    'may be in these documents. Ask in plain words; try other words when nothing fits. Cite what you use.',
  scope: 'knowledge:read',
  readOnly: true,
  properties: {
    query: text('What to look for, in plain words; "in quotes" must stand there so, and -word must not', {
      minLength: 1,
      maxLength: 4000,
    }),
    limit: whole('Passages at most, by default 10', { minimum: 1, maximum: 50 }),
    mode: text('By words and by meaning (hybrid, the default), or by one of them alone', { enum: MODES }),
    ...FILTER,
  },
  required: ['query'],
  result: record(
    {
      results: list(record({ content: SHOWN_CONTENT, score: { type: 'number' } }), 'The best first'),
      totalCandidates: whole('How many passages were compared'),
      mode: text('How it was searched in fact', { enum: MODES }),
      correctedQuery: text('What was searched for instead, as the query seemed misspelled'),
    },
    ['correctedQuery'],
  ),
  run: async ({ caller, onBehalfOf }, args, { uriOf, links }) => {
    const { query, mode = 'hybrid', limit = 10 } = args;
    mustNotBeBlank('query', query);
    const plain = { query, mode, limit, rerank: false, usePostfilter: false, filter: filterOf(args) };
    const searchRequest = { ...plain, collapse: 'source', syntax: true } as const;
    const found = await search(caller, searchRequest, onBehalfOf);
    const rules = await rulesFor(caller.tenant);
    const results = found.results.map(({ content, score }) => ({
      content: withExternalUrl(redactedContent(content, rules), links),
      score,
    }));
    const contents = results.map(({ content }) => content);
    const { totalCandidates } = found;
    // The correction may be a word that the policies hide.
    const correctedQuery = found.correctedQuery && redact(found.correctedQuery, rules).text;
    const corrected = correctedQuery !== undefined && { correctedQuery };
    const instead =
      correctedQuery === undefined ? '' : `Searched for ${JSON.stringify(correctedQuery)} instead. `;
    const shown = results.map(({ content, score }) => ({ content: shownContent(content, uriOf), score }));
    return {
      data: { results: shown, totalCandidates, mode: found.mode, ...corrected },
      contents,
      text:
        contents.length === 0
          ? 'Nothing was found. Try other words, or fewer conditions.'
          : `${instead}Passages found: ${contents.length}, the best first.\n${quoted(contents, ids, uriOf)}`,
    };
  },
});
