import type { Chunk } from '../../domain/chunking/chunk.ts';
import type { MetadataRecord } from '../../domain/source/events.ts';

/**
 * What filters on chunks may ask of every chunk, from its chunk set: `page_number` where the document has pages, a
 * `heading` for each heading that the chunk stands under, from the outermost to its own, and what its row has of the
 * keys that were declared.
 */
export const chunkMetadata = ({
  pageNumber,
  headingPath,
  metadata = [],
}: Pick<Chunk, 'pageNumber' | 'headingPath' | 'metadata'>): readonly MetadataRecord[] => [
  ...(pageNumber > 0 ? [{ key: 'page_number', val: String(pageNumber), type: 'integer' } as const] : []),
  ...headingPath.map((val) => ({ key: 'heading', val, type: 'string' }) as const),
  ...metadata,
];
