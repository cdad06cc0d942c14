import type { ExtractionFailureCode } from '../../application/ports/document-reader.ts';

/** What is wrong with the document at hand; becomes a failed outcome. The message holds no text of the document. */
export class ExtractionFailure extends Error {
  override readonly name = 'ExtractionFailure';
  readonly code: ExtractionFailureCode;
  constructor(code: ExtractionFailureCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
