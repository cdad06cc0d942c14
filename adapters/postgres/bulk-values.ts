import { storable } from '../../domain/filter/value.ts';
import { snakeCase, snakeKeys } from '../../domain/shared/key-case.ts';
import { column } from './database-schema.ts';
import { type RawBuilder, sql } from 'kysely';

/**
 * Rows as a FROM item, sent as one JSON parameter. Characters that Postgres cannot store become U+FFFD: the
 * text of a page must not halt the projection.
 *
 * @param columns name → SQL type, in the alias's column list; other fields of the rows are not sent
 */
export const recordset = <Name extends string>(
  rows: readonly { readonly [name in NoInfer<Name>]: unknown }[],
  alias: string,
  columns: { readonly [name in Name]: string },
): RawBuilder<unknown> => {
  const names = Object.keys(columns) as Name[];
  const spelt = names.map((name) => [name, snakeCase(name)] as const);
  const picked = rows.map((row) => {
    const record: { [name: string]: unknown } = {};
    for (const [name, as] of spelt) record[as] = snakeKeys(row[name]);
    return record;
  });
  const list = names.map((name) => sql`${column(name)} ${sql.raw(columns[name])}`);
  return sql`jsonb_to_recordset(${storableJson(picked)}::jsonb) as ${sql.id(alias)}(${sql.join(list)})`;
};

/**
 * A replacer is slow and hardly ever needed: only JSON with these escapes can contain U+0000 or a lone
 * surrogate.
 */
const storableJson = (value: unknown): string => {
  const json = JSON.stringify(value);
  if (!/\\u(?:0000|d[89a-f])/i.test(json)) return json;
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? storable(part) : part));
};

/**
 * Aggregates integers as bytes, in no order, which avoids printing and parsing a hundred thousand of them.
 */
export const packedNumbers = (number: RawBuilder<number>, where = sql<boolean>`true`): RawBuilder<Buffer> =>
  sql<Buffer>`coalesce(string_agg(int8send(${number}), '') filter (where ${where}), '')`;

/** Decodes `packedNumbers`: integers from 0 to 2^53. */
export const unpackedNumbers = (packed: Buffer): Float64Array => {
  const numbers = new Float64Array(packed.length / 8);
  for (let i = 0; i < numbers.length; i++) {
    numbers[i] = packed.readUInt32BE(i * 8) * 2 ** 32 + packed.readUInt32BE(i * 8 + 4);
  }
  return numbers;
};

/** Object id of `int` in every Postgres. */
const INT = 23;
/**
 * Number of dimensions, a flag for nulls, the element's type, and the length and lower bound of the one
 * dimension.
 */
const HEADER = 20;

/**
 * An array in Postgres' binary format for a parameter of type `int[]`: node-postgres sends a Buffer
 * unchanged. This avoids printing and parsing thousands of numbers.
 */
export const intArray = (values: Int32Array): Buffer => {
  const array = Buffer.allocUnsafe(HEADER + values.length * 8);
  for (const [i, field] of [1, 0, INT, values.length, 1].entries()) array.writeInt32BE(field, i * 4);
  for (const [i, value] of values.entries()) {
    array.writeInt32BE(4, HEADER + i * 8);
    array.writeInt32BE(value, HEADER + i * 8 + 4);
  }
  return array;
};
