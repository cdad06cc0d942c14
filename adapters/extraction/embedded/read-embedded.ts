import type { TextUnit } from '../../../domain/chunking/chunk.ts';
import type { ExtractionLimits } from '../../../application/ports/document-reader.ts';
import { contentsOf, filesIn, type EmbeddedReader, type Holder } from './contents.ts';
import type { EmbeddedFile } from './embedded-file.ts';

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
  /** @returns whether there is room for more */
  const add = (unit: TextUnit, name: string): boolean => {
    characters -= unit.text.length;
    if (characters >= 0) units.push(placed(unit, name));
    return characters >= 0;
  };
  const readAll = async (within: Iterable<EmbeddedFile>, depth: number): Promise<void> => {
    for (const file of within) {
      const timeMs = until - usedMs();
      if (files >= MOST_FILES || timeMs <= 0 || characters <= 0) return;
      files += 1;
      try {
        const found = await contentsOf(file, { ...limits, timeMs, textCharacters: characters }, read);
        if (found === null) continue;
        for (const unit of found.units) if (!add(unit, file.name)) return;
        if (depth < DEEPEST) await readAll(found.files, depth + 1);
      } catch {
        // One that is broken, or locked: the document around it is well.
      }
    }
  };
  await readAll(filesIn(holder), 1);
  return units;
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
