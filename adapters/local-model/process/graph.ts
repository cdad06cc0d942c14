import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InferenceSession, Tensor } from 'onnxruntime-node';
import type { InstalledModel } from '../weights/manifest.ts';
import { encoderOf, type Tokens } from './tokens.ts';
import { normalized, pooled } from './pooling.ts';

/** A model that is loaded. */
export interface Graph {
  /** What it reads of each text. */
  readonly encode: (texts: readonly string[], question: string | undefined) => readonly Tokens[];
  /** One row for each, in their order. @throws where the graph does not take them */
  readonly run: (batch: readonly Tokens[]) => Promise<readonly Float32Array[]>;
}

/** @throws where the files are no model, or one whose graph wants or answers something else */
export const loadGraph = async (model: InstalledModel, threads: number): Promise<Graph> => {
  const { InferenceSession: Session, Tensor: TensorOf } = await import('onnxruntime-node');
  const { Tokenizer } = await import('@huggingface/tokenizers');
  const { recipe, folder } = model;
  const json = (path: string): object => JSON.parse(readFileSync(join(folder, path), 'utf8')) as object;
  const hasSettings = model.files.some(({ path }) => path === 'tokenizer_config.json');
  const tokenizer = new Tokenizer(json('tokenizer.json'), hasSettings ? json('tokenizer_config.json') : {});
  const encode = encoderOf(tokenizer, recipe.tokens);
  const session = await Session.create(join(folder, model.weights), {
    executionProviders: ['cpu'],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    logSeverityLevel: 3,
  });
  const unknown = session.inputNames.filter((name) => !INPUTS.has(name));
  if (unknown.length > 0) throw new Error(`its graph wants ${unknown.join(', ')}, which no text has`);
  const rowsOf = recipe.task === 'embedding' ? vectorsOf(session, recipe.pooling) : scoresOf(recipe.labels);

  return {
    encode: (texts, question) =>
      texts.map((text) => (question === undefined ? encode.text(text) : encode.pair(question, text))),
    run: async (batch) => {
      const length = Math.max(...batch.map(({ ids }) => ids.length));
      const filled = (of: (tokens: Tokens, at: number) => number): Tensor => {
        const numbers = new BigInt64Array(batch.length * length);
        for (const [row, tokens] of batch.entries())
          for (let at = 0; at < length; at += 1) numbers[row * length + at] = BigInt(of(tokens, at));
        return new TensorOf('int64', numbers, [batch.length, length]);
      };
      const inputs: { readonly [name: string]: () => Tensor } = {
        input_ids: () => filled(({ ids }, at) => ids[at] ?? recipe.pad),
        attention_mask: () => filled(({ ids }, at) => (at < ids.length ? 1 : 0)),
        token_type_ids: () => filled(({ types }, at) => types[at] ?? 0),
      };
      const feeds = Object.fromEntries(session.inputNames.map((name) => [name, inputs[name]!()]));
      return rowsOf(await session.run(feeds), batch);
    },
  };
};

const INPUTS: ReadonlySet<string> = new Set(['input_ids', 'attention_mask', 'token_type_ids']);

type Rows = (answer: InferenceSession.OnnxValueMapType, batch: readonly Tokens[]) => readonly Float32Array[];

const OF_TEXT = 'sentence_embedding';
const OF_TOKENS = ['last_hidden_state', 'token_embeddings'];

const vectorsOf = (session: InferenceSession, pooling: 'mean' | 'cls' | 'max' | 'last' | 'given'): Rows => {
  const given = session.outputNames.includes(OF_TEXT);
  const name = given ? OF_TEXT : (OF_TOKENS.find((one) => session.outputNames.includes(one)) ?? null);
  if (name === null || (pooling === 'given' && !given))
    throw new Error(`its graph answers ${session.outputNames.join(', ')}, and no vectors`);
  return (answer, batch) => {
    const { numbers, dims } = floats(answer, name);
    const width = dims.at(-1)!;
    if (given) return batch.map((_, row) => normalized(numbers.subarray(row * width, (row + 1) * width)));
    const vectors = { numbers, length: dims[1]!, width };
    const of = pooling === 'given' ? 'mean' : pooling;
    return batch.map(({ ids }, row) => pooled(vectors, row, ids.length, of));
  };
};

/** Between 0 and 1, in the order of the logits. */
const scoresOf =
  (labels: 1 | 2): Rows =>
  (answer, batch) => {
    const { numbers, dims } = floats(answer, 'logits');
    if (dims.at(-1) !== labels)
      throw new Error(`its graph answers ${dims.at(-1) ?? 0} labels, not ${labels}`);
    const logit = (row: number): number =>
      labels === 1 ? numbers[row]! : numbers[2 * row + 1]! - numbers[2 * row]!;
    return batch.map((_, row) => Float32Array.of(1 / (1 + Math.exp(-logit(row)))));
  };

const floats = (answer: InferenceSession.OnnxValueMapType, name: string) => {
  const { data, dims } = answer[name] as Tensor;
  if (!(data instanceof Float32Array)) throw new Error(`its graph answers ${name} in other than 32 bits`);
  return { numbers: data, dims };
};
