import type { Chunk, Lines } from '../../domain/chunking/chunk.ts';
import { type DigestText, contentId } from '../../domain/chunking/content-id.ts';
import type { MetadataRecord } from '../../domain/source/events.ts';

/** One content of a document, in reading order by `ord`. */
export interface ContentRow {
  readonly id: string;
  readonly ord: number;
  readonly pageNumber: number;
  /** Line numbers, for file types that have them; else null. */
  readonly lines: Lines | null;
  /** When this text first appeared in the document, Unix seconds. */
  readonly timestamp: number;
  /**
   * Digest of everything indexed with the text but not covered by the id: title, language, headings, and metadata of
   * its row.
   */
  readonly label: string;
  /** Null for an existing content whose text was not read again. */
  readonly chunk: Chunk | null;
}

export interface DocumentVersion {
  readonly sourceId: string;
  readonly title: string;
  /** BCP 47, if known. */
  readonly language?: string;
  readonly chunks: readonly Chunk[];
  /** Unix milliseconds. */
  readonly at: number;
}

/** The contents of the new version. An unchanged text keeps its id and the time of its first appearance. */
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
    // A chunk set with the same text and occurrence twice violates its contract; the first one wins.
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

/** The writes that turn `before` into `after`. */
export interface ContentChanges<Before extends ContentRow> {
  readonly gone: readonly Before[];
  /** Indexed content with a new position, or with a new timestamp because it was absent in between. */
  readonly moved: readonly { readonly before: Before; readonly after: ContentRow }[];
  /** Content to index: new, or with a changed label (then `gone` contains the old row). */
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

/** Caches digests, because neighbouring chunks mostly have the same headings. */
const labels = (
  ofDocument: readonly string[],
  digest: DigestText,
): ((chunk: Pick<Chunk, 'headingPath' | 'metadata'>) => string) => {
  const known = new Map<string, string>();
  return ({ headingPath, metadata }) => {
    // Not cached: every row has different metadata.
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
 * The metadata that filters on chunks can use: `page_number` if the document has pages, a `heading` for each heading
 * above the chunk, outermost first, and the declared keys of its row.
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
