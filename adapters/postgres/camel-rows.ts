import {
  CamelCasePlugin,
  type PluginTransformQueryArgs,
  type RawBuilder,
  type RootOperationNode,
  sql,
} from 'kysely';
import { camelKeys, snakeCase } from '../../domain/shared/key-case.ts';

/**
 * Columns, and the keys of JSON in them, are snake_case in the database and camelCase in rows. Statements of Kysely's
 * builder are spelt as the rows are; those written in SQL are sent as they are written.
 */
export class CamelRows extends CamelCasePlugin {
  override transformQuery(args: PluginTransformQueryArgs): RootOperationNode {
    return args.node.kind === 'RawNode' ? args.node : super.transformQuery(args);
  }

  protected override mapRow(row: Record<string, unknown>): Record<string, unknown> {
    return camelKeys(row) as Record<string, unknown>;
  }
}

/** A column by its name in rows. */
export const column = (name: string): RawBuilder<unknown> => sql.id(snakeCase(name));
