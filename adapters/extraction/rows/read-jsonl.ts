import type { DeclaredKey } from '../../../application/ports/document-reader.ts';
import { ExtractionFailure } from '../extraction-failure.ts';
import { isWrittenNumber, parseLine } from './parse-line.ts';
import { createRowReader, type RowField } from './row-reader.ts';

/**
 * A content for each line of JSON objects (jsonlines.org). What is no object is an error of its line.
 *
 * @throws {ExtractionFailure} `mislabelled` where no line is one; `too_large`
 */
export const readJsonl = (text: string, keys: readonly DeclaredKey[], maxCharacters: number) => {
  const rows = createRowReader(keys, maxCharacters);
  let objects = 0;
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const fields = fieldsOf(line);
    if (typeof fields === 'string') {
      rows.refuse(index + 1, fields);
      continue;
    }
    objects += 1;
    rows.add({ row: index + 1, headingPath: [], pageNumber: 0 }, fields);
  }
  const found = rows.finish();
  if (objects === 0 && found.rowErrors !== undefined)
    throw new ExtractionFailure(
      'mislabelled',
      'it is called a file of type jsonl, but no line of it is a JSON object',
    );
  return found;
};

/** What is wrong with a line that is no row. */
const fieldsOf = (line: string): readonly RowField[] | string => {
  try {
    const value = parseLine(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).map(fieldOf)
      : NO_OBJECT;
  } catch (error) {
    if (error instanceof SyntaxError) return NO_OBJECT;
    if (error instanceof RangeError) return 'it is nested too deep';
    throw error;
  }
};

const NO_OBJECT = 'it is no JSON object';

const fieldOf = ([name, value]: [string, unknown]): RowField => {
  if (typeof value === 'string') return { name, text: value };
  if (typeof value === 'number' || typeof value === 'boolean') return { name, text: String(value) };
  if (isWrittenNumber(value)) return { name, text: value.rawJSON };
  return value === null || value === undefined
    ? { name, text: '' }
    : { name, text: JSON.stringify(value), value: null };
};
