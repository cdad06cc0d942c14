import type { TextUnit } from '../../../domain/chunking/chunk.ts';
import type { ExtractableFileType, ExtractionLimits } from '../../../application/ports/document-reader.ts';
import type { CompoundFile } from '../archive/compound-file.ts';
import { readClaims } from '../kind/claims.ts';
import { fileKind } from '../kind/file-kind.ts';
import { compoundKind } from '../kind/office-kind.ts';
import type { EmbeddedFile } from './embedded-file.ts';
import { embeddedIn } from './find-embedded.ts';

/** Text of a document that lies within another one, by what reads its type. */
export type EmbeddedReader = (
  kind: ExtractableFileType,
  source: Buffer | CompoundFile,
  name: string,
  limits: ExtractionLimits,
) => Promise<readonly TextUnit[]>;

/** Pictures, sound and video within a document are part of its looks. */
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
  kind: ExtractableFileType,
  source: Buffer | CompoundFile,
  limits: ExtractionLimits,
  read: EmbeddedReader,
): Promise<readonly TextUnit[]> => {
  const units: TextUnit[] = [];
  const until = usedMs() + SHARE * limits.timeMs;
  let characters = limits.textCharacters;
  let files = 0;
  const readAll = async (holder: ExtractableFileType, holding: Buffer | CompoundFile, depth: number) => {
    for (const file of filesIn(holder, holding)) {
      const timeMs = until - usedMs();
      if (files >= MOST_FILES || timeMs <= 0 || characters <= 0) return;
      files += 1;
      try {
        const found = await kindOf(file);
        if (found === null) continue;
        const left = { ...limits, timeMs, textCharacters: characters };
        for (const unit of await read(found, file.content, file.name, left)) {
          characters -= unit.text.length;
          if (characters < 0) return;
          units.push(placed(unit, file.name));
        }
        if (depth < DEEPEST) await readAll(found, file.content, depth + 1);
      } catch {
        // One that is broken, or locked: the document around it is well.
      }
    }
  };
  await readAll(kind, source, 1);
  return units;
};

/** As many as there are before one that breaks the list. */
const filesIn = function* (
  kind: ExtractableFileType,
  source: Buffer | CompoundFile,
): Generator<EmbeddedFile> {
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
