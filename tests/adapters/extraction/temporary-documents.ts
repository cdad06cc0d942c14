import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExtractionRequest } from '../../../application/ports/document-reader.ts';

export interface TemporaryDocuments {
  /** Writes a document and makes a request for it. */
  document(bytes: string | Uint8Array, claims?: Partial<ExtractionRequest>): ExtractionRequest;
  remove(): void;
}

export const temporaryDocuments = (): TemporaryDocuments => {
  const directory = mkdtempSync(join(tmpdir(), 'documents-'));
  let count = 0;
  return {
    document: (bytes, claims) => {
      const file = join(directory, String((count += 1)));
      writeFileSync(file, bytes);
      return { file, bytes: Buffer.byteLength(bytes), ...claims };
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
};
