/** A stretch of a recording, in seconds from its beginning. */
export interface TranscriptSegment {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface Transcript {
  /** BCP 47, as the provider recognised it; null where it does not say. */
  readonly language: string | null;
  /** In their order. None where nothing is said. */
  readonly segments: readonly TranscriptSegment[];
}
