/** What a text is embedded for: some models embed questions otherwise than passages. */
export type EmbeddingKind = 'document' | 'query';

/**
 * Turns texts into vectors whose directions are alike where their meanings are.
 *
 * The same text and kind give the same vector, up to what the model's arithmetic varies. Vectors of different models
 * cannot be compared, even where they have the same length.
 */
export interface Embedder {
  readonly model: string;
  /** Length of every vector; null until the first answer has told it. */
  readonly dimensions: number | null;
  /**
   * One vector per text, in their order, none of them of length 0; no texts, no vectors. All or nothing. Requests that
   * may succeed when repeated are repeated within limits.
   *
   * @throws EmbeddingRefused, EmbedderUnavailable; the signal's reason when it aborts
   */
  readonly embed: (
    texts: readonly string[],
    kind: EmbeddingKind,
    signal: AbortSignal,
  ) => Promise<readonly Float32Array[]>;
}

/** The provider that is set up, and the model that is to be used. */
export interface Embedders {
  readonly current: Embedder;
  /** Another model of the same provider: questions must be embedded by the model that embedded the texts. */
  readonly named: (model: string) => Embedder;
}

/** The provider does not take these texts, and would not the next time: one is too long for the model, for example. */
export class EmbeddingRefused extends Error {
  override readonly name = 'EmbeddingRefused';
}

/** The provider cannot be used now. The message says what happened, and never holds the key or a text. */
export class EmbedderUnavailable extends Error {
  override readonly name = 'EmbedderUnavailable';
}
