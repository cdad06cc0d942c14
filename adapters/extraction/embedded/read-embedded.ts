import type { ExtractionLimits } from '../../../application/ports/document-reader.ts';
import type { TextUnit } from '../../../domain/chunking/chunk.ts';
import { readClaims } from '../kind/claims.ts';
import { fileKind, isZip, zipKind } from '../kind/file-kind.ts';
import type { Format } from '../kind/formats.ts';
import { type EmbeddedFile, archivedFiles, embeddedIn } from './embedded-file.ts';

/** Maximum depth: documents in documents in documents. */
const DEEPEST = 3;
const MAX_FILES = 100;
/** Share of the document's time limit. */
const SHARE = 0.5;

/**
 * Extracts the text of embedded documents, recursively, under their names. Skips unreadable ones, and stops when half
 * of the time is used up, so that they never cost the text around them.
 *
 * @param limits those of the document, less the characters that were read
 */
export const readEmbedded = async (
  holder: Holder,
  limits: ExtractionLimits,
  read: EmbeddedReader,
): Promise<readonly TextUnit[]> => {
  const units: TextUnit[] = [];
  const until = usedMs() + SHARE * limits.timeMs;
  let characters = limits.textCharacters;
  let files = 0;
  /** @returns whether there is room for more */
  const add = (unit: TextUnit, name: string): boolean => {
    characters -= unit.text.length;
    if (characters >= 0) units.push(placed(unit, name));
    return characters >= 0;
  };
  const readAll = async (within: Iterable<EmbeddedFile>, depth: number): Promise<void> => {
    for (const file of within) {
      const timeMs = until - usedMs();
      if (files >= MAX_FILES || timeMs <= 0 || characters <= 0) return;
      files += 1;
      try {
        const found = await contentsOf(file, { ...limits, timeMs, textCharacters: characters }, read);
        if (found === null) continue;
        for (const unit of found.units) if (!add(unit, file.name)) return;
        if (depth < DEEPEST) await readAll(found.files, depth + 1);
      } catch {
        // The embedded document is broken or locked; the outer document is fine.
      }
    }
  };
  await readAll(filesIn(holder), 1);
  return units;
};

/** Page numbers of an embedded document do not apply to the outer one. A name that is only an extension was made up. */
const placed = (unit: TextUnit, name: string): TextUnit => ({
  ...unit,
  headingPath: name === '' || name.startsWith('.') ? unit.headingPath : [name, ...unit.headingPath],
  pageNumber: 0,
});

const usedMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** Reads an embedded document with the reader of its type. */
export type EmbeddedReader = (
  kind: Format,
  bytes: Buffer,
  name: string,
  limits: ExtractionLimits,
) => Promise<{ readonly units: readonly TextUnit[]; readonly attachments?: readonly EmbeddedFile[] }>;

/** A document that was read, and the embedded documents that its reader found. */
export interface Holder {
  readonly kind: Format;
  readonly bytes: Buffer;
  readonly attachments: readonly EmbeddedFile[];
}

/** The text of a file, and the files within it. */
interface Contents {
  readonly units: readonly TextUnit[];
  readonly files: Iterable<EmbeddedFile>;
}

/** Images, sound and video within a document are usually decoration. */
const READ = new Set<Format>([
  ...(['doc', 'docx', 'docm', 'ppt', 'pptx', 'pptm', 'xls', 'xlsx', 'xlsm'] as const),
  ...(['odt', 'ods', 'odp', 'xlsb', 'rtf', 'eml', 'msg', 'mbox', 'epub'] as const),
  ...(['pdf', 'html', 'md', 'txt', 'ipynb'] as const),
]);

/** Null for types that are not read when embedded. @throws errors of the embedded document */
const contentsOf = async (
  { name, content }: EmbeddedFile,
  limits: ExtractionLimits,
  read: EmbeddedReader,
): Promise<Contents | null> => {
  const found = await kindOf({ name, content });
  if (found === 'archive') return { units: [], files: archivedFiles(content) };
  if (found === null) return null;
  const { units, attachments = [] } = await read(found, content, name, limits);
  return { units, files: filesIn({ kind: found, bytes: content, attachments }) };
};

/** Yields files until one breaks the list. */
const filesIn = function* ({ kind, bytes, attachments }: Holder): Generator<EmbeddedFile> {
  yield* attachments;
  try {
    yield* embeddedIn(kind, bytes);
  } catch {
    // The outer document is fine.
  }
};

const kindOf = async ({ name, content }: EmbeddedFile): Promise<Format | 'archive' | null> => {
  if (isZip(content)) {
    const found = zipKind(content);
    if ('mediaType' in found) return found.mediaType === 'application/zip' ? 'archive' : null;
  }
  const kind = await fileKind(
    content,
    readClaims(name === '' ? { fileName: 'object.bin' } : { fileName: name }),
  );
  return typeof kind === 'string' && READ.has(kind) ? kind : null;
};
