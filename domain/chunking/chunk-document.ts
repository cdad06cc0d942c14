import type { Chunk, ChunkLimits, CountTokens, TextUnit } from './chunk.ts';
import { splitSections } from './sections.ts';

/** Lower-case hex SHA-256 of a text in UTF-8. */
export type HashText = (text: string) => string;

/**
 * Splits a document into chunks in reading order. Deterministic: equal units, limits, counter and hash give equal
 * chunks. A document without text has none.
 */
export function chunkDocument(
  units: readonly TextUnit[],
  rules: { readonly count: CountTokens; readonly hash: HashText; readonly limits: ChunkLimits },
): Chunk[] {
  const seen = new Map<string, number>();
  const chunks: Chunk[] = [];
  for (const section of splitSections(units, rules.count, rules.limits)) {
    for (const piece of section.pieces) {
      const textHash = rules.hash(piece.text);
      const occurrence = seen.get(textHash) ?? 0;
      seen.set(textHash, occurrence + 1);
      chunks.push({
        text: piece.text,
        headingPath: section.headingPath,
        pageNumber: section.pageNumber,
        tokenCount: piece.tokens,
        textHash: textHash,
        occurrence,
        ...(section.metadata !== undefined && { metadata: section.metadata }),
        ...(section.lines !== undefined && { lines: section.lines }),
      });
    }
  }
  return chunks;
}
