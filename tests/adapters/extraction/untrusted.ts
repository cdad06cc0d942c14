import { afterAll } from 'vitest';
import {
  createDocumentReader,
  type DocumentReaderOptions,
} from '../../../adapters/extraction/document-reader.ts';
import type { ExtractionOutcome, ExtractionRequest } from '../../../application/ports/document-reader.ts';
import { READER } from './corpus/reading.ts';
import { temporaryDocuments } from './temporary-documents.ts';

/** What it is, the name of its file, its bytes, and how reading it ends where not as a document. */
export type Untrusted = [what: string, fileName: string, make: () => string | Buffer, ends?: string];

export const told = (outcome: ExtractionOutcome): string =>
  outcome.kind === 'failed' ? outcome.code : outcome.kind;

/** Reads documents, one after the other, in a process of their own. */
export const openUntrusted = (limits: NonNullable<DocumentReaderOptions['limits']>) => {
  const documents = temporaryDocuments();
  const reader = createDocumentReader({ processes: 1, module: READER, limits });
  afterAll(async () => {
    await reader.close();
    documents.remove();
  });
  return (...files: readonly (readonly [string | Buffer, Partial<ExtractionRequest>])[]) =>
    reader.extractBatch(files.map(([bytes, claims]) => documents.document(bytes, claims)));
};
