import type { TextUnit } from '../../domain/chunking/chunk.ts';
import { ExtractionFailure } from './extraction-failure.ts';

/** The units of all parts of a document, in order. @throws {ExtractionFailure} `too_large` above `maxCharacters` */
export const unitsWithin = async <Part>(
  maxCharacters: number,
  parts: Iterable<Part>,
  read: (part: Part) => Promise<readonly TextUnit[]>,
): Promise<readonly TextUnit[]> => {
  const units: TextUnit[] = [];
  let characters = 0;
  for (const part of parts) {
    for (const unit of await read(part)) {
      characters += unit.text.length;
      units.push(unit);
    }
    if (characters > maxCharacters)
      throw new ExtractionFailure('too_large', `it has more than ${maxCharacters} characters of text`);
  }
  return units;
};
