import { extractFile } from '../../composition/document-reader.ts';
import type { DocumentReader } from '../../application/ports/document-reader.ts';

const LIMITS = { timeMs: 60_000, memoryBytes: 2 ** 40, fileBytes: 2 ** 30, textCharacters: 2 ** 30 };

/** Reads in this process: for documents that do it no harm. */
export const plainReader: DocumentReader = {
  extract: (request) => extractFile({ ...request, limits: LIMITS }),
  extractBatch: (requests) =>
    Promise.all(requests.map((request) => extractFile({ ...request, limits: LIMITS }))),
  close: async () => {},
};
