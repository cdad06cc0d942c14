import type { PDFDocumentProxy } from 'pdfjs-dist';
import type { EmbeddedFile } from '../embedded/embedded-file.ts';

/** As many as are looked at: each is unfolded whole. */
const MOST = 100;
const MOST_BYTES = 64 * 1_024 ** 2;

/** Files that are attached to a document, by the names that it shows (ISO 32000-1, 7.11.4); those that are broken are left out. */
export const attachmentsOf = async (document: PDFDocumentProxy): Promise<readonly EmbeddedFile[]> => {
  const found: EmbeddedFile[] = [];
  const listed = await document.getAttachments().catch(() => null);
  let left = MOST_BYTES;
  for (const [id, { filename }] of [...(listed ?? [])].slice(0, MOST)) {
    const content = await document.getAttachmentContent(id).catch(() => null);
    if (!(content instanceof Uint8Array) || content.length === 0) continue;
    left -= content.length;
    if (left < 0) break;
    found.push({ name: filename, content: Buffer.from(content) });
  }
  return found;
};
