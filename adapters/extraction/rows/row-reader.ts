import type { TextUnit } from '../../../domain/chunking/chunk.ts';
import { readOperand } from '../../../domain/filter/value.ts';
import type { MetadataRecord } from '../../../domain/source/events.ts';
import type { DeclaredKey, RowError } from '../../../application/ports/document-reader.ts';

/** A field of a row. */
export interface RowField {
  readonly name: string;
  /** Its text. */
  readonly text: string;
  /** Its value, if it is displayed in another form: dates in RFC 3339. Null when it is not a single value. */
  readonly value?: string | null;
}

export interface RowPlace {
  readonly row: number;
  readonly headingPath: readonly string[];
  readonly pageNumber: number;
}

/** Turns the rows of one document into contents. */
export interface RowReader {
  add(place: RowPlace, fields: readonly RowField[]): void;
  /** Text that belongs to no row; empty parts are skipped. */
  beside(place: Omit<RowPlace, 'row'>, parts: readonly string[]): void;
  /** Reports an invalid row. `message` contains no text of it. */
  refuse(row: number, message: string): void;
  finish(): {
    readonly units: TextUnit[];
    readonly rowErrors?: readonly RowError[];
    readonly rowErrorCount?: number;
  };
}

const MAX_ERRORS = 1_000;

/**
 * The text of a row is its field `text`; without one, a line per undeclared field, or per field when all are declared.
 * Declared fields become metadata; empty ones are skipped.
 *
 * @param maxCharacters rows after so many characters are left out
 */
export const createRowReader = (keys: readonly DeclaredKey[], maxCharacters: number): RowReader => {
  const units: TextUnit[] = [];
  const errors: RowError[] = [];
  let count = 0;
  let characters = 0;
  const fail = (error: RowError): void => {
    count += 1;
    if (errors.length < MAX_ERRORS) errors.push(error);
  };
  const keep = (unit: TextUnit): void => {
    if (characters <= maxCharacters) units.push(unit);
    characters += unit.text.length;
  };
  return {
    refuse: (row, message) => fail({ row, key: null, message }),
    add: ({ row, ...place }, fields) => {
      const declared = declaredFields(keys, fields);
      const metadata: MetadataRecord[] = [];
      for (const [{ key, type }, { text, value = text }] of declared) {
        const val = value?.trim() ?? '';
        if (val === '' && value !== null) continue;
        if (value !== null && readOperand(val, type) !== null) metadata.push({ key, val, type });
        else fail({ row, key, message: `it is no ${type}` });
      }
      const text = rowText(fields, new Set(declared.values()));
      if (text === '') return fail({ row, key: null, message: 'it has no text' });
      keep({ ...place, text, metadata });
    },
    beside: (place, parts) => {
      const text = parts.filter((part) => part !== '').join('\n\n');
      if (text !== '') keep({ ...place, text, metadata: [] });
    },
    finish: () => ({ units, ...(count > 0 && { rowErrors: errors, rowErrorCount: count }) }),
  };
};

/** By exact name, else ignoring case. */
const declaredFields = (
  keys: readonly DeclaredKey[],
  fields: readonly RowField[],
): Map<DeclaredKey, RowField> => {
  const found = new Map<DeclaredKey, RowField>();
  for (const declared of keys) {
    const field =
      fields.find(({ name }) => name === declared.key) ??
      fields.find(({ name }) => name.toLowerCase() === declared.key.toLowerCase());
    if (field !== undefined) found.set(declared, field);
  }
  return found;
};

const rowText = (fields: readonly RowField[], declared: ReadonlySet<RowField>): string => {
  const said = fields.filter(({ text }) => text.trim() !== '');
  const own = said.find(({ name }) => name.toLowerCase() === 'text');
  if (own !== undefined) return own.text.trim();
  const others = said.filter((field) => !declared.has(field));
  return (others.length > 0 ? others : said)
    .map(({ name, text }) => (name === '' ? text.trim() : `${name}: ${text.trim()}`))
    .join('\n');
};
