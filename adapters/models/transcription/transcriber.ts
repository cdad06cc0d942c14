import { openAsBlob } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FormData, type Dispatcher } from 'undici';
import type {
  Recording,
  Transcriber,
  TranscriptionOutcome,
  Transcript,
  TranscriptSegment,
} from '../../../application/ports/transcriber.ts';
import { ask } from '../../http-client/ask.ts';
import { InvalidResponse } from '../../http-client/provider-response.ts';
import type { ExtractSound } from './transcribing-reader.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The most common language names in Whisper's responses, with their codes. */
const LANGUAGES: Readonly<Record<string, string>> = {
  english: 'en',
  german: 'de',
  french: 'fr',
  spanish: 'es',
  italian: 'it',
  portuguese: 'pt',
  dutch: 'nl',
  polish: 'pl',
  russian: 'ru',
  ukrainian: 'uk',
  turkish: 'tr',
  arabic: 'ar',
  hindi: 'hi',
  chinese: 'zh',
  japanese: 'ja',
  korean: 'ko',
};

/**
 * Parses a transcript `{language, segments: [{start, end, text}]}`, or `{text}` alone, which has no times.
 *
 * @throws InvalidResponse for anything else
 */
const transcriptOf = (answer: unknown): Transcript => {
  const { language, segments, text, duration } = (answer ?? {}) as Fields;
  const named = typeof language === 'string' ? language.toLowerCase() : '';
  const tag = LANGUAGES[named] ?? (/^[a-z]{2,3}$/.test(named) ? named : null);
  if (Array.isArray(segments)) return { language: tag, segments: segments.map(segmentOf) };
  if (typeof text !== 'string') throw new InvalidResponse('sent JSON without a transcript');
  const end = typeof duration === 'number' && duration > 0 ? duration : 0;
  return { language: tag, segments: text.trim() === '' ? [] : [{ start: 0, end, text }] };
};

const segmentOf = (segment: unknown): TranscriptSegment => {
  const { start, end, text } = (segment ?? {}) as Fields;
  if (typeof text !== 'string' || !isTime(start) || !isTime(end))
    throw new InvalidResponse('sent a transcript without times');
  return { start, end, text };
};

const isTime = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;

export interface TranscriberOptions {
  readonly dispatcher: Dispatcher;
  /** Base URL of the API, such as `https://api.openai.com/v1`; the client appends `/audio/transcriptions`. */
  readonly url: string;
  readonly model: string;
  readonly key?: string | undefined;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Null without ffmpeg: recordings are then sent unchanged. */
  readonly extractSound: ExtractSound | null;
  /** Maximum size of a sent recording. Default: 25 MB, the limit of OpenAI. */
  readonly maxBytes?: number;
  /** Timeout of one attempt. Default: 10 minutes. */
  readonly timeoutMs?: number;
}

const RETRY = { attempts: 3, firstDelayMs: 1_000, maxDelayMs: 30_000 };
const MAX_BYTES = 25_000_000;
const MAX_ANSWER_BYTES = 32 * 1_024 ** 2;
const TIMEOUT_MS = 600_000;

/** The file types that the API accepts without conversion, by its names. */
const ACCEPTED_TYPES: ReadonlySet<string> = new Set([
  'flac',
  'mp3',
  'mp4',
  'mpg',
  'm4a',
  'ogg',
  'wav',
  'webm',
]);

/**
 * Transcribes recordings on a server with OpenAI's `/audio/transcriptions` API; ffmpeg, if available, extracts the
 * sound.
 */
export const createTranscriber = (options: TranscriberOptions): Transcriber => {
  const { extractSound, maxBytes = MAX_BYTES } = options;
  const send = createSend(options);
  const transcribe = async (
    recording: Recording,
    folder: string,
    signal: AbortSignal,
  ): Promise<TranscriptionOutcome> => {
    const { file, bytes, fileType } = recording;
    if (extractSound === null && (!ACCEPTED_TYPES.has(fileType) || bytes > maxBytes)) {
      const why =
        bytes > maxBytes ? `has ${bytes} bytes, and ${maxBytes} at most are sent` : `is of type ${fileType}`;
      return { kind: 'not_configured', message: `it ${why}: without ffmpeg its sound cannot be taken out` };
    }
    const sound = extractSound === null ? { file, bytes } : await extractSound(file, folder, signal);
    if (sound === null)
      return { kind: 'failed', code: 'parser_failed', message: 'ffmpeg finds no sound in it' };
    if (sound.bytes > maxBytes)
      return {
        kind: 'failed',
        code: 'too_large',
        message: `its sound has ${sound.bytes} bytes, and ${maxBytes} at most are sent`,
      };
    return send(sound.file, extractSound === null ? fileType : 'mp3', signal);
  };
  return {
    transcribe: async (recording, signal = new AbortController().signal) => {
      signal.throwIfAborted();
      const folder = await mkdtemp(join(tmpdir(), 'knowledger-sound-'));
      try {
        return await transcribe(recording, folder, signal);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
};

const createSend = ({
  dispatcher,
  model,
  key,
  sleep,
  url: base,
  timeoutMs = TIMEOUT_MS,
}: TranscriberOptions) => {
  const url = new URL(`${base.replace(/\/+$/, '')}/audio/transcriptions`);
  const server = { name: 'the transcription provider', dispatcher, url, key, sleep, timeoutMs };
  const provider = { ...server, maxBytes: MAX_ANSWER_BYTES, retry: RETRY };
  return async (file: string, extension: string, signal: AbortSignal): Promise<TranscriptionOutcome> => {
    const form = new FormData();
    form.set('file', await openAsBlob(file), `sound.${extension === 'mpg' ? 'mpeg' : extension}`);
    form.set('model', model);
    form.set('response_format', 'verbose_json');
    try {
      return { kind: 'transcript', transcript: await ask(provider, form, transcriptOf, signal) };
    } catch (error) {
      signal.throwIfAborted();
      return { kind: 'failed', code: 'provider_error', message: (error as Error).message };
    }
  };
};
