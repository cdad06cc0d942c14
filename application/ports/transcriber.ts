import type { AudioFileType, VideoFileType } from './document-reader.ts';

/** A segment of a recording, in seconds from its beginning. */
export interface TranscriptSegment {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface Transcript {
  /** BCP 47, as detected by the provider; null if it does not report one. */
  readonly language: string | null;
  /** In order; empty if the recording has no speech. */
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
  /** A tool or provider that this recording needs is not configured; `message` names it. */
  | { readonly kind: 'not_configured'; readonly message: string }
  /** The recording cannot be transcribed: it is broken or too long, or the provider refuses it. */
  | {
      readonly kind: 'failed';
      readonly code: 'parser_failed' | 'too_large' | 'provider_error';
      readonly message: string;
    };

/** Transcribes speech in recordings. */
export interface Transcriber {
  /**
   * Transcribes one recording. Calls are independent. Not deterministic, because providers are not.
   *
   * @throws the reason of `signal`, and nothing else: if a provider is unavailable, the outcome is `failed` with
   * `provider_error`
   */
  transcribe(recording: Recording, signal?: AbortSignal): Promise<TranscriptionOutcome>;
}
