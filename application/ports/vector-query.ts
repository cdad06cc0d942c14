/** A question as a vector. */
export interface VectorQuery {
  readonly model: string;
  /** The question, embedded by that model. */
  readonly vector: Float32Array;
}
