import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  DocumentReader,
  ExtractedDocument,
  ExtractionOutcome,
  ExtractionRequest,
} from '../../../application/ports/document-reader.ts';
import type { Recording, Transcriber, Transcript } from '../../../application/ports/transcriber.ts';

/**
 * A reader that has recordings written down. Readers have no network: what they find to be a recording is sent from here,
 * and its transcript is read by them like any document, redaction included.
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
      // One after the other: providers count requests.
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
