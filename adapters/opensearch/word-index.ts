import type { CatalogScope } from '../../application/ports/catalog.ts';
import type { EngineScope, Ranking, RankRequest, WordIndex } from '../../application/ports/search-engine.ts';
import { type AskedWord, queryWords, wordsAskedFor } from '../../domain/ranking/asked-terms.ts';
import { unknownWords } from '../../domain/ranking/spelling.ts';
import { STOP_WORDS } from '../../domain/ranking/stop-phrases.ts';
import { isLong, queryTermWeights, raritiesOf } from '../../domain/ranking/term-weights.ts';
import { WORD } from './documents.ts';
import { type ContentsById, createReadFeedback } from './feedback.ts';
import { letThrough, ofTenant, seenBy } from './filters.ts';
import { USUAL } from './index-body.ts';
import type { Query } from './metadata.ts';
import { createCorrectSpelling, type SpellingOptions } from './spelling.ts';
import type { SearchIn, Searching, TenantContents } from './searching.ts';

/** Words of a query that are searched; of more, the rarest of the first. */
const [MOST_COUNTED, MOST_SEARCHED] = [64, 40];
/** Lucene refuses a query of more than 1,024 clauses: one for each word and field, beside those of filters. */
const MOST_CLAUSES = 800;
/** A name beside a word that one content has: about what its frequency leaves of a word. */
const NAME = 0.5;
const NOTHING: Ranking = { ranked: [], totalCandidates: 0 };

/**
 * Sums up BM25 of the words of a query in texts and titles, and what it calls by name. How rare a word is, is counted
 * first, among the contents of the tenant.
 */
export const createWordIndex = (
  searchIn: SearchIn,
  contentsById: ContentsById,
  options: SpellingOptions = {},
): WordIndex => {
  const readFeedback = createReadFeedback(contentsById);
  const correctSpelling = createCorrectSpelling(options);
  return {
    terms: async (words) => (await searchIn('', undefined))?.terms(USUAL, words) ?? words.map(() => ''),
    rank: async (scope, request) => {
      const searching = await searchIn(scope.tenant, request.filter.tags);
      if (searching === null || queryWords(request.query).size === 0) return NOTHING;
      const { facts, count, suggest } = searching;
      const tenant = await searching.all();
      if (tenant.contents === 0) return NOTHING;
      const read = createReadQuery(searching, scope.tenant, tenant);
      const asTyped = await read(request.query);
      const unknown = unknownWords(asTyped.words, (word) => (asTyped.df.get(word) ?? 0) > 0);
      const correctedQuery = await correctSpelling(request.query, unknown, {
        countSeen: (words) =>
          count(words.map((word) => [...seenBy(scope, facts), wordIn(word, tenant.languages)])),
        suggest,
      });
      const asked = correctedQuery === null ? asTyped : await read(correctedQuery);
      const should = clausesOf(asked, tenant.languages);
      if (should.length === 0) return NOTHING;
      const { ranked: all, shown } = requestsOf(scope, request, facts, should);
      const words = wordsAskedFor(asked.words);
      const added = isLong(words) ? await readFeedback(searching, scope, words, all ?? shown) : [];
      const found = await searching.find(requestsOf(scope, request, facts, [...should, ...added]));
      if (found.total === 0) return NOTHING;
      const { minScore = 0, limit } = request;
      const ranked = found.hits
        .map(({ contentId, score }) => ({ contentId, score: score / found.best }))
        .filter(({ score }) => score >= minScore)
        .slice(0, limit);
      const terms = [...asked.df].map(([term, df]) => ({ term, df }));
      return {
        ranked,
        totalCandidates: found.total,
        rarities: raritiesOf(asked.contents, asked.words, terms),
        ...(correctedQuery !== null && { correctedQuery }),
      };
    },
  };
};

/** A query, and how many contents of the tenant have its words in any form. */
interface ReadQuery {
  readonly contents: number;
  /** In the order of the query; a stop word has no terms. */
  readonly words: readonly AskedWord[];
  readonly names: ReadonlyMap<string, number>;
  readonly df: ReadonlyMap<string, number>;
}

/**
 * Counts each word once for all queries that it reads. A stop word is one of English, or one that most of the contents
 * which have it leave out, as each language leaves out its own.
 */
const createReadQuery = (
  { count }: Searching,
  tenant: string,
  { contents, languages }: TenantContents,
): ((query: string) => Promise<ReadQuery>) => {
  const counted = new Map<string, { readonly df: number; readonly isStop: boolean }>();
  const isForeign = languages.some((language) => language !== USUAL);
  const countWords = async (words: readonly string[]): Promise<void> => {
    const counts = await count(
      [
        ...words.map((word) => wordIn(word, languages)),
        ...(isForeign ? words : []).map((word) => ({ term: { words: word } })),
      ].map((query) => [...ofTenant(tenant), query]),
    );
    for (const [i, word] of words.entries()) {
      const df = counts[i] ?? 0;
      counted.set(word, { df, isStop: 2 * df < (counts[words.length + i] ?? 0) });
    }
  };
  return async (query) => {
    const all = [...queryWords(query)];
    const words = all.filter(([word]) => WORD.test(word)).slice(0, MOST_COUNTED);
    for (const [word] of words) if (STOP_WORDS.has(word)) counted.set(word, { df: 0, isStop: true });
    await countWords(words.flatMap(([word]) => (counted.has(word) ? [] : [word])));
    const df = new Map(words.map(([word]) => [word, counted.get(word)!.df]));
    return {
      // Each is counted at a moment of its own: while contents are added, more may have a word than there were.
      contents: Math.max(contents, ...df.values()),
      words: words.map(([word, n]) => ({ word, n, terms: counted.get(word)!.isStop ? [] : [word] })),
      names: new Map(all.filter(([word]) => !WORD.test(word))),
      df,
    };
  };
};

const fieldsOf = (of: 'text' | 'title', languages: readonly string[]): readonly string[] =>
  languages.map((language) => `${of}.${language}`);

/** A word in any of its forms, in a text or in a title. */
const wordIn = (word: string, languages: readonly string[]): Query =>
  inFields([...fieldsOf('text', languages), ...fieldsOf('title', languages)], word);

/** What a content may match, and what each counts. Of stop words alone: they themselves, and all of them as a phrase. */
const clausesOf = (
  { contents, words, names, df }: ReadQuery,
  languages: readonly string[],
): readonly Query[] => {
  const [inTexts, inTitles] = [fieldsOf('text', languages), fieldsOf('title', languages)];
  const telling = words.filter(({ terms }) => terms.length > 0);
  const dfOf = (word: string): number => df.get(word) ?? 0;
  const found = telling
    .filter(({ word }) => dfOf(word) > 0)
    .map(({ word, n }) => ({ term: word, n, df: dfOf(word), titleDf: dfOf(word) }));
  const ofWords = queryTermWeights(contents, found)
    .slice(0, Math.min(MOST_SEARCHED, Math.floor(MOST_CLAUSES / 2 / languages.length)))
    .flatMap(({ term, text, title }) => [inFields(inTexts, term, text), inFields(inTitles, term, title)]);
  const named = [...names].map(([term, n]) => ({ term, n: n * NAME, df: 1, titleDf: 1 }));
  const ofNames = queryTermWeights(contents, named).map(({ term, text }): Query => ({
    term: { names: { value: term, boost: text } },
  }));
  const asWritten = words.map(({ word }) => word);
  const ofStopWords: readonly Query[] =
    telling.length > 0 || asWritten.length === 0
      ? []
      : [
          ...asWritten.map((word) => ({ match: { words: word } })),
          { match_phrase: { words: { query: asWritten.join(' '), boost: 2 * asWritten.length } } },
        ];
  return [...ofWords, ...ofNames, ...ofStopWords];
};

const inFields = (fields: readonly string[], word: string, boost = 1): Query => ({
  multi_match: { query: word, fields, type: 'most_fields', boost },
});

/** What is ranked, and, with a postfilter, what of it is shown. */
const requestsOf = (
  scope: CatalogScope,
  { filter, limit, usePostfilter = false }: RankRequest,
  facts: EngineScope,
  should: readonly Query[],
) => {
  const within = (conditions: readonly Query[]): Query => ({
    bool: { filter: conditions, should, minimum_should_match: 1 },
  });
  const seen = seenBy(scope, facts);
  const shown = within([...seen, ...letThrough(filter, facts)]);
  return { shown, ranked: usePostfilter ? within(seen) : null, limit };
};
