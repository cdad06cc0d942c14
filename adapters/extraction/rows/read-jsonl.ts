import type { DeclaredKey } from '../../../application/ports/document-reader.ts';
import { ExtractionFailure } from '../extraction-failure.ts';
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
    const object = parseObject(line);
    if (object === null) {
      rows.refuse(index + 1, 'it is no JSON object');
      continue;
    }
    objects += 1;
    rows.add({ row: index + 1, headingPath: [], pageNumber: 0 }, Object.entries(object).map(fieldOf));
  }
  const found = rows.finish();
  if (objects === 0 && found.rowErrors !== undefined)
    throw new ExtractionFailure(
      'mislabelled',
      'it is called a file of type jsonl, but no line of it is a JSON object',
    );
  return found;
};

const parseObject = (line: string): object | null => {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
};

const fieldOf = ([name, value]: [string, unknown]): RowField => {
  if (typeof value === 'string') return { name, text: value };
  if (typeof value === 'number' || typeof value === 'boolean') return { name, text: String(value) };
  return value === null || value === undefined
    ? { name, text: '' }
    : { name, text: JSON.stringify(value), value: null };
};
