import type { CatalogScope, Contents } from '../../application/ports/catalog.ts';
import {
  FEEDBACK_CONTENTS,
  FEEDBACK_TERMS,
  feedbackShares,
  feedbackTermWeights,
} from '../../domain/ranking/term-weights.ts';
import { feedbackWords } from '../../domain/ranking/vocabulary.ts';
import { ofTenant } from './filters.ts';
import type { Query } from './metadata.ts';
import type { Searching } from './searching.ts';

/** Terms that are counted, twice as many as are added. */
const MOST_COUNTED = 2 * FEEDBACK_TERMS;

export type ContentsById = Contents['contentsById'];

/** A term of the texts of one language, and how often the feedback has it, by the shares of its contents. */
interface FoundTerm {
  readonly field: string;
  readonly term: string;
  readonly n: number;
}

/**
 * What the best contents of a query add to it, as `feedbackTermWeights` weighs terms. Only those that they have most are
 * counted, since each costs as much as a word of the query. In how many contents a term occurs is taken for how often it
 * does, which no request tells for one tenant.
 *
 * @param words that the query asks for
 */
export const createReadFeedback =
  (contentsById: ContentsById) =>
  async (
    searching: Searching,
    scope: CatalogScope,
    words: number,
    query: Query,
  ): Promise<readonly Query[]> => {
    const best = await searching.best(query, FEEDBACK_CONTENTS);
    const [scores, ids] = [best.map(({ score }) => score), best.map(({ contentId }) => contentId)];
    const shares = new Map(feedbackShares(scores, words).map((share, i) => [ids[i]!, share]));
    const languages = new Map(best.map(({ contentId, language }) => [contentId, language]));
    const texts = await contentsById(scope, ids);
    const found: FoundTerm[] = [];
    for (const [language, contents] of Map.groupBy(texts, ({ id }) => languages.get(id)!))
      found.push(
        ...(await termsOf(
          searching,
          language,
          contents.map((content) => ({ ...content, headings: [], share: shares.get(content.id)! })),
        )),
      );
    const most = found.toSorted((a, b) => b.n - a.n || compare(keyOf(a), keyOf(b))).slice(0, MOST_COUNTED);
    const asTerms = most.map(({ field, term }) => [...ofTenant(scope.tenant), { term: { [field]: term } }]);
    const [{ contents }, counts] = [await searching.all(), await searching.count(asTerms)];
    const counted = most.map((of, i) => ({ term: keyOf(of), n: of.n, df: counts[i]!, cf: counts[i]! }));
    const byKey = new Map(most.map((of) => [keyOf(of), of]));
    return feedbackTermWeights(contents, counted).map(({ term: key, text }) => {
      const { field, term } = byKey.get(key)!;
      return { term: { [field]: { value: term, boost: text } } };
    });
  };

const termsOf = async (
  searching: Searching,
  language: string,
  contents: readonly {
    readonly title: string;
    readonly headings: readonly string[];
    readonly text: string;
    readonly share: number;
  }[],
): Promise<readonly FoundTerm[]> => {
  const words = contents.flatMap((content) =>
    feedbackWords([content]).map(({ word, n }) => ({ word, n: n * content.share })),
  );
  const terms = await searching.terms(
    language,
    words.map(({ word }) => word),
  );
  const sums = new Map<string, number>();
  for (const [i, term] of terms.entries()) sums.set(term, (sums.get(term) ?? 0) + words[i]!.n);
  // Stop words have none.
  sums.delete('');
  return [...sums].map(([term, n]) => ({ field: `text.${language}`, term, n }));
};

const keyOf = ({ field, term }: FoundTerm): string => `${field} ${term}`;
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
