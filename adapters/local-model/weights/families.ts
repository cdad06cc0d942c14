import type { EmbeddingRecipe } from './recipe.ts';

/** What sets a family of embedding models apart, as its authors describe it. */
export interface Family {
  readonly pooling: Exclude<EmbeddingRecipe['pooling'], 'given'>;
  readonly prefixes: EmbeddingRecipe['prefixes'];
}

const NONE = { query: '', document: '' };
const FOR_SEARCH = 'Represent this sentence for searching relevant passages: ';

/**
 * Copies of models for ONNX often leave out the files that say how vectors are made. The first family whose pattern fits
 * the name of the model, or that of the one it was made from, says it then. Sources: the cards of the models.
 */
const FAMILIES: readonly (readonly [pattern: RegExp, family: Family])[] = [
  [/\be5-[\w-]*instruct/i, { pooling: 'mean', prefixes: { query: instruction('web search'), document: '' } }],
  [/\be5-(?:small|base|large)/i, { pooling: 'mean', prefixes: { query: 'query: ', document: 'passage: ' } }],
  [/\bbge-m3\b/i, { pooling: 'cls', prefixes: NONE }],
  [/\bbge-[\w-]*-en\b/i, { pooling: 'cls', prefixes: { query: FOR_SEARCH, document: '' } }],
  [
    /\bbge-[\w-]*-zh\b/i,
    { pooling: 'cls', prefixes: { query: '为这个句子生成表示以用于检索相关文章：', document: '' } },
  ],
  [/\barctic-embed-[\w-]*v2/i, { pooling: 'cls', prefixes: { query: 'query: ', document: '' } }],
  [/\barctic-embed\b/i, { pooling: 'cls', prefixes: { query: FOR_SEARCH, document: '' } }],
  [/\bmxbai-embed\b/i, { pooling: 'cls', prefixes: { query: FOR_SEARCH, document: '' } }],
  [
    /\bnomic-embed-text\b/i,
    { pooling: 'mean', prefixes: { query: 'search_query: ', document: 'search_document: ' } },
  ],
  [/\bgte-(?:small|base|large)$/i, { pooling: 'mean', prefixes: NONE }],
  [/\bgte-(?:[\w-]*-v1\.5|multilingual|modernbert)/i, { pooling: 'cls', prefixes: NONE }],
  [/\bMiniLM-L\d+-|\bmpnet-base-|\bjina-embeddings-v2\b/i, { pooling: 'mean', prefixes: NONE }],
];

function instruction(task: string): string {
  return `Instruct: Given a ${task} query, retrieve relevant passages that answer the query\nQuery: `;
}

/** By any of the names that a model has; null where none is known. */
export const familyOf = (names: readonly string[]): Family | null =>
  FAMILIES.find(([pattern]) => names.some((name) => pattern.test(name)))?.[1] ?? null;
