import type { TSchema } from 'typebox';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Writes a schema for the document; `whole`: itself, even where it has a name. */
export type EmitSchema = (schema: unknown, whole?: boolean) => Json;

const REFERENCE = '#/components/schemas/';

/** Replaces named schemas, recognised as the very objects, by references to them. */
export const createSchemaEmitter = (components: Readonly<Record<string, TSchema>>): EmitSchema => {
  const names = new Map<unknown, string>(Object.entries(components).map(([name, schema]) => [schema, name]));
  const emit: EmitSchema = (schema, whole = false) => {
    if (Array.isArray(schema)) return schema.map((item) => emit(item));
    if (schema === null || typeof schema !== 'object') return schema as Json;
    const name = names.get(schema);
    if (name !== undefined && !whole) return { $ref: REFERENCE + name };
    const entries = Object.entries(schema).map(([key, value]): [string, Json] =>
      key === '$ref' && typeof value === 'string' ? [key, REFERENCE + value] : [key, emit(value)],
    );
    return Object.fromEntries(entries);
  };
  return emit;
};
