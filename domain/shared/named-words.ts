/**
 * The words of a text that are written like names: with a capital letter, though they do not begin a sentence. None where
 * all words have one, as in a title. In German, where nouns have one, these too.
 */
export function namedWords(text: string): readonly string[] {
  const words = text.split(/(?<=[.?!:])\s/).flatMap((sentence) => sentence.trim().split(/\s+/).slice(1));
  const named = words.filter((word) => /\p{Lu}/u.test(word));
  return named.length < words.length ? named : [];
}
