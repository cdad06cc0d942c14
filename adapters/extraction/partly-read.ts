import type { PartialRead } from '../../application/ports/document-reader.ts';

/** What is said of a document that has more text than is read. */
export const partlyRead = (characters: number): PartialRead => ({
  code: 'partly_read',
  message: `it has more than ${characters} characters of text: the first of them were read`,
});
