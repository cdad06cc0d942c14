import type { ExtractionFailureCode } from '../../application/ports/document-reader.ts';

/** An error of the current document; becomes a failed outcome. The message contains no text of the document. */
export class ExtractionFailure extends Error {
  override readonly name = 'ExtractionFailure';
  readonly code: ExtractionFailureCode;
  constructor(code: ExtractionFailureCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
