/** The purpose of an embedding: some models embed questions differently from passages. */
export type EmbeddingKind = 'document' | 'query';

/**
 * Turns texts into vectors; texts with similar meanings get vectors with similar directions.
 *
 * The same text and kind give the same vector, up to the accuracy of the model's arithmetic. Vectors of different
 * models are not comparable, even if they have the same length.
 */
export interface Embedder {
  readonly model: string;
  /** Length of every vector; null until the first response. */
  readonly dimensions: number | null;
  /**
   * One vector per text, in the order of the texts, none with length 0. All or nothing. Retries transient failures
   * within limits.
   *
   * @throws EmbeddingRefused, EmbedderUnavailable; the signal's reason when it aborts
   */
  readonly embed: (
    texts: readonly string[],
    kind: EmbeddingKind,
    signal: AbortSignal,
  ) => Promise<readonly Float32Array[]>;
}

/** The configured provider and its current model. */
export interface Embedders {
  readonly current: Embedder;
  /** Another model of the same provider. A question must be embedded by the model that embedded the texts. */
  readonly named: (model: string) => Embedder;
}

/** The provider rejects these texts, and a retry would not help: for example, one is too long for the model. */
export class EmbeddingRefused extends Error {
  override readonly name = 'EmbeddingRefused';
}

/** The provider is unavailable. The message says why, and contains neither the key nor a text. */
export class EmbedderUnavailable extends Error {
  override readonly name = 'EmbedderUnavailable';
}
