import type { Tokenizer } from '@huggingface/tokenizers';

/** What a model reads of one text, or of a question and a text. */
export interface Tokens {
  readonly ids: readonly number[];
  /** 1 for those of the second text, where the model tells them apart. */
  readonly types: readonly number[];
}

export interface Encode {
  readonly text: (text: string) => Tokens;
  readonly pair: (question: string, text: string) => Tokens;
}

/** No token of a language is longer on average; what is left out before a text is cut into tokens. */
const CHARACTERS_PER_TOKEN = 20;

/**
 * Texts as tokens, with those that the model wants around them, `most` at most in all: what is too long loses its end.
 * Of a pair the text is cut, and the question only to half of what there is room for.
 */
export const encoderOf = (tokenizer: Tokenizer, most: number): Encode => {
  const encode = (text: string, pair?: string): Tokens => {
    const options = { return_token_type_ids: true, ...(pair !== undefined && { text_pair: pair }) } as const;
    const { ids, token_type_ids: types } = tokenizer.encode(text, options);
    return { ids, types };
  };
  /** Special tokens that stand behind everything. */
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
    pair: (question, text) => cut(encode(halved(tokenizer, short(question), most), short(text))),
  };
};

const closing = (tokenizer: Tokenizer): number => {
  const bare = tokenizer.encode('a', { add_special_tokens: false }).ids;
  const whole = tokenizer.encode('a').ids;
  const last = bare.at(-1);
  return last === undefined ? 0 : whole.length - 1 - whole.lastIndexOf(last);
};

/** The question, shorter as long as it takes more than half of the tokens. */
const halved = (tokenizer: Tokenizer, question: string, most: number): string => {
  for (let rest = question; ;) {
    const { length } = tokenizer.encode(rest, { add_special_tokens: false }).ids;
    if (length <= most / 2) return rest;
    rest = rest.slice(0, Math.floor((rest.length * most) / 2 / length));
  }
};
