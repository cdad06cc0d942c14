import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as Runtime from 'onnxruntime-common';
import type { InferenceSession, Tensor } from 'onnxruntime-common';
import type { InstalledModel, Pooling } from '../weights/manifest.ts';
import type { Tokenizer } from '@huggingface/tokenizers';

/** A loaded model. */
export interface Graph {
  /** Tokenizes the texts. */
  readonly encode: (texts: readonly string[], question: string | undefined) => readonly Tokens[];
  /** Returns one row per text, in order. @throws when the graph does not accept them */
  readonly run: (batch: readonly Tokens[]) => Promise<readonly Float32Array[]>;
}

/** Has 288 MB, and `npm ci` does not install it: its types come from `onnxruntime-common`. */
const RUNTIME: string = 'onnxruntime-node';

/** @throws when the files are not a model, or its graph has other inputs or outputs */
export const loadGraph = async (model: InstalledModel, threads: number): Promise<Graph> => {
  const { InferenceSession: Session, Tensor: TensorOf } = (await import(RUNTIME)) as typeof Runtime;
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

/** Maps logits to scores between 0 and 1, in the same order. */
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

/** The output of a graph for texts of `length` tokens each, including padding: `width` numbers per token. */
interface TokenVectors {
  readonly numbers: Float32Array;
  readonly length: number;
  readonly width: number;
}

/**
 * The unit vector of the text at index `place`, from the vectors of its first `tokens` tokens; padding follows them.
 *
 * @throws when it has no direction
 */
const pooled = (
  { numbers, length, width }: TokenVectors,
  place: number,
  tokens: number,
  pooling: Exclude<Pooling, 'given'>,
): Float32Array => {
  const token = (at: number): Float32Array => {
    const from = (place * length + at) * width;
    return numbers.subarray(from, from + width);
  };
  switch (pooling) {
    case 'cls':
      return normalized(token(0));
    case 'last':
      return normalized(token(Math.max(0, tokens - 1)));
    case 'mean': {
      const sums = new Float32Array(width);
      for (let at = 0; at < tokens; at += 1) {
        const vector = token(at);
        for (let i = 0; i < width; i += 1) sums[i]! += vector[i]!;
      }
      return normalized(sums);
    }
    case 'max': {
      const most = new Float32Array(width).fill(-Infinity);
      for (let at = 0; at < tokens; at += 1) {
        const vector = token(at);
        for (let i = 0; i < width; i += 1) most[i] = Math.max(most[i]!, vector[i]!);
      }
      return normalized(most);
    }
  }
};

/** A copy of length 1, because only directions are compared. @throws when it has none */
const normalized = (vector: Float32Array): Float32Array => {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  if (!(length > 0 && Number.isFinite(length))) throw new Error('its vector has no direction');
  return vector.map((value) => value / length);
};

/** The model's input for one text, or for a question and a text. */
export interface Tokens {
  readonly ids: readonly number[];
  /** 1 for tokens of the second text, if the model distinguishes them. */
  readonly types: readonly number[];
}

interface Encode {
  readonly text: (text: string) => Tokens;
  readonly pair: (question: string, text: string) => Tokens;
}

/** No language has longer tokens on average; longer texts are cut before tokenization. */
const CHARACTERS_PER_TOKEN = 20;

/**
 * Tokenizes texts and adds the model's special tokens, at most `most` in total: a longer text loses its end. In a pair
 * the text is cut first; the question is only cut to half of the available tokens.
 */
const encoderOf = (tokenizer: Tokenizer, most: number): Encode => {
  const encode = (text: string, pair?: string): Tokens => {
    const options = { return_token_type_ids: true, ...(pair !== undefined && { text_pair: pair }) } as const;
    const { ids, token_type_ids: types } = tokenizer.encode(text, options);
    return { ids, types };
  };
  /** Special tokens at the end. */
  const behind = closing(tokenizer);
  const cut = ({ ids, types }: Tokens): Tokens => {
    if (ids.length <= most) return { ids, types };
    const within = <T>(all: readonly T[]): readonly T[] => [
      ...all.slice(0, most - behind),
      ...all.slice(all.length - behind),
    ];
    return { ids: within(ids), types: within(types) };
  };
  const short = (text: string): string => text.slice(0, most * CHARACTERS_PER_TOKEN);
  return {
    text: (text) => cut(encode(short(text))),
    pair: (question, text) => cut(encode(fitQuestion(tokenizer, short(question), most), short(text))),
  };
};

const closing = (tokenizer: Tokenizer): number => {
  const bare = tokenizer.encode('a', { add_special_tokens: false }).ids;
  const whole = tokenizer.encode('a').ids;
  const last = bare.at(-1);
  return last === undefined ? 0 : whole.length - 1 - whole.lastIndexOf(last);
};

/** Shortens the question until it takes at most half of the tokens. */
const fitQuestion = (tokenizer: Tokenizer, question: string, most: number): string => {
  for (let rest = question; ;) {
    const { length } = tokenizer.encode(rest, { add_special_tokens: false }).ids;
    if (length <= most / 2) return rest;
    rest = rest.slice(0, Math.floor((rest.length * most) / 2 / length));
  }
};
