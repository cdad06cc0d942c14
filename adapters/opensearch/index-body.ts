import { B, K1 } from '../../domain/ranking/bm25.ts';
import { STOP_WORDS } from '../../domain/ranking/stop-phrases.ts';

/** Languages whose words are stemmed (ISO 639-1), and the stemmer of each. */
const STEMMERS: Readonly<Record<string, string>> = {
  ar: 'Arabic',
  ca: 'Catalan',
  da: 'Danish',
  de: 'German',
  en: 'English',
  es: 'Spanish',
  et: 'Estonian',
  eu: 'Basque',
  fi: 'Finnish',
  fr: 'French',
  ga: 'Irish',
  hu: 'Hungarian',
  hy: 'Armenian',
  it: 'Italian',
  lt: 'Lithuanian',
  nl: 'Dutch',
  no: 'Norwegian',
  pt: 'Portuguese',
  ro: 'Romanian',
  ru: 'Russian',
  sv: 'Swedish',
  tr: 'Turkish',
};
const SAME: Readonly<Record<string, string>> = { nb: 'no', nn: 'no' };

/** English for what is not known, and for languages without a stemmer: names and English words stand in all of them. */
export const USUAL = 'en';

/** The language in which the words of a text are stemmed. */
export const stemmedLanguage = (language = ''): string => {
  const primary = language.toLowerCase().split('-')[0] ?? '';
  const one = SAME[primary] ?? primary;
  return one in STEMMERS ? one : USUAL;
};

/** Before stemming: what is written in two ways. */
const SPELLINGS: Readonly<Record<string, object>> = {
  de: { type: 'german_normalization' },
  // Plurals that the stemmer does not know: `ideeën`, `categorieën`.
  nl: { type: 'pattern_replace', pattern: '([ei]e)[ëe]n$', replacement: '$1' },
  ru: { type: 'pattern_replace', pattern: 'ё', replacement: 'е' },
};

/**
 * Texts come as their words, with blanks between: `wordsOf` parts them, so that both engines know the same words. Here
 * they lose stop words and endings, with accents and without.
 */
const analysis = () => {
  const filter: Record<string, object> = {};
  const analyzer: Record<string, object> = { words: { type: 'custom', tokenizer: 'whitespace' } };
  for (const [language, stemmer] of Object.entries(STEMMERS)) {
    const stopwords = language === USUAL ? [...STOP_WORDS] : `_${stemmer.toLowerCase()}_`;
    const spelling = SPELLINGS[language];
    // That of Dutch takes one ending off at a time: `fietsen`, `fiets`, `fiet`.
    const stem = Array<string>(language === 'nl' ? 2 : 1)
      .fill(`stem_${language}`)
      .join(', ');
    filter[`stop_${language}`] = { type: 'stop', stopwords };
    filter[`stem_${language}`] = { type: 'snowball', language: stemmer };
    filter[`forms_${language}`] = {
      type: 'multiplexer',
      preserve_original: false,
      filters: [`${stem}, asciifolding`, `asciifolding, ${stem}`],
    };
    if (spelling !== undefined) filter[`spelling_${language}`] = spelling;
    const spelled = spelling === undefined ? [] : [`spelling_${language}`];
    analyzer[language] = {
      type: 'custom',
      tokenizer: 'whitespace',
      filter: [`stop_${language}`, ...spelled, `forms_${language}`],
    };
  }
  return { filter, analyzer };
};

/** Words of a text as long as most: those of a title are few. */
const [USUAL_TEXT, USUAL_TITLE] = [150, 8];

/**
 * BM25 without its rarity, which the query brings: only there it is known for the contents of one tenant, deleted ones
 * left out, so that a score does not depend on other tenants, on what was there before, or on the replica that is asked.
 */
const frequency = (usual: number) => ({
  type: 'scripted',
  script: {
    source: `return query.boost * doc.freq / (doc.freq + ${K1 * (1 - B)} + ${K1 * B} * doc.length / ${usual}.0);`,
  },
});

/** A field for each language in which a text is written, made when the first one comes. */
const perLanguage = (field: 'text' | 'title') => ({
  [field]: {
    path_match: `${field}.*`,
    mapping: { type: 'text', analyzer: '{name}', similarity: field, index_options: 'freqs' },
  },
});
const KEYWORD = { type: 'keyword', doc_values: false };

export interface IndexSettings {
  /** Of each index. Default: 1. */
  readonly shards?: number;
  /** Over which one tenant is spread: 1, or fewer than there are. Default: 1. */
  readonly tenantShards?: number;
  /** Copies of each shard. Default: 1. */
  readonly replicas?: number;
}

/** Settings and fields of an index of contents. */
export const indexBody = ({ shards = 1, tenantShards = 1, replicas = 1 }: IndexSettings = {}) => ({
  settings: {
    number_of_shards: shards,
    // Scores are the same on any number: rarity comes with the query.
    ...(tenantShards > 1 && { routing_partition_size: tenantShards }),
    number_of_replicas: replicas,
    'index.knn': true,
    // A copy has what its shard has when a write has returned.
    'index.replication.type': 'DOCUMENT',
    similarity: { text: frequency(USUAL_TEXT), title: frequency(USUAL_TITLE) },
    analysis: analysis(),
  },
  mappings: {
    dynamic: false,
    dynamic_templates: [perLanguage('text'), perLanguage('title')],
    // Nothing is read back but the position: Postgres has the records.
    _source: { includes: ['position'] },
    _routing: { required: true },
    properties: {
      /** Of contents alone. */
      tenant: KEYWORD,
      source: KEYWORD,
      group: KEYWORD,
      type: KEYWORD,
      fileType: KEYWORD,
      /** The host and the domains above it. */
      domains: KEYWORD,
      at: { type: 'long' },
      revision: { type: 'long', doc_values: false },
      sourceMetadata: KEYWORD,
      chunkMetadata: KEYWORD,
      /** The id of the content; hits of the same score are ordered by it. */
      content: { type: 'keyword' },
      /** Title, headings and text as they stand: for phrases of stop words, and to correct spelling. */
      words: { type: 'text', analyzer: 'words', similarity: 'text' },
      /** Identifiers, and names that the text explains. */
      names: { type: 'text', analyzer: 'words', similarity: 'boolean', norms: false, index_options: 'docs' },
      /** Models by which it is embedded, with the length of their vectors: see `vector-fields.ts`. */
      models: { type: 'keyword' },
      /** In which its words are stemmed: that of its fields `text` and `title`. */
      language: { type: 'keyword' },
      text: { type: 'object', dynamic: true },
      title: { type: 'object', dynamic: true },
    },
  },
});
