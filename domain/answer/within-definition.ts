import type { RankedSentence, Ranking } from './rank-sentences.ts';

/** Whether it stands in the definition of a signed term that is what the question is about. */
const isDefining = ({ isOfTerm, defines }: RankedSentence): boolean => isOfTerm === true && defines;

/**
 * The sentence that an answer begins with: the best of all. But the default of a thing is what its own definition says: of
 * that the best sentence which tells a default, or the best where its term tells it, or none does.
 */
export const beginningOf = (ranking: Ranking): RankedSentence | undefined => {
  const { sentences, asked } = ranking;
  if (asked.kind !== 'default') return sentences[0];
  const own = sentences.filter((one) => isDefining(one) && one.isStatement);
  const first = own[0];
  if (first === undefined) return sentences[0];
  return termsTelling(ranking, first).length > 0 ? first : (own.find(({ isOfKind }) => isOfKind) ?? first);
};

/** The terms of a sentence's definition that tell the default that is asked for: `tape_size (default: 4)`. */
export const termsTelling = ({ texts, asked }: Ranking, best: RankedSentence): readonly RankedSentence[] =>
  asked.kind === 'default' && isDefining(best)
    ? texts[best.passage]!.filter(
        ({ section, isStatement, isOfKind, place }) =>
          section === best.section && place < best.place && !isStatement && isOfKind,
      ).slice(0, 1)
    : [];

/** Those sentences that may stand with this one: of other definitions none, where the default of a thing is asked for. */
export const standingWith = (
  { sentences, asked }: Ranking,
  best: RankedSentence,
): readonly RankedSentence[] =>
  asked.kind === 'default' && isDefining(best) ? sentences.filter(isDefining) : sentences;
