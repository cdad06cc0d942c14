import type { TextUnit } from '../../../domain/chunking/chunk.ts';
import type { ExtractableFileType, ExtractionLimits } from '../../../application/ports/document-reader.ts';
import type { CompoundFile } from '../archive/compound-file.ts';
import { readClaims } from '../kind/claims.ts';
import { fileKind } from '../kind/file-kind.ts';
import { compoundKind } from '../kind/office-kind.ts';
import { openedPackage } from '../locked/open-package.ts';
import { isMetafile, metafileLines } from '../metafile/metafile-lines.ts';
import type { EmbeddedFile } from './embedded-file.ts';
import { embeddedIn } from './find-embedded.ts';

/** Text of a document that lies within another one, by what reads its type. */
export type EmbeddedReader = (
  kind: ExtractableFileType,
  source: Buffer | CompoundFile,
  name: string,
  limits: ExtractionLimits,
) => Promise<{ readonly units: readonly TextUnit[]; readonly attachments?: readonly EmbeddedFile[] }>;

/** A document that was read, and the documents within it that its reader came upon. */
export interface Holder {
  readonly kind: ExtractableFileType;
  readonly source: Buffer | CompoundFile;
  readonly attachments: readonly EmbeddedFile[];
}

/** Pictures of points, sound and video within a document are part of its looks. */
const READ = new Set<ExtractableFileType>([
  ...(['doc', 'docx', 'docm', 'ppt', 'pptx', 'pptm', 'xls', 'xlsx', 'xlsm'] as const),
  ...(['pdf', 'html', 'md', 'txt'] as const),
]);

/** Documents in documents in documents. */
const DEEPEST = 3;
const MOST_FILES = 100;
/** Of the time that the document has. */
const SHARE = 0.5;

/**
 * Text of the documents within one, those within them included, under their names. What cannot be read is left out, and what
 * comes after half of the time is used up, so that it never costs the text around it.
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
  const pictures = new Set<string>();
  /** Text that it draws, where no other one draws the same. */
  const addPicture = (picture: Buffer): void => {
    const text = metafileLines(picture).join('\n');
    if (text === '' || pictures.has(text) || text.length > characters) return;
    pictures.add(text);
    characters -= text.length;
    units.push({ headingPath: [], pageNumber: 0, text });
  };
  const readAll = async (within: Holder, depth: number): Promise<void> => {
    for (const { name, content: held } of filesIn(within)) {
      const timeMs = until - usedMs();
      if (files >= MOST_FILES || timeMs <= 0 || characters <= 0) return;
      files += 1;
      try {
        const content = openedPackage(held);
        if (Buffer.isBuffer(content) && isMetafile(content)) {
          addPicture(content);
          continue;
        }
        const found = await kindOf({ name, content });
        if (found === null) continue;
        const left = { ...limits, timeMs, textCharacters: characters };
        const document = await read(found, content, name, left);
        for (const unit of document.units) {
          characters -= unit.text.length;
          if (characters < 0) return;
          units.push(placed(unit, name));
        }
        const { attachments = [] } = document;
        if (depth < DEEPEST) await readAll({ kind: found, source: content, attachments }, depth + 1);
      } catch {
        // One that is broken, or locked: the document around it is well.
      }
    }
  };
  await readAll(holder, 1);
  return units;
};

/** As many as there are before one that breaks the list. */
const filesIn = function* ({ kind, source, attachments }: Holder): Generator<EmbeddedFile> {
  yield* attachments;
  try {
    yield* embeddedIn(kind, source);
  } catch {
    // As above.
  }
};

const kindOf = async ({ name, content }: EmbeddedFile): Promise<ExtractableFileType | null> => {
  if (!Buffer.isBuffer(content)) {
    const found = compoundKind(content);
    return 'kind' in found ? found.kind : null;
  }
  const kind = await fileKind(
    content,
    readClaims(name === '' ? { fileName: 'object.bin' } : { fileName: name }),
  );
  return typeof kind === 'string' && READ.has(kind) ? kind : null;
};

/** Its pages are none of the document. A name that is an extension alone was made up. */
const placed = (unit: TextUnit, name: string): TextUnit => ({
  ...unit,
  headingPath: name === '' || name.startsWith('.') ? unit.headingPath : [name, ...unit.headingPath],
  pageNumber: 0,
});

const usedMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};
