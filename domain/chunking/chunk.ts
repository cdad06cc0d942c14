import type { MetadataRecord } from '../source/events.ts';

/** Lines of a file, counted from 1; `last` belongs to them. */
export type Lines = { readonly first: number; readonly last: number };

/** A run of text under one heading path and on one page, as an extractor hands it over, in reading order. */
export type TextUnit = {
  /** Headings from the outermost to the one that this text stands under; empty where there is none. */
  readonly headingPath: readonly string[];
  /** Counted from 1; 0 for sources without pages. */
  readonly pageNumber: number;
  /** Includes the line of its own heading, so that no word of the document lies outside the units. */
  readonly text: string;
  /**
   * Of a unit that is a row: its fields, maybe none. It never shares a chunk with another unit, and each of its chunks has
   * all of them. Absent where the unit is no row.
   */
  readonly metadata?: readonly MetadataRecord[];
  /** Of a unit whose lines count, as those of code. Absent where a document has no lines that could be named. */
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
  /** How many earlier chunks of this document have the same text hash: tells repeated texts apart. */
  readonly occurrence: number;
  /** Of the row that it is of; absent where it is of none. */
  readonly metadata?: readonly MetadataRecord[];
  /** Of the units that it is of; absent where they have none. */
  readonly lines?: Lines;
};

/** Tokens of a text. Must not fail on any string, and should be sub-additive but for a token or two. */
export type CountTokens = (text: string) => number;

export type ChunkLimits = {
  /** No chunk counts more tokens than this. */
  readonly maxTokens: number;
  /** A chunk repeats whole sentences from the end of its predecessor up to this many tokens. */
  readonly overlapTokens: number;
  /** A section below this joins the one that follows under the same parent heading, if both fit one chunk. */
  readonly minTokens: number;
};

export const CHUNK_LIMITS: ChunkLimits = { maxTokens: 400, overlapTokens: 60, minTokens: 80 };
