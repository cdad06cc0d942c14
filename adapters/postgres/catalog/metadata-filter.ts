import type { Condition, Filter, OperandSet, Order } from '../../../domain/filter/filter.ts';
import type { Comparison, Operand } from '../../../domain/filter/value.ts';
import { type RawBuilder, sql } from 'kysely';

/** The side table of a record's metadata, and the join condition of its rows. */
export interface MetadataTable {
  readonly table: RawBuilder<unknown>;
  /** Condition that a row `m` of the table belongs to the record of the outer query. */
  readonly owned: RawBuilder<boolean>;
  readonly tenant: string;
  /** Keys whose values are columns of the record itself, as well as rows of the table. */
  readonly columns?: ReadonlyMap<string, ValueColumn>;
}

export interface ValueColumn {
  /** A FROM item with a row for each value, in the columns of the side table. */
  readonly rows: RawBuilder<unknown>;
  /**
   * Condition that the record has one of the texts, in the column or in rows `m` of the side table for which `stored`
   * holds; where an index is there to find such records.
   */
  readonly hasText?: (
    texts: readonly string[],
    tenant: string,
    stored: RawBuilder<boolean>,
  ) => RawBuilder<boolean>;
}

/**
 * Indexed prefix of metadata keys and values in characters: index entries have a size limit, values do not.
 */
export const INDEXED_LENGTH = 100;

/**
 * Translates the filter to a condition of a query, with parameters only, equivalent to `matches` of the
 * domain. Every condition on the side table is an EXISTS, so that it is never NULL and the planner may turn
 * it into a join.
 */
export const metadataExpression = (filter: Filter, of: MetadataTable): RawBuilder<boolean> => {
  if (filter.parts.length === 0) return sql<boolean>`true`;
  const parts = filter.parts.map((part) =>
    part.kind === 'group' ? metadataExpression(part, of) : conditionExpression(part, of),
  );
  return sql<boolean>`(${sql.join(parts, filter.logic === 'AND' ? sql` and ` : sql` or `)})`;
};

const conditionExpression = (condition: Condition, of: MetadataTable): RawBuilder<boolean> => {
  const some = (holds: RawBuilder<boolean>): RawBuilder<boolean> => someValue(condition.key, holds, of);
  const someAmong = (set: OperandSet): RawBuilder<boolean> =>
    someValue(condition.key, among(set), of, set.as === 'text' ? set.values.map(String) : undefined);
  switch (condition.kind) {
    case 'compare': {
      const { operator, operand } = condition;
      if (operator !== 'eq' && operator !== 'ne') return some(ordered(operator, operand));
      const found = someAmong({ as: operand.as, values: [operand.value] });
      return operator === 'ne' ? sql<boolean>`not ${found}` : found;
    }
    case 'between':
      return some(sql<boolean>`${ordered('gte', condition.min)} and ${ordered('lte', condition.max)}`);
    case 'among': {
      const found = someAmong(condition.set);
      return condition.negated ? sql<boolean>`not ${found}` : found;
    }
    case 'text':
      return some(
        condition.operator === 'contains'
          ? sql<boolean>`position(${condition.value} in m.val_text) > 0`
          : sql<boolean>`starts_with(m.val_text, ${condition.value})`,
      );
    case 'exists':
      return condition.expected ? some(sql<boolean>`true`) : sql<boolean>`not ${some(sql<boolean>`true`)}`;
  }
};

/** @param texts what `holds` compares values with, if these are texts */
const someValue = (
  key: string,
  holds: RawBuilder<boolean>,
  { table, owned, tenant, columns }: MetadataTable,
  texts?: readonly string[],
): RawBuilder<boolean> => {
  const such = sql<boolean>`m.tenant = ${tenant} and ${oneOf(sql`m.key`, [key])} and ${holds}`;
  const stored = sql<boolean>`exists (select from ${table} m where ${owned} and ${such})`;
  const column = columns?.get(key);
  if (column === undefined) return stored;
  if (texts !== undefined && column.hasText !== undefined) return column.hasText(texts, tenant, such);
  return sql<boolean>`(exists (select from ${column.rows} m where ${holds}) or ${stored})`;
};

/** The number must be a literal so that the index on the expression matches. */
const lit = (length: number): RawBuilder<number> => sql.lit(length);

const COLUMN: { readonly [C in Comparison]: RawBuilder<unknown> } = {
  text: sql`m.val_text`,
  number: sql`m.val_number`,
  time: sql`m.val_time`,
};

/** NULL if the value has another type, which EXISTS treats as false. */
const ordered = (operator: Exclude<Order, 'eq' | 'ne'>, operand: Operand): RawBuilder<boolean> =>
  sql<boolean>`${COLUMN[operand.as]} ${SIGN[operator]} ${bound(operand)}`;

const SIGN = { gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=` } as const;

const bound = ({ as, value }: Operand): RawBuilder<unknown> => {
  switch (as) {
    case 'text':
      return sql`${value}::text collate "C"`;
    case 'number':
      return sql`${value}::float8`;
    case 'time':
      return sql`${value}::bigint`;
  }
};

const among = ({ as, values }: OperandSet): RawBuilder<boolean> => {
  switch (as) {
    case 'text':
      return oneOf(sql`m.val_text`, values.map(String));
    case 'number':
      return sql<boolean>`m.val_number = any(${values}::float8[])`;
    case 'time':
      return sql<boolean>`m.val_time = any(${values}::bigint[])`;
  }
};

/**
 * Compares the indexed prefixes, and the whole texts only where a prefix does not tell: the planner counts each
 * comparison as one that leaves out further rows.
 */
const oneOf = (column: RawBuilder<string>, texts: readonly string[]): RawBuilder<boolean> => {
  const prefixes = texts.map(prefix);
  const prefixed = sql<boolean>`left(${column}, ${lit(INDEXED_LENGTH)}) = any(${prefixes}::text[])`;
  if (prefixes.every(({ length }) => length < INDEXED_LENGTH)) return prefixed;
  return sql<boolean>`(${prefixed} and ${column} = any(${texts}::text[]))`;
};

/** Counts code points, like `left` of Postgres. */
const prefix = (text: string): string => [...text].slice(0, INDEXED_LENGTH).join('');
