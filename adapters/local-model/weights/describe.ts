import type { EmbeddingRecipe, Pooling, Recipe, RerankingRecipe } from './manifest.ts';

/** What sets a family of embedding models apart, as its authors describe it. */
interface Family {
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
const familyOf = (names: readonly string[]): Family | null =>
  FAMILIES.find(([pattern]) => names.some((name) => pattern.test(name)))?.[1] ?? null;

/** What whoever fetches a model may say where its files do not. */
export interface Said {
  readonly task?: Recipe['task'] | undefined;
  readonly pooling?: Pooling | undefined;
  readonly queryPrefix?: string | undefined;
  readonly documentPrefix?: string | undefined;
}

/** The JSON of a file of the model by its path; undefined where there is none. */
export type ReadJson = (path: string) => unknown;

/** How vectors or scores are made cannot be told, or not be done. The message says what to do. */
export class ModelNotDescribed extends Error {
  override readonly name = 'ModelNotDescribed';
}

type Fields = Readonly<Record<string, unknown>>;

/** Attention costs memory with the square of it, and contents are shorter. */
const MAX_TOKENS = 1_024;

/**
 * How a model is used: what is said, else what its files say, else what its family is known for.
 *
 * @param names of the model, and of that which it was made from
 * @throws ModelNotDescribed
 */
export const describeModel = (names: readonly string[], read: ReadJson, said: Said): Recipe => {
  const fields = (path: string): Fields => asFields(read(path));
  const config = fields('config.json');
  const limits = { tokens: tokensOf(config, fields), pad: numberOr(config['pad_token_id'], 0) };
  const known = [...names, ...textsIn(config['_name_or_path'])];
  return (said.task ?? taskOf(config)) === 'reranking'
    ? rerankingOf(config, limits)
    : embeddingOf(known, read, said, limits);
};

const taskOf = ({ architectures }: Fields): Recipe['task'] => {
  const names = Array.isArray(architectures) ? (architectures as readonly unknown[]) : [];
  return names.some((name) => String(name).endsWith('ForSequenceClassification')) ? 'reranking' : 'embedding';
};

type Limits = Pick<Recipe, 'tokens' | 'pad'>;

/** As sentence-transformers stores it, else what the tokenizer and the graph bear. */
const tokensOf = (config: Fields, fields: (path: string) => Fields): number => {
  const own = fields('sentence_bert_config.json')['max_seq_length'];
  const positions = config['max_position_embeddings'];
  // RoBERTa's positions begin behind that of the padding.
  const offset = /roberta|camembert/.test(String(config['model_type']))
    ? numberOr(config['pad_token_id'], 1) + 1
    : 0;
  const bounds = [
    MAX_TOKENS,
    numberOr(own, numberOr(fields('tokenizer_config.json')['model_max_length'], Infinity)),
    numberOr(positions, Infinity) - offset,
  ];
  return Math.min(...bounds.filter((bound) => bound > 0));
};

const rerankingOf = (config: Fields, limits: Limits): RerankingRecipe => {
  const labels = Object.keys(asFields(config['id2label'])).length || numberOr(config['num_labels'], 1);
  if (labels === 1 || labels === 2) return { task: 'reranking', labels, ...limits };
  throw new ModelNotDescribed(`it sorts texts into ${labels} classes: a reranker has one label, or two`);
};

const embeddingOf = (
  names: readonly string[],
  read: ReadJson,
  said: Said,
  limits: Limits,
): EmbeddingRecipe => {
  const family = familyOf(names);
  const pooling = said.pooling ?? poolingIn(read) ?? family?.pooling;
  if (pooling === undefined)
    throw new ModelNotDescribed(
      'its files do not say how its vectors are made: look at its card, and name it by --pooling mean, cls, max or last',
    );
  const prompts = asFields(asFields(read('config_sentence_transformers.json'))['prompts']);
  const prompt = (...kinds: readonly string[]): string | undefined =>
    kinds.flatMap((kind) => textsIn(prompts[kind])).find((text) => text !== '');
  // Some list prompts that are all empty.
  const given = { query: prompt('query'), document: prompt('document', 'passage') };
  const own = given.query === undefined && given.document === undefined ? family?.prefixes : given;
  return {
    task: 'embedding',
    pooling,
    prefixes: {
      query: said.queryPrefix ?? own?.query ?? '',
      document: said.documentPrefix ?? own?.document ?? '',
    },
    ...limits,
  };
};

/** What sentence-transformers has written; undefined where it has not. */
const poolingIn = (read: ReadJson): Pooling | undefined => {
  const modules = read('modules.json');
  if (!Array.isArray(modules)) return undefined;
  const parts = (modules as readonly unknown[]).map(asFields);
  const typed = (type: string) => parts.find((part) => String(part['type']).endsWith(`.${type}`));
  const other = parts.find((part) => !/\.(?:Transformer|Pooling|Normalize)$/.test(String(part['type'])));
  if (other !== undefined)
    throw new ModelNotDescribed(
      `its vectors go through ${String(other['type'])} at the end, which is not done here; if its graph does it, say --pooling given`,
    );
  const path = typed('Pooling')?.['path'];
  if (typeof path !== 'string') return undefined;
  const settings = asFields(read(`${path}/config.json`));
  const modes = Object.entries(MODES).filter(
    ([mode]) => settings[`pooling_mode_${mode}`] === true || settings['pooling_mode'] === SHORT[mode],
  );
  const others = Object.entries(settings).filter(
    ([name, value]) => value === true && name.startsWith('pooling_mode_') && !(name.slice(13) in MODES),
  );
  if (modes.length === 1 && others.length === 0) return modes[0]![1];
  throw new ModelNotDescribed(`${path}/config.json pools in a way that is not known here`);
};

const MODES: Readonly<Record<string, Pooling>> = {
  mean_tokens: 'mean',
  cls_token: 'cls',
  max_tokens: 'max',
  lasttoken: 'last',
};
/** As newer versions of sentence-transformers write them. */
const SHORT: Readonly<Record<string, string>> = {
  mean_tokens: 'mean',
  cls_token: 'cls',
  max_tokens: 'max',
  lasttoken: 'lasttoken',
};

const asFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};
const numberOr = (value: unknown, other: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : other;
const textsIn = (value: unknown): readonly string[] => (typeof value === 'string' ? [value] : []);
