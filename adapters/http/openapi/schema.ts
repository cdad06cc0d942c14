import type { TSchema } from 'typebox';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Emits a schema for the document; `whole` emits a named schema itself instead of a reference. */
export type EmitSchema = (schema: unknown, whole?: boolean) => Json;

const REFERENCE = '#/components/schemas/';

/**
 * Replaces named schemas by references. They are recognised by their text, because TypeBox copies optional schemas.
 * Results are cached, because writing all schemas takes 0.1 s.
 */
const createSchemaEmitter = (components: Components): EmitSchema => {
  const names = new Map(Object.entries(components).map(([name, schema]) => [JSON.stringify(schema), name]));
  const written = new WeakMap<object, Json>();
  const emit: EmitSchema = (schema, whole = false) => {
    if (schema === null || typeof schema !== 'object') return schema as Json;
    if (whole) return emitParts(schema);
    const json = written.get(schema) ?? emitReferring(schema);
    written.set(schema, json);
    return json;
  };
  const emitReferring = (schema: object): Json => {
    if (Array.isArray(schema)) return schema.map((item) => emit(item));
    const name = names.get(JSON.stringify(schema));
    return name === undefined ? emitParts(schema) : { $ref: REFERENCE + name };
  };
  const emitParts = (schema: object): Json =>
    Object.fromEntries(
      Object.entries(schema).map(([key, value]): [string, Json] =>
        key === '$ref' && typeof value === 'string' ? [key, REFERENCE + value] : [key, emit(value)],
      ),
    );
  return emit;
};

type Components = Readonly<Record<string, TSchema>>;

const emitters = new WeakMap<Components, EmitSchema>();

/** One emitter for all documents with these named schemas. */
export const schemaEmitterOf = (components: Components): EmitSchema => {
  const emit = emitters.get(components) ?? createSchemaEmitter(components);
  emitters.set(components, emit);
  return emit;
};
