import { extractFile } from '../../../../composition/document-reader.ts';
import { EXTRACTION_LIMITS } from '../../../../adapters/extraction/document-reader.ts';
import type {
  ExtractedDocument,
  ExtractionOutcome,
  ExtractionRequest,
} from '../../../../application/ports/document-reader.ts';
import { temporaryDocuments } from '../temporary-documents.ts';

/** The module that reader processes run. */
export const READER = new URL('../../../../composition/document-reader.ts', import.meta.url).href;

export interface Reading {
  outcome(bytes: string | Uint8Array, claims: Partial<ExtractionRequest>): Promise<ExtractionOutcome>;
  /** @throws where it is no document */
  document(bytes: string | Uint8Array, claims: Partial<ExtractionRequest>): Promise<ExtractedDocument>;
  /** Heading path, page number and text of each unit. */
  units(
    bytes: string | Uint8Array,
    claims: Partial<ExtractionRequest>,
  ): Promise<readonly (readonly [readonly string[], number, string])[]>;
  /** Texts of the units. */
  texts(bytes: string | Uint8Array, claims: Partial<ExtractionRequest>): Promise<readonly string[]>;
  remove(): void;
}

/** Reads documents in this process. */
export const createReading = (): Reading => {
  const documents = temporaryDocuments();
  const outcome: Reading['outcome'] = (bytes, claims) =>
    extractFile({
      ...documents.document(bytes, { withUnits: true, ...claims }),
      limits: { ...EXTRACTION_LIMITS, ...claims.limits },
    });
  const document: Reading['document'] = async (bytes, claims) => {
    const found = await outcome(bytes, claims);
    if (found.kind !== 'document') throw new Error(JSON.stringify(found));
    return found;
  };
  return {
    outcome,
    document,
    units: async (bytes, claims) =>
      (await document(bytes, claims)).units!.map((unit) => [unit.headingPath, unit.pageNumber, unit.text]),
    texts: async (bytes, claims) => (await document(bytes, claims)).units!.map((unit) => unit.text),
    remove: () => documents.remove(),
  };
};
