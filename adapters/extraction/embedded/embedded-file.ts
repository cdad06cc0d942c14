import { openZip } from '../archive/zip.ts';
import type { Format } from '../kind/formats.ts';
import { type OfficePackage, openPackage } from '../office/package.ts';

/** An embedded document. */
export interface EmbeddedFile {
  /** Its name for users; '' when the file has none. */
  readonly name: string;
  readonly content: Buffer;
}

const PACKAGES: ReadonlySet<Format> = new Set(['docx', 'docm', 'pptx', 'pptm', 'xlsx', 'xlsm', 'xlsb']);
/** Objects (ECMA-376-1, 15.2.10 and 15.2.11). */
const PARTS = /(?:^|\/)embeddings\/[^/]+$/i;

/** The documents within an office file since 2007, in order; none of other types. */
export const embeddedIn = function* (kind: Format, bytes: Buffer): Generator<EmbeddedFile> {
  if (!PACKAGES.has(kind)) return;
  const parts = openZip(bytes).names.filter((path) => PARTS.test(path));
  const file = openPackage(bytes);
  for (const path of [...chunksIn(file), ...parts]) {
    const content = file.bytes(path);
    // The extension distinguishes texts from pages.
    if (content !== null) yield { name: extension(path), content };
  }
};

/** Pieces of other formats that replace a part of the text of a Word document (ECMA-376-1, 11.3.1). */
const chunksIn = (file: OfficePackage): readonly string[] => {
  const main = file.relationships('').find(({ type }) => type === 'officeDocument')?.target;
  const related = main === undefined ? [] : file.relationships(main);
  return related.flatMap(({ type, target, external }) => (type === 'aFChunk' && !external ? target : []));
};

const extension = (path: string): string => /\.(?:html?|xhtml|txt|md|eml)$/i.exec(path)?.[0] ?? '';

/** Files that operating systems add to archives. */
const OF_SYSTEMS = /(?:^|\/)(?:__MACOSX\/|\.|desktop\.ini$|thumbs\.db$)/i;

/**
 * Files of a ZIP archive in order, named by the last segment of their paths. Skips those that cannot be decompressed.
 */
export const archivedFiles = function* (bytes: Buffer): Generator<EmbeddedFile> {
  const zip = openZip(bytes);
  for (const path of zip.names) {
    if (path.endsWith('/') || OF_SYSTEMS.test(path)) continue;
    const content = readable(() => zip.read(path));
    if (content !== null && content.length > 0)
      yield { name: path.slice(path.lastIndexOf('/') + 1), content };
  }
};

const readable = (read: () => Buffer | null): Buffer | null => {
  try {
    return read();
  } catch {
    return null;
  }
};
