/** Misspelt as they are in haste, letters swapped or left out: none of these is a word. */
const MEANT: ReadonlyMap<string, string> = new Map([
  ['deos', 'does'],
  ['hwo', 'how'],
  ['waht', 'what'],
  ['wat', 'what'],
  ['whta', 'what'],
  ['wehn', 'when'],
  ['wehre', 'where'],
  ['wich', 'which'],
  ['whcih', 'which'],
  ['wyh', 'why'],
]);
const MISSPELT = new RegExp(`\\b(?:${[...MEANT.keys()].join('|')})\\b`, 'gi');
/** A dose is something too, but not where an adverb asks, or where it is asked what a thing does. */
const DOSE = /^(\W*(?:how|why|when|where) )dose\b|^(\W*what )dose\b(?=.* (?:do|mean)\W*$)/i;

/**
 * A question with the words that ask as they were meant: `waht` for what, and `what dose it do`. Searches do not need them,
 * so that their spelling is not corrected there.
 */
export const withAskingWordsAsMeant = (question: string): string =>
  question
    .replaceAll(MISSPELT, (word) => MEANT.get(word.toLowerCase()) ?? word)
    .replace(DOSE, (_, adverb?: string, what?: string) => `${adverb ?? what}does`);
