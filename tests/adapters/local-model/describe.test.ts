import { describe, expect, it } from 'vitest';
import { describeModel, type DescribeOptions } from '../../../adapters/local-model/weights/describe.ts';

const described = (name: string, files: Readonly<Record<string, unknown>> = {}, said: DescribeOptions = {}) =>
  describeModel([name], (path) => files[path], said);
const MODULES = [
  { path: '', type: 'sentence_transformers.models.Transformer' },
  { path: '1_Pooling', type: 'sentence_transformers.models.Pooling' },
];

describe('how the vectors of a model are made', () => {
  it('is what sentence-transformers has written', () => {
    const files = {
      'modules.json': MODULES,
      '1_Pooling/config.json': { pooling_mode_cls_token: true, pooling_mode_mean_tokens: false },
      'config_sentence_transformers.json': { prompts: { query: 'find: ', passage: 'text: ' } },
      'sentence_bert_config.json': { max_seq_length: 256 },
      'config.json': { max_position_embeddings: 512, pad_token_id: 3, architectures: ['BertModel'] },
    };
    expect(described('intfloat/e5-small', files)).toEqual({
      task: 'embedding',
      pooling: 'cls',
      prefixes: { query: 'find: ', document: 'text: ' },
      tokens: 256,
      pad: 3,
    });
  });

  it.each([
    ['mean', 'mean'],
    ['cls', 'cls'],
    ['max', 'max'],
    ['lasttoken', 'last'],
  ])('is %s as newer versions write it', (mode, pooling) => {
    const files = { 'modules.json': MODULES, '1_Pooling/config.json': { pooling_mode: mode } };
    expect(described('any', files)).toMatchObject({ pooling });
  });

  it.each([
    ['Xenova/multilingual-e5-small', 'mean', 'query: ', 'passage: '],
    ['Xenova/bge-small-en-v1.5', 'cls', 'Represent this sentence for searching relevant passages: ', ''],
    ['Xenova/bge-m3', 'cls', '', ''],
    ['Xenova/all-MiniLM-L6-v2', 'mean', '', ''],
    ['onnx-community/gte-multilingual-base', 'cls', '', ''],
    ['nomic-ai/nomic-embed-text-v1.5', 'mean', 'search_query: ', 'search_document: '],
  ])('is known of %s where its files do not say', (name, pooling, query, document) => {
    expect(described(name)).toMatchObject({ pooling, prefixes: { query, document } });
  });

  it('is known by the model that it was made from, and left to whoever fetches it', () => {
    expect(described('my-copy', { 'config.json': { _name_or_path: 'intfloat/e5-small-v2' } })).toMatchObject({
      prefixes: { document: 'passage: ' },
    });
    const said = { pooling: 'last', queryPrefix: 'Q: ', documentPrefix: '' } as const;
    expect(described('Xenova/e5-small', {}, said)).toMatchObject({
      pooling: 'last',
      prefixes: { query: 'Q: ', document: '' },
    });
  });

  it('is not guessed', () => {
    expect(() => described('someone/something')).toThrow(/--pooling/);
    const weighted = {
      'modules.json': MODULES,
      '1_Pooling/config.json': { pooling_mode_weightedmean_tokens: true },
    };
    expect(() => described('Xenova/e5-small', weighted)).toThrow(/pools in a way/);
    const dense = {
      'modules.json': [...MODULES, { path: '2_Dense', type: 'sentence_transformers.models.Dense' }],
    };
    expect(() => described('Xenova/e5-small', dense)).toThrow(/Dense/);
    expect(described('any', dense, { pooling: 'given' })).toMatchObject({ pooling: 'given' });
  });
});

describe('what a model reads of a text', () => {
  it.each([
    ['what its tokenizer takes', { 'tokenizer_config.json': { model_max_length: 128 } }, 128],
    ['what it has positions for', { 'config.json': { max_position_embeddings: 512 } }, 512],
    [
      'less by those that RoBERTa does not use',
      { 'config.json': { model_type: 'xlm-roberta', max_position_embeddings: 514, pad_token_id: 1 } },
      512,
    ],
    [
      '1,024 tokens where it would take more',
      { 'tokenizer_config.json': { model_max_length: 8_192 } },
      1_024,
    ],
  ])('is %s', (_, files, tokens) => {
    expect(described('e5-small', files)).toMatchObject({ tokens });
  });
});

describe('a reranker', () => {
  const config = (id2label: object) => ({
    'config.json': { architectures: ['XLMRobertaForSequenceClassification'], id2label },
  });

  it.each([1, 2])('has %i labels', (labels) => {
    const names = Object.fromEntries(Array.from({ length: labels }, (_, i) => [i, `LABEL_${i}`]));
    expect(described('any', config(names))).toMatchObject({ task: 'reranking', labels });
    expect(described('any', {}, { task: 'reranking' })).toMatchObject({ task: 'reranking', labels: 1 });
  });

  it('has no more', () => {
    expect(() => described('any', config({ 0: 'a', 1: 'b', 2: 'c' }))).toThrow(/3 classes/);
  });
});
