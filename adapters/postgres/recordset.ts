import { type RawBuilder, sql } from 'kysely';
import { column } from './camel-rows.ts';
import { snakeCase, snakeKeys } from '../../domain/shared/key-case.ts';
import { storable } from '../../domain/filter/value.ts';

/**
 * Rows as a FROM item, sent as one JSON parameter. Characters that Postgres cannot store become U+FFFD: an event must
 * not halt the projection for the text of a page.
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
    const one: { [name: string]: unknown } = {};
    for (const [name, as] of spelt) one[as] = snakeKeys(row[name]);
    return one;
  });
  const list = names.map((name) => sql`${column(name)} ${sql.raw(columns[name])}`);
  return sql`jsonb_to_recordset(${storableJson(picked)}::jsonb) as ${sql.id(alias)}(${sql.join(list)})`;
};

/** A replacer is slow and hardly ever needed: only what JSON had to escape as these can be U+0000 or a lone surrogate. */
const storableJson = (value: unknown): string => {
  const json = JSON.stringify(value);
  if (!/\\u(?:0000|d[89a-f])/i.test(json)) return json;
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? storable(part) : part));
};
