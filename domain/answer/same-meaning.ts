/**
 * Everyday words that mean the same in any manual: who asks has one, and who explains another. By their stems, and by
 * the words where a stem has others too: folding is no folder, and what is large not the largest. Words that mean something
 * else beside, such as show and list, or start and begin, are left alone.
 */
const STEMS: Readonly<Record<string, string>> = {
  delet: 'remov',
  eras: 'remov',
  max: 'maximum',
  min: 'minimum',
  execut: 'run',
  permit: 'allow',
  deny: 'forbid',
  prohibit: 'forbid',
  deactiv: 'disabl',
};
const WORDS: Readonly<Record<string, string>> = {
  largest: 'maximum',
  greatest: 'maximum',
  smallest: 'minimum',
  folder: 'director',
  folders: 'director',
  denied: 'forbid',
  denies: 'forbid',
  activate: 'enabl',
  activates: 'enabl',
  activated: 'enabl',
  activating: 'enabl',
};
const [BY_STEM, BY_WORD] = [STEMS, WORDS].map((one) => new Map(Object.entries(one)));

/** The term of a word: of all that mean the same one, whichever was written. */
export const sameTerm = (word: string, stem: string): string =>
  BY_WORD!.get(word) ?? BY_STEM!.get(stem) ?? stem;
