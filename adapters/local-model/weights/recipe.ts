/** How the vectors of the tokens become that of the text; `given`: the graph does it itself. */
export type Pooling = 'mean' | 'cls' | 'max' | 'last' | 'given';

/** How texts become vectors, by what the files of a model say. */
export interface EmbeddingRecipe {
  readonly task: 'embedding';
  readonly pooling: Pooling;
  /** Put before each text. */
  readonly prefixes: { readonly query: string; readonly document: string };
  /** What the model reads of a text, special tokens included; the rest is left out. */
  readonly tokens: number;
  readonly pad: number;
}

/** How a question and a text become a score. */
export interface RerankingRecipe {
  readonly task: 'reranking';
  /** Logits of one label, or of two, the second of which means that the text answers the question. */
  readonly labels: 1 | 2;
  /** Of question and text together. */
  readonly tokens: number;
  readonly pad: number;
}

/** Stored in the manifest, so that it stays what it was when the first text was embedded. */
export type Recipe = EmbeddingRecipe | RerankingRecipe;
