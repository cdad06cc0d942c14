import type { ExtractionFailureCode, PartialRead } from '../../application/ports/document-reader.ts';

/** An error of the current document; becomes a failed outcome. The message contains no text of the document. */
export class ExtractionFailure extends Error {
  override readonly name = 'ExtractionFailure';
  readonly code: ExtractionFailureCode;
  constructor(code: ExtractionFailureCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Tells of a document that has more text than is read. */
export const partlyRead = (characters: number): PartialRead => ({
  code: 'partly_read',
  message: `it has more than ${characters} characters of text: the first of them were read`,
});
