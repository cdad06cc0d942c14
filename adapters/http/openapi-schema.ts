import type { TSchema } from 'typebox';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Writes a schema for the document; `whole`: itself, even where it has a name. */
export type EmitSchema = (schema: unknown, whole?: boolean) => Json;

const REFERENCE = '#/components/schemas/';

/** Replaces named schemas by references to them. They are recognised by their text: TypeBox copies what is optional. */
export const createSchemaEmitter = (components: Readonly<Record<string, TSchema>>): EmitSchema => {
  const names = new Map(Object.entries(components).map(([name, schema]) => [JSON.stringify(schema), name]));
  const emit: EmitSchema = (schema, whole = false) => {
    if (Array.isArray(schema)) return schema.map((item) => emit(item));
    if (schema === null || typeof schema !== 'object') return schema as Json;
    const name = whole ? undefined : names.get(JSON.stringify(schema));
    if (name !== undefined) return { $ref: REFERENCE + name };
    const entries = Object.entries(schema).map(([key, value]): [string, Json] =>
      key === '$ref' && typeof value === 'string' ? [key, REFERENCE + value] : [key, emit(value)],
    );
    return Object.fromEntries(entries);
  };
  return emit;
};
