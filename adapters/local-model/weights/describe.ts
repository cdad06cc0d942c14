import type { EmbeddingRecipe, Pooling, Recipe, RerankingRecipe } from './manifest.ts';

/** The properties of a family of embedding models, as its authors describe them. */
interface Family {
  readonly pooling: Exclude<EmbeddingRecipe['pooling'], 'given'>;
  readonly prefixes: EmbeddingRecipe['prefixes'];
}

const NONE = { query: '', document: '' };
const FOR_SEARCH = 'Represent this sentence for searching relevant passages: ';

/**
 * Copies of models for ONNX often lack the files that say how vectors are made. Then the first family counts whose
 * pattern matches the name of the model, or of its base model. Sources: the model cards.
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

/** Matches any of the model's names; null for an unknown family. */
const familyOf = (names: readonly string[]): Family | null =>
  FAMILIES.find(([pattern]) => names.some((name) => pattern.test(name)))?.[1] ?? null;

/** Options of the user for what the model's files do not say. */
export interface DescribeOptions {
  readonly task?: Recipe['task'] | undefined;
  readonly pooling?: Pooling | undefined;
  readonly queryPrefix?: string | undefined;
  readonly documentPrefix?: string | undefined;
}

/** Parses a JSON file of the model by its path; undefined when it is missing. */
export type ReadJson = (path: string) => unknown;

/** The way in which vectors or scores are made is unknown or unsupported. The message says what to do. */
export class ModelNotDescribed extends Error {
  override readonly name = 'ModelNotDescribed';
}

type Fields = Readonly<Record<string, unknown>>;

/** Memory of attention grows with its square, and contents are shorter. */
const MAX_TOKENS = 1_024;

/**
 * The recipe of a model: from the user's options, else from its files, else from its family.
 *
 * @param names names of the model and of its base model
 * @throws ModelNotDescribed
 */
export const describeModel = (names: readonly string[], read: ReadJson, said: DescribeOptions): Recipe => {
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

/** As stored by sentence-transformers, else the limit of tokenizer and graph. */
const tokensOf = (config: Fields, fields: (path: string) => Fields): number => {
  const own = fields('sentence_bert_config.json')['max_seq_length'];
  const positions = config['max_position_embeddings'];
  // RoBERTa's positions begin after the padding position.
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
  said: DescribeOptions,
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
  // Some models list prompts that are all empty.
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

/** The pooling that sentence-transformers has stored; undefined when it has not. */
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
/** Names that newer versions of sentence-transformers use. */
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
