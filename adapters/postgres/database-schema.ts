import {
  CamelCasePlugin,
  type Kysely,
  type PluginTransformQueryArgs,
  type RawBuilder,
  type RootOperationNode,
  sql,
} from 'kysely';
import { camelKeys, snakeCase } from '../../domain/shared/key-case.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- the one place that says so
export type AnyTables = any;

/** A pool, a connection or a transaction. */
export type Sql = Kysely<AnyTables>;

/**
 * Columns, and the keys of JSON in them, are snake_case in the database and camelCase in rows. Kysely's builder takes
 * camelCase names; raw SQL is sent as written.
 */
export class CamelRows extends CamelCasePlugin {
  override transformQuery(args: PluginTransformQueryArgs): RootOperationNode {
    return args.node.kind === 'RawNode' ? args.node : super.transformQuery(args);
  }

  protected override mapRow(row: Record<string, unknown>): Record<string, unknown> {
    return camelKeys(row) as Record<string, unknown>;
  }
}

/** A column, from its camelCase name. */
export const column = (name: string): RawBuilder<unknown> => sql.id(snakeCase(name));
