import type { MetadataRecord } from '../source/events.ts';

/** Lines of a file, counted from 1; `last` is inclusive. */
export type Lines = { readonly first: number; readonly last: number };

/** Consecutive text under one heading path and on one page. Extractors return units in reading order. */
export type TextUnit = {
  /** Headings from the outermost to the nearest one; empty when there is none. */
  readonly headingPath: readonly string[];
  /** Counted from 1; 0 for sources without pages. */
  readonly pageNumber: number;
  /** Includes the line of its own heading, so that every word of the document is in some unit. */
  readonly text: string;
  /**
   * The fields of a row, possibly none; absent when the unit is not a row. A row never shares a chunk with another
   * unit, and each of its chunks has all fields.
   */
  readonly metadata?: readonly MetadataRecord[];
  /** Line range of a unit with meaningful lines, such as code; absent when the document has no such lines. */
  readonly lines?: Lines;
};

/** One indexed piece of a document. Field names are those of the stored chunk set. */
export type Chunk = {
  readonly text: string;
  readonly headingPath: readonly string[];
  readonly pageNumber: number;
  readonly tokenCount: number;
  /** SHA-256 of the text in UTF-8, lower-case hex. */
  readonly textHash: string;
  /** How many earlier chunks of this document have the same text hash; distinguishes repeated texts. */
  readonly occurrence: number;
  /** Fields of the chunk's row; absent when it is not part of a row. */
  readonly metadata?: readonly MetadataRecord[];
  /** Line range of the chunk's units; absent when they have none. */
  readonly lines?: Lines;
};

/** Counts the tokens of a text. Must not fail on any string, and should be subadditive up to a token or two. */
export type CountTokens = (text: string) => number;

export type ChunkLimits = {
  /** Maximum tokens of a chunk. */
  readonly maxTokens: number;
  /** A chunk repeats whole sentences from the end of its predecessor, up to this many tokens. */
  readonly overlapTokens: number;
  /**
   * A section with fewer tokens is joined with the next one under the same parent heading, if both fit in one chunk.
   */
  readonly minTokens: number;
};

export const CHUNK_LIMITS: ChunkLimits = { maxTokens: 400, overlapTokens: 60, minTokens: 80 };
