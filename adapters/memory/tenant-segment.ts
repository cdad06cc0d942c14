import type { SearchableSource } from '../../application/ports/search-index.ts';
import { frequencyOf, type Postings, postingsOf, type Segment } from '../../domain/ranking/postings.ts';
import { createSegmentBuilder } from '../../domain/ranking/segment-builder.ts';
import { type SpelledWords, spelledWords } from '../../domain/ranking/near-words.ts';
import { withStopTerms } from '../../domain/ranking/stop-phrases.ts';
import { spelledLines } from '../../domain/ranking/spelling.ts';
import type { FeedbackTerm, QueryTerm } from '../../domain/ranking/term-weights.ts';
import { createVocabulary, type LexicalDocument } from '../../domain/ranking/vocabulary.ts';
import { plainTerms } from './plain-terms.ts';
import type { Searchable } from './searchable-contents.ts';

/** All contents of a tenant, numbered from 1, and the postings of their terms. */
export interface TenantSegment {
  readonly segment: Segment;
  readonly contents: number;
  /** In terms, of all contents together. */
  readonly textLength: number;
  readonly titleLength: number;
  readonly postings: ReadonlyMap<string, Postings>;
  /** By which spelling is corrected. */
  readonly words: SpelledWords;
  /** How frequent a term is that occurs `n` times where it was met; nothing for one that no content has. */
  readonly frequencies: (term: string, n: number) => readonly (QueryTerm & FeedbackTerm)[];
  readonly at: (no: number) => Searchable;
  /** Numbers of the contents that pass. */
  readonly numbers: (isWanted: (one: Searchable) => boolean) => Float64Array;
}

export const documentOf = ({ source, content }: Searchable): Omit<LexicalDocument, 'no'> => ({
  title: source.title,
  headings: content.headingPath,
  text: content.text,
});

export const segmentOf = (sources: readonly SearchableSource[]): TenantSegment => {
  const all = sources.flatMap((source) =>
    source.contents.map((content): Searchable => ({ source, content })),
  );
  const vocabulary = createVocabulary();
  const documents = all.map((one, i) => vocabulary.read({ no: i + 1, ...documentOf(one) }));
  const words = vocabulary.words();
  const wordTerms = words.map(({ word }) => plainTerms(word));
  const builder = createSegmentBuilder(withStopTerms(words, wordTerms));
  const lengths = documents.map(builder.add);
  const segment: Segment = { segment: 1, firstNo: 1, lastNo: all.length };
  const { terms, df, ends, places, statistics } = builder.postings();
  const postings = new Map(
    terms.map((term, i): [string, Postings] => {
      const [from, to] = [(ends[i] ?? 0) - (df[i] ?? 0), ends[i] ?? 0];
      const offsets = places.slice(from, to);
      return [term, postingsOf({ offsets, statistics: statistics.slice(from, to) }, segment)];
    }),
  );
  return {
    segment,
    postings,
    words: spelledWords(spelledLines(words, wordTerms)),
    contents: all.length,
    textLength: lengths.reduce((sum, { text }) => sum + text, 0),
    titleLength: lengths.reduce((sum, { title }) => sum + title, 0),
    frequencies: (term, n) => {
      const of = postings.get(term);
      if (of === undefined) return [];
      const cf = of.statistics.reduce((sum, packed) => sum + frequencyOf(packed), 0);
      return [{ term, n, df: of.offsets.length, titleDf: of.titles.offsets.length, cf }];
    },
    at: (no) => all[no - 1] as Searchable,
    numbers: (isWanted) => Float64Array.from(all.flatMap((one, i) => (isWanted(one) ? [i + 1] : []))),
  };
};
