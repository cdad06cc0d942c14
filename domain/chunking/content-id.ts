import { uuidFromHash } from '../shared/uuid-from-hash.ts';
import type { Chunk } from './chunk.ts';

/** SHA-256 of a text in UTF-8: 32 bytes. */
export type DigestText = (text: string) => Uint8Array;

/**
 * Derives the id of a content. It depends only on the source, the text and the occurrence of the text, so unchanged
 * text keeps its id, and citations stay valid, when other parts of the document change.
 */
export function contentId(
  sourceId: string,
  chunk: Pick<Chunk, 'textHash' | 'occurrence'>,
  digest: DigestText,
): string {
  return uuidFromHash(digest(`${sourceId}\n${chunk.textHash}\n${chunk.occurrence}`));
}
