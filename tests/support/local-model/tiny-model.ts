import { createHash } from 'node:crypto';
import { FLOAT, INT64, node, onnxModel, tensor, value } from './onnx.ts';

/** Files of a model by their paths, as a hub has them. */
export type ModelFiles = ReadonlyMap<string, string | Uint8Array>;

const WIDTH = 16;
const SPECIAL = ['[PAD]', '[UNK]', '[CLS]', '[SEP]'];
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz0123456789'];
/** Words of the tests that are one token each. */
const WORDS = ['query', 'passage', ':', 'text', 'number', 'und', 'turbine', 'valve', 'honey', 'bee'];
const VOCABULARY = [...SPECIAL, ...LETTERS, ...LETTERS.map((letter) => `##${letter}`), ...WORDS];

const tokenId = (token: string): number => VOCABULARY.indexOf(token);

/** As BERT's: words of the vocabulary, and others by their letters, between [CLS] and [SEP]. */
const tokenizer = (): string => {
  const special = (id: string) => ({ SpecialToken: { id, type_id: 0 } });
  const sequence = (id: string, type: number) => ({ Sequence: { id, type_id: type } });
  return JSON.stringify({
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: SPECIAL.map((content) => ({
      id: tokenId(content),
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [special('[CLS]'), sequence('A', 0), special('[SEP]')],
      pair: [
        special('[CLS]'),
        sequence('A', 0),
        special('[SEP]'),
        sequence('B', 1),
        { SpecialToken: { id: '[SEP]', type_id: 1 } },
      ],
      special_tokens: Object.fromEntries(
        ['[CLS]', '[SEP]'].map((id) => [id, { id, ids: [tokenId(id)], tokens: [id] }]),
      ),
    },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(VOCABULARY.map((token, id) => [token, id])),
    },
  });
};

/** Of a token, by its hash: what the tiny model knows. */
export const tokenVector = (token: string): Float32Array =>
  Float32Array.from(createHash('md5').update(token).digest(), (byte) => byte / 128 - 1);

const IDS = value('input_ids', INT64, ['texts', 'tokens']);
const MASK = value('attention_mask', INT64, ['texts', 'tokens']);
const TYPES = value('token_type_ids', INT64, ['texts', 'tokens']);

/** Answers the vector of each token: what is pooled outside of it. */
export const embeddingGraph = (): Uint8Array => {
  const table = Float32Array.from(VOCABULARY.flatMap((token) => [...tokenVector(token)]));
  return onnxModel({
    nodes: [node('Gather', ['table', 'input_ids'], 'last_hidden_state')],
    constants: [tensor('table', [VOCABULARY.length, WIDTH], table)],
    inputs: [IDS, MASK],
    outputs: [value('last_hidden_state', FLOAT, ['texts', 'tokens', WIDTH])],
  });
};

const common = (): readonly (readonly [string, string])[] => [
  ['tokenizer.json', tokenizer()],
  ['tokenizer_config.json', JSON.stringify({ tokenizer_class: 'BertTokenizer', model_max_length: 64 })],
];

/** A model of embeddings, with the files that sentence-transformers puts beside it; `more` adds and replaces. */
export const tinyEmbeddingModel = (more: Readonly<Record<string, string | Uint8Array>> = {}): ModelFiles =>
  new Map<string, string | Uint8Array>([
    ...common(),
    [
      'config.json',
      JSON.stringify({
        architectures: ['BertModel'],
        model_type: 'bert',
        hidden_size: WIDTH,
        max_position_embeddings: 64,
        pad_token_id: 0,
      }),
    ],
    [
      'modules.json',
      JSON.stringify([
        { idx: 0, name: '0', path: '', type: 'sentence_transformers.models.Transformer' },
        { idx: 1, name: '1', path: '1_Pooling', type: 'sentence_transformers.models.Pooling' },
        { idx: 2, name: '2', path: '2_Normalize', type: 'sentence_transformers.models.Normalize' },
      ]),
    ],
    [
      '1_Pooling/config.json',
      JSON.stringify({ word_embedding_dimension: WIDTH, pooling_mode_mean_tokens: true }),
    ],
    ['sentence_bert_config.json', JSON.stringify({ max_seq_length: 32, do_lower_case: false })],
    ['onnx/model_quantized.onnx', embeddingGraph()],
    ...Object.entries(more),
  ]);

/** Words by what they say for an answer; the others say nothing, and padding would say much. */
const WEIGHTS: Readonly<Record<string, number>> = { turbine: 2, valve: 1, honey: -3, '[PAD]': 50 };

/**
 * Answers as a logit what the words of the second text weigh, and nothing of the first; `wholly`: of both, by a graph that
 * does not tell them apart.
 */
export const rerankingGraph = (labels: 1 | 2 = 1, wholly = false): Uint8Array => {
  const weights = VOCABULARY.flatMap((token) => (labels === 1 ? [] : [0]).concat(WEIGHTS[token] ?? 0));
  const cast = (from: string): readonly Uint8Array[] => [
    node('Cast', [from], `${from}_f`, { to: FLOAT }),
    node('Unsqueeze', [`${from}_f`, 'last'], `${from}_w`),
  ];
  return onnxModel({
    nodes: [
      node('Gather', ['table', 'input_ids'], 'weights'),
      ...cast('attention_mask'),
      node('Mul', ['weights', 'attention_mask_w'], 'seen'),
      ...(wholly ? [] : [...cast('token_type_ids'), node('Mul', ['seen', 'token_type_ids_w'], 'judged')]),
      node('ReduceSum', [wholly ? 'seen' : 'judged', 'tokens'], 'logits', { keepdims: 0n }),
    ],
    constants: [
      tensor('table', [VOCABULARY.length, labels], Float32Array.from(weights)),
      tensor('last', [1], BigInt64Array.of(2n)),
      tensor('tokens', [1], BigInt64Array.of(1n)),
    ],
    inputs: wholly ? [IDS, MASK] : [IDS, MASK, TYPES],
    outputs: [value('logits', FLOAT, ['texts', labels])],
  });
};

/** A cross-encoder. */
export const tinyReranker = (more: Readonly<Record<string, string | Uint8Array>> = {}): ModelFiles =>
  new Map<string, string | Uint8Array>([
    ...common(),
    [
      'config.json',
      JSON.stringify({
        architectures: ['BertForSequenceClassification'],
        model_type: 'bert',
        id2label: { 0: 'LABEL_0' },
        max_position_embeddings: 64,
        pad_token_id: 0,
      }),
    ],
    ['onnx/model.onnx', rerankingGraph()],
    ...Object.entries(more),
  ]);
