import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { LocalFileStore, StoredFile } from '../../ports/file-store.ts';
import type { UploadPart } from '../uploads/upload-part.ts';
import { type DocumentFields, withDocumentField } from './document-fields.ts';

/** A document that has come as a whole. */
export interface ReceivedDocument extends DocumentFields {
  readonly raw: StoredFile;
  /** As its executor claims; absent: it claims nothing. */
  readonly mediaType?: string;
}

/** More than any body has. */
const MOST_BYTES = 2 ** 40;

/**
 * Stores the bytes of a document as they come, without holding them in memory. Fields may come before and behind them.
 *
 * @param given what was said outside of the parts
 * @throws DomainError invalid_request; what `parts` and the store throw
 */
export const receiveDocument = async (
  area: Pick<LocalFileStore, 'putStream'>,
  parts: AsyncIterable<UploadPart>,
  given: DocumentFields,
): Promise<ReceivedDocument> => {
  let fields = given;
  let file: Pick<ReceivedDocument, 'raw' | 'mediaType'> | null = null;
  for await (const part of parts) {
    if (part.kind === 'field') {
      fields = withDocumentField(fields, part.name, part.value);
      continue;
    }
    if (file !== null) throw new DomainError('invalid_request', 'send one file: it is the document');
    const raw = await area.putStream(part.body, MOST_BYTES);
    file = { raw, ...(part.mediaType !== undefined && { mediaType: part.mediaType }) };
  }
  if (file === null)
    throw new DomainError('invalid_request', 'send the document, in a form as a file named file');
  if (file.raw.bytes === 0) throw new DomainError('invalid_request', 'the document has no bytes');
  return { ...fields, ...file };
};
