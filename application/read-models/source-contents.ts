import type { Chunk, Lines } from '../../domain/chunking/chunk.ts';
import { type DigestText, contentId } from '../../domain/chunking/content-id.ts';
import type { MetadataRecord } from '../../domain/source/events.ts';

/** One content of a document, in reading order by `ord`. */
export interface ContentRow {
  readonly id: string;
  readonly ord: number;
  readonly pageNumber: number;
  /** Of a file whose lines count; else null. */
  readonly lines: Lines | null;
  /** When this text first appeared in the document, Unix seconds. */
  readonly timestamp: number;
  /** Digest of what it is indexed under beside its own text, which the id stands for: title, language, headings, and
   * metadata of its row. */
  readonly label: string;
  /** Null for a content that was there before and whose text was not read again. */
  readonly chunk: Chunk | null;
}

export interface DocumentVersion {
  readonly sourceId: string;
  readonly title: string;
  /** BCP 47, where it is known. */
  readonly language?: string;
  readonly chunks: readonly Chunk[];
  /** Unix milliseconds. */
  readonly at: number;
}

/** The contents of the new version: a text that was there before keeps its id and the time of its first appearance. */
export const replaceContents = (
  before: readonly ContentRow[],
  { sourceId, title, language, chunks, at }: DocumentVersion,
  digest: DigestText,
): readonly ContentRow[] => {
  const timestamps = new Map(before.map(({ id, timestamp }) => [id, timestamp]));
  const labelOf = labels([title, ...(language === undefined ? [] : [language])], digest);
  const now = Math.floor(at / 1000);
  const contents = new Map<string, ContentRow>();
  for (const [ord, chunk] of chunks.entries()) {
    const id = contentId(sourceId, chunk, digest);
    const label = labelOf(chunk);
    const timestamp = timestamps.get(id) ?? now;
    // A set that repeats a text under one occurrence breaks its own contract; the first one stands.
    if (!contents.has(id))
      contents.set(id, {
        id,
        ord,
        pageNumber: chunk.pageNumber,
        lines: chunk.lines ?? null,
        timestamp,
        label,
        chunk,
      });
  }
  return [...contents.values()];
};

/** What to write so that `before` becomes `after`. */
export interface ContentChanges<Before extends ContentRow> {
  readonly gone: readonly Before[];
  /** Indexed as before, at another place, or at another time: it was gone in between. */
  readonly moved: readonly { readonly before: Before; readonly after: ContentRow }[];
  /** To be indexed: new, or known under another label; then it is among `gone` too. */
  readonly fresh: readonly ContentRow[];
}

export const contentChanges = <Before extends ContentRow>(
  before: readonly Before[],
  after: readonly ContentRow[],
): ContentChanges<Before> => {
  const known = new Map(before.map((row) => [row.id, row]));
  const kept = new Map<string, Before>();
  const moved: { before: Before; after: ContentRow }[] = [];
  const fresh: ContentRow[] = [];
  for (const row of after) {
    const old = known.get(row.id);
    if (old === undefined || old.label !== row.label) {
      fresh.push(row);
      continue;
    }
    kept.set(row.id, old);
    if (!sameFacts(old, row)) moved.push({ before: old, after: row });
  }
  return { gone: before.filter(({ id }) => !kept.has(id)), moved, fresh };
};

const sameFacts = (a: ContentRow, b: ContentRow): boolean =>
  a.ord === b.ord &&
  a.pageNumber === b.pageNumber &&
  a.lines?.first === b.lines?.first &&
  a.lines?.last === b.lines?.last &&
  a.timestamp === b.timestamp;

/** Neighbouring chunks mostly stand under the same headings. */
const labels = (
  ofDocument: readonly string[],
  digest: DigestText,
): ((chunk: Pick<Chunk, 'headingPath' | 'metadata'>) => string) => {
  const known = new Map<string, string>();
  return ({ headingPath, metadata }) => {
    // Rows differ in it, each from the others.
    if (metadata !== undefined)
      return hex(digest(JSON.stringify([...ofDocument, headingPath, metadata]))).slice(0, 16);
    const text = JSON.stringify([...ofDocument, headingPath]);
    const label = known.get(text) ?? hex(digest(text)).slice(0, 16);
    known.set(text, label);
    return label;
  };
};

const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

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
