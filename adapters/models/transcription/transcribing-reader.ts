import type {
  DocumentReader,
  ExtractedDocument,
  ExtractionOutcome,
  ExtractionRequest,
} from '../../../application/ports/document-reader.ts';
import type { Recording, Transcriber, Transcript } from '../../../application/ports/transcriber.ts';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * A reader that has recordings transcribed. Reader processes have no network: this process sends what they identify as
 * a recording, and they read its transcript like any document, including redaction.
 */
export const createTranscribingReader = (
  reader: DocumentReader,
  transcriber: Transcriber,
): DocumentReader => {
  const complete = async (
    outcome: ExtractionOutcome,
    request: ExtractionRequest,
    signal?: AbortSignal,
  ): Promise<ExtractionOutcome> => {
    if (!lacksTranscript(outcome)) return outcome;
    const { file, bytes } = request;
    const heard = await transcriber.transcribe({ file, bytes, fileType: outcome.fileType }, signal);
    switch (heard.kind) {
      case 'failed':
        return heard;
      case 'not_configured':
        return { ...outcome, missing: { code: 'not_configured', message: heard.message } };
      case 'transcript':
        return withFile(heard.transcript, (transcript) => reader.extract({ ...request, transcript }, signal));
    }
  };
  return {
    extract: async (request, signal) => complete(await reader.extract(request, signal), request, signal),
    extractBatch: async (requests, signal) => {
      const outcomes = await reader.extractBatch(requests, signal);
      const completed: ExtractionOutcome[] = [];
      // One after the other: providers limit the request rate.
      for (const [index, outcome] of outcomes.entries())
        completed.push(await complete(outcome, requests[index]!, signal));
      return completed;
    },
    close: () => reader.close(),
  };
};

const lacksTranscript = (
  outcome: ExtractionOutcome,
): outcome is ExtractedDocument & { readonly fileType: Recording['fileType'] } =>
  outcome.kind === 'document' && outcome.missing !== undefined;

const withFile = async <T>(transcript: Transcript, use: (file: string) => Promise<T>): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), 'knowledger-transcript-'));
  try {
    const file = join(folder, 'transcript.json');
    await writeFile(file, JSON.stringify(transcript), { mode: 0o600 });
    return await use(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const TIMEOUT_MS = 600_000;

/** Extracts the sound of a recording for sending; null when ffmpeg finds none. */
export type ExtractSound = (
  file: string,
  folder: string,
  signal?: AbortSignal,
) => Promise<{ readonly file: string; readonly bytes: number } | null>;

/**
 * Extracts the sound of a recording with ffmpeg: one channel of MP3, 14 MB per hour. The program gets no environment,
 * no input, and may open only files, so that playlists lead nowhere.
 *
 * @param ffmpeg path of the program
 */
export const createExtractSound =
  (ffmpeg: string): ExtractSound =>
  async (file, folder, signal) => {
    const sound = join(folder, 'sound.mp3');
    const how = ['-nostdin', '-loglevel', 'error', '-protocol_whitelist', 'file', '-i', file];
    const what = ['-vn', '-ac', '1', '-ar', '16000', '-b:a', '32k', '-f', 'mp3', '-y', sound];
    const limits = { timeout: TIMEOUT_MS, killSignal: 'SIGKILL', env: {}, maxBuffer: 64 * 1_024 } as const;
    try {
      await promisify(execFile)(ffmpeg, [...how, ...what], {
        ...limits,
        ...(signal !== undefined && { signal }),
      });
      const { size } = await stat(sound);
      return size === 0 ? null : { file: sound, bytes: size };
    } catch {
      signal?.throwIfAborted();
      return null;
    }
  };
