import type { Chunk, Lines } from './chunk.ts';
import type { MetadataRecord } from '../source/events.ts';

/**
 * The result of extracting one document, as it is stored in the file store. Read models are rebuilt from these files
 * without fetching or parsing anything again.
 *
 * The format is deterministic: equal sets give equal bytes and therefore the same hash. Field names are part of the
 * stored format; a change that readers of `format` 1 cannot handle needs format 2.
 */
export interface ChunkSet {
  readonly format: 1;
  readonly source: {
    readonly title: string;
    /** Null for a document without an address, such as an uploaded file. */
    readonly url: string | null;
    /** A value of the API's `file_type`. */
    readonly fileType: string;
    /** BCP 47 tag, detected or declared by the document; absent when unknown. */
    readonly language?: string;
  };
  /** Keywords of the document, best first, lower case, at most eight. */
  readonly keywords: readonly string[];
  /** In reading order. Empty for a document without text. */
  readonly chunks: readonly Chunk[];
}

/** The stored bytes are not a chunk set that this version can read. */
export class ChunkSetUnreadable extends Error {
  override readonly name = 'ChunkSetUnreadable';
}

/** Writes JSON with a fixed order of keys. */
export const serialiseChunkSet = (set: ChunkSet): string => {
  const { title, url, fileType, language } = set.source;
  return JSON.stringify({
    format: set.format,
    source: { title, url, file_type: fileType, language },
    keywords: set.keywords,
    chunks: set.chunks.map(orderedChunk),
  });
};

const orderedChunk = (chunk: Chunk): object => ({
  text: chunk.text,
  heading_path: chunk.headingPath,
  page_number: chunk.pageNumber,
  token_count: chunk.tokenCount,
  text_hash: chunk.textHash,
  occurrence: chunk.occurrence,
  ...(chunk.metadata !== undefined && {
    metadata: chunk.metadata.map(({ key, val, type }) => ({ key, val, type })),
  }),
  ...(chunk.lines !== undefined && { lines: [chunk.lines.first, chunk.lines.last] }),
});

/**
 * Parses a stored chunk set. Ignores unknown fields, so that additions do not break older readers.
 *
 * @throws {ChunkSetUnreadable} when the text is not JSON, has another format, or has a field of another type
 */
export const parseChunkSet = (text: string): ChunkSet => {
  const set = record(parseJson(text), 'chunk set');
  if (set['format'] !== 1) throw new ChunkSetUnreadable(`format ${JSON.stringify(set['format'])} is not 1`);
  const source = record(set['source'], 'source');
  const language = source['language'];
  return {
    format: 1,
    source: {
      title: string(source, 'title'),
      url: source['url'] === null ? null : string(source, 'url'),
      fileType: string(source, 'file_type'),
      ...(language === undefined ? {} : { language: string(source, 'language') }),
    },
    keywords: strings(set, 'keywords'),
    chunks: array(set, 'chunks').map(chunk),
  };
};

const chunk = (value: unknown): Chunk => {
  const fields = record(value, 'chunk');
  return {
    text: string(fields, 'text'),
    headingPath: strings(fields, 'heading_path'),
    pageNumber: count(fields, 'page_number'),
    tokenCount: count(fields, 'token_count'),
    textHash: string(fields, 'text_hash'),
    occurrence: count(fields, 'occurrence'),
    ...(fields['metadata'] !== undefined && { metadata: array(fields, 'metadata').map(metadataRecord) }),
    ...(fields['lines'] !== undefined && { lines: linesIn(fields) }),
  };
};

const linesIn = (fields: Fields): Lines => {
  const [first, last] = array(fields, 'lines');
  return { first: count({ first }, 'first'), last: count({ last }, 'last') };
};

const METADATA_TYPES = ['string', 'integer', 'float', 'date', 'datetime'] as const;

const metadataRecord = (value: unknown): MetadataRecord => {
  const fields = record(value, 'metadata record');
  const type = METADATA_TYPES.find((known) => known === fields['type']);
  if (type === undefined) throw new ChunkSetUnreadable('type of a metadata record is unknown');
  return { key: string(fields, 'key'), val: string(fields, 'val'), type };
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ChunkSetUnreadable('not JSON', { cause: error });
  }
};

type Fields = Readonly<Record<string, unknown>>;

const record = (value: unknown, name: string): Fields => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new ChunkSetUnreadable(`${name} is not an object`);
};

const string = (fields: Fields, name: string): string => {
  const value = fields[name];
  if (typeof value === 'string') return value;
  throw new ChunkSetUnreadable(`${name} is not a string`);
};

const count = (fields: Fields, name: string): number => {
  const value = fields[name];
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new ChunkSetUnreadable(`${name} is not a count`);
};

const array = (fields: Fields, name: string): readonly unknown[] => {
  const value = fields[name];
  if (Array.isArray(value)) return value as readonly unknown[];
  throw new ChunkSetUnreadable(`${name} is not an array`);
};

const strings = (fields: Fields, name: string): readonly string[] => {
  const values = array(fields, name);
  if (values.every((value) => typeof value === 'string')) return values;
  throw new ChunkSetUnreadable(`${name} contains something other than strings`);
};
