import type { Transcript, TranscriptSegment } from '../../../application/ports/transcriber.ts';
import { Unusable } from '../../http-client/ask.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Names of languages, as Whisper answers them, whose codes are asked for most. */
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
 * A transcript of `{language, segments: [{start, end, text}]}`, or of `{text}` alone, which has no times.
 *
 * @throws Unusable for anything else
 */
export const transcriptOf = (answer: unknown): Transcript => {
  const { language, segments, text, duration } = (answer ?? {}) as Fields;
  const named = typeof language === 'string' ? language.toLowerCase() : '';
  const tag = LANGUAGES[named] ?? (/^[a-z]{2,3}$/.test(named) ? named : null);
  if (Array.isArray(segments)) return { language: tag, segments: segments.map(segmentOf) };
  if (typeof text !== 'string') throw new Unusable('sent JSON that holds no transcript');
  const end = typeof duration === 'number' && duration > 0 ? duration : 0;
  return { language: tag, segments: text.trim() === '' ? [] : [{ start: 0, end, text }] };
};

const segmentOf = (segment: unknown): TranscriptSegment => {
  const { start, end, text } = (segment ?? {}) as Fields;
  if (typeof text !== 'string' || !isTime(start) || !isTime(end))
    throw new Unusable('sent a transcript without times');
  return { start, end, text };
};

const isTime = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;
