import type { AudioFileType, VideoFileType } from './document-reader.ts';

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

/** A recording on this machine. */
export interface Recording {
  /** Absolute path. */
  readonly file: string;
  readonly bytes: number;
  readonly fileType: AudioFileType | VideoFileType;
}

export type TranscriptionOutcome =
  | { readonly kind: 'transcript'; readonly transcript: Transcript }
  /** A tool or a provider that this recording needs is not set up; `message` says which. */
  | { readonly kind: 'not_configured'; readonly message: string }
  /** This recording cannot be transcribed: it is broken, too long, or the provider refuses it. */
  | {
      readonly kind: 'failed';
      readonly code: 'parser_failed' | 'too_large' | 'provider_error';
      readonly message: string;
    };

/** Writes down what is said in recordings. */
export interface Transcriber {
  /**
   * One call, one recording; calls are independent. The answer is not deterministic: providers are not.
   *
   * @throws the reason of `signal`, and nothing else: a provider that is away is `failed` with `provider_error`
   */
  transcribe(recording: Recording, signal?: AbortSignal): Promise<TranscriptionOutcome>;
}
