/** Dictionaries that every Postgres ships, by language (BCP 47, its first part); their names end in `_stem`. */
const DICTIONARIES: Readonly<Record<string, string>> = {
  ar: 'arabic',
  ca: 'catalan',
  da: 'danish',
  de: 'german',
  el: 'greek',
  es: 'spanish',
  eu: 'basque',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hi: 'hindi',
  hu: 'hungarian',
  hy: 'armenian',
  id: 'indonesian',
  it: 'italian',
  lt: 'lithuanian',
  nb: 'norwegian',
  ne: 'nepali',
  nl: 'dutch',
  nn: 'norwegian',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sr: 'serbian',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
  yi: 'yiddish',
};

/** English for what is not known, and for languages without one: names and English words stand in all of them. */
const USUAL = 'english';

/** The dictionary by which the words of a text become terms. */
export const dictionaryOf = (language: string): string => `${DICTIONARIES[primary(language)] ?? USUAL}_stem`;

/** The language by whose dictionary a text is indexed; empty for the usual one. */
export const stemmedLanguage = (language: string): string =>
  primary(language) in DICTIONARIES ? primary(language) : '';

const primary = (language: string): string => language.split('-')[0]?.toLowerCase() ?? '';
