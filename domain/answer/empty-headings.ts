import type { RankedSentence, Ranking } from './rank-sentences.ts';

/** What a part of any page may be called, in English, with its number and words such as "an" or "further" before. */
const PART =
  /^\W*(?:\d+(?:\.\d+)*\.?\s+)?(?:(?:an?|the|some|more|further|general|short|brief|simple|basic|other) )*(?:about|abstract|advanced|background|basics|caveats|conclusions?|consequences|considerations|considered|contents|context|decisions?|definitions?|description|details|discussion|examples?|explanation|faq|features|general|goals?|how it works|implementation|information|introduction|motivation|notes?|options|outline|overview|parameters|preface|problem|procedure|prologue|purpose|rationale|reference|remarks|requirements|results?|see also|solution|status|steps|summary|synopsis|syntax|tips|topics|usage|use|warnings?|what this (?:is|does))(?: (?:and|or|&) \w+)?\W*$/iu;

/** Words of prose: names of code are the same wherever they are explained. */
const WORDS = /^\p{Lu}?[\p{Ll}\s]+$/u;

/**
 * Whether a heading says nothing of what stands under it, such as "Decision" or "An example": it is called as a part of
 * any page may be, or other passages have it too and the question has none of its terms.
 */
export const saysNothing = ({ asked, texts }: Ranking, heading: RankedSentence): boolean =>
  PART.test(heading.text) ||
  (WORDS.test(heading.text) &&
    heading.terms().isDisjointFrom(asked.terms) &&
    texts.some(
      (of, passage) =>
        passage !== heading.passage &&
        of.some(({ isStatement, text }) => !isStatement && text === heading.text),
    ));
