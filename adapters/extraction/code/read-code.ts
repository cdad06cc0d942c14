import type { TextUnit } from '../../../domain/chunking/chunk.ts';
import { boundariesOf } from './definitions.ts';
import { languageOf } from './languages.ts';
import { linesOf } from './lines.ts';

/** About what one chunk holds: what fits stays together. */
const WHOLE = 1_200;
/** Beyond, code was written by a program, and parsing takes long. */
const LONGEST_PARSED = 1_000_000;

/**
 * Code at its structure: a unit for each definition, under the names of what it is in; large ones are cut at empty lines.
 * Code without a parser is cut at empty lines alone. Each unit knows its lines.
 *
 * @returns null where the name is not that of code
 */
export const readCode = async (fileName: string, text: string): Promise<TextUnit[] | null> => {
  const language = languageOf(fileName);
  if (language === null) return null;
  const lines = linesOf(text);
  if (language === 'lines' || text.length > LONGEST_PARSED) return lines.units([], WHOLE);
  const tree = (await language.load()).parse(text);
  return lines.units(boundariesOf(tree, text, language, WHOLE), WHOLE);
};
