import { uuidFromHash } from '../shared/uuid-from-hash.ts';
import type { Chunk } from './chunk.ts';

/** SHA-256 of a text in UTF-8: 32 bytes. */
export type DigestText = (text: string) => Uint8Array;

/**
 * Id of a content: the same for the same text at the same repetition within the same source, whatever else
 * of the document changes. So unchanged text keeps its id, and every citation of it, over syncs.
 */
export function contentId(
  sourceId: string,
  chunk: Pick<Chunk, 'textHash' | 'occurrence'>,
  digest: DigestText,
): string {
  return uuidFromHash(digest(`${sourceId}\n${chunk.textHash}\n${chunk.occurrence}`));
}
