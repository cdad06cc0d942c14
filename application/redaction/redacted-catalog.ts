import type { Page } from '../ports/page.ts';
import type { Catalog, ContentRecord, SourceRecord, CatalogScope } from '../ports/catalog.ts';
import type { PoliciesInForce } from './policies-in-force.ts';
import { type CompiledRules, redact } from './redactor.ts';

/**
 * A catalog that redacts texts, titles and keywords by the policies for `content`, for every caller and every way of
 * reading. A read fails when the policies cannot be read. Searching, filtering and sorting use the unredacted index:
 * texts that must not be findable are redacted at ingestion.
 */
export const createRedactedCatalog = (catalog: Catalog, policies: PoliciesInForce): Catalog => {
  const rulesOf = async ({ tenant }: CatalogScope): Promise<CompiledRules> =>
    (await policies.at(tenant, 'content')).compiled;
  return {
    ...catalog,
    ...createRedactedContents(catalog, rulesOf),
    query: async (scope, query) =>
      pageOf(await catalog.query(scope, query), await rulesOf(scope), redactedContent),
    getContent: async (scope, id) => {
      const content = await catalog.getContent(scope, id);
      return content === null ? null : redactedContent(content, await rulesOf(scope));
    },
    getSource: async (scope, id) => {
      const source = await catalog.getSource(scope, id);
      return source === null ? null : sourceOf(source, await rulesOf(scope));
    },
    listSources: async (scope, filter, page, sort) =>
      pageOf(await catalog.listSources(scope, filter, page, sort), await rulesOf(scope), sourceOf),
    contentsOfSource: async (scope, id, page) => {
      const contents = await catalog.contentsOfSource(scope, id, page);
      if (contents === null) return null;
      return { ...contents, ...pageOf(contents, await rulesOf(scope), redactedContent) };
    },
  };
};

/** Reads contents by id and redacts them by the rules for their reader. */
export const createRedactedContents = (
  { contentsById }: Pick<Catalog, 'contentsById'>,
  rulesOf: (scope: CatalogScope) => Promise<CompiledRules>,
): Pick<Catalog, 'contentsById'> => ({
  contentsById: async (scope, ids) => {
    const rules = await rulesOf(scope);
    return (await contentsById(scope, ids)).map((content) => redactedContent(content, rules));
  },
});

const pageOf = <Row>(
  page: Page<Row>,
  rules: CompiledRules,
  redacted: (row: Row, rules: CompiledRules) => Row,
): Page<Row> => ({ ...page, rows: page.rows.map((row) => redacted(row, rules)) });

export const redactedContent = (content: ContentRecord, rules: CompiledRules): ContentRecord => {
  if (rules.rules.length === 0) return content;
  return {
    ...content,
    text: redact(content.text, rules).text,
    title: redact(content.title, rules).text,
    keywords: content.keywords.filter((keyword) => redact(keyword, rules).findings.length === 0),
  };
};

const sourceOf = (source: SourceRecord, rules: CompiledRules): SourceRecord => ({
  ...source,
  title: redact(source.title, rules).text,
});
