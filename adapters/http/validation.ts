import { inPlainWords } from '../system/json-schema/plain-words.ts';
import { httpUrlProblem } from './parameters.ts';
import { HttpProblem, type ProblemType } from './problem.ts';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';

/** Throws HttpProblem unless the value matches; fills in defaults. */
type Check = (value: unknown) => void;

/** Creates the check of a schema, once per route. Compilation is expensive and happens at the first check. */
export type CreateCheck = (schema: TSchema, place: Place) => Check;

/** RFC 9562, in either case; no `urn:uuid:` and no braces, which the stores interpret differently. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * The validators of this adapter. In addition to JSON Schema 2020-12 they know keywords that the OpenAPI document shows
 * as extensions: `x-max-total-length` (characters over all items), `x-http-url`, and `x-rule` (the error message).
 *
 * @param named schemas that others refer to as `{ $ref: name }`
 */
export const createValidators = (named: Readonly<Record<string, TSchema>>): CreateCheck => {
  // Compiled lazily: of some hundred schemas, a service may use a dozen.
  return (schema, place) => {
    let validate: ValidateFunction | undefined;
    return (value) => {
      validate ??= compilerOf(named).compile(schema);
      if (validate(value)) return;
      const error = validate.errors?.[0];
      throw error === undefined
        ? new HttpProblem('invalid_request', `the ${place} is invalid`)
        : refusalOf(error, place, schema);
    };
  };
};

const compilers = new WeakMap<object, Ajv2020>();

/** One compiler for all applications of a process, so that compiled schemas are shared. */
const compilerOf = (named: Readonly<Record<string, TSchema>>): Ajv2020 => {
  const ajv = compilers.get(named) ?? compilerWith(named);
  compilers.set(named, ajv);
  return ajv;
};

const compilerWith = (named: Readonly<Record<string, TSchema>>): Ajv2020 => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, useDefaults: true, verbose: true });
  ajv.addFormat('uuid', UUID);
  ajv.addFormat('uri', true); // for readers of the document: `x-http-url` validates
  ajv.addKeyword('x-rule');
  ajv.addKeyword({
    keyword: 'x-max-total-length',
    type: 'array',
    schemaType: 'number',
    validate: (most: number, items: readonly unknown[]) => totalLength(items) <= most,
  });
  ajv.addKeyword({
    keyword: 'x-http-url',
    type: 'string',
    schemaType: 'boolean',
    validate: (on: boolean, text: string) => !on || httpUrlProblem(text) === undefined,
  });
  for (const [name, schema] of Object.entries(named)) ajv.addSchema(schema, name);
  return ajv;
};

/** Characters are code points, as `maxLength` counts them. */
const totalLength = (items: readonly unknown[]): number => {
  let length = 0;
  for (const item of items) if (typeof item === 'string') for (const _ of item) length += 1;
  return length;
};

/** The source of a value, as messages name it. */
type Place = 'body' | 'query' | 'path';

/** Schema name of filter objects: an error in one has its own `error.type`. */
const FILTER = 'Filter';
const CURSORS = new Set(['after', 'after_position', 'next_id']);

/** The message about a validation error: the path, the rule, and what to do. */
const refusalOf = (error: ErrorObject, place: Place, schema: TSchema): HttpProblem =>
  new HttpProblem(typeOf(error, schema), messageOf(error, place));

const typeOf = ({ instancePath, keyword, params }: ErrorObject, schema: TSchema): ProblemType => {
  const field = instancePath.split('/', 2)[1] ?? '';
  if (field === 'limit') return 'invalid_limit';
  if (CURSORS.has(field)) return 'invalid_cursor';
  if (keyword === 'additionalProperties') return 'invalid_request';
  if (isFilter(schema, field)) return 'filter_invalid';
  return keyword === 'format' && params['format'] === 'uuid' ? 'invalid_id' : 'invalid_request';
};

/** Every `error.type` with which a value can be refused, except those that are always possible: see `typeOf`. */
export const refusalTypesOf = (schema: TSchema): ReadonlySet<ProblemType> => {
  const { properties = {} } = schema as { properties?: Record<string, TSchema> };
  const types = Object.entries(properties).map(([field, property]): ProblemType => {
    if (field === 'limit') return 'invalid_limit';
    if (CURSORS.has(field)) return 'invalid_cursor';
    if (isFilter(schema, field)) return 'filter_invalid';
    return JSON.stringify(property).includes('"format":"uuid"') ? 'invalid_id' : 'invalid_request';
  });
  return new Set(types);
};

const isFilter = (schema: TSchema, field: string): boolean => {
  const { properties } = schema as { properties?: Record<string, { $ref?: string }> };
  return properties?.[field]?.$ref === FILTER;
};

interface ListSchema {
  readonly items?: { readonly enum?: readonly unknown[] };
  readonly default?: readonly unknown[];
}

const messageOf = (error: ErrorObject, place: Place): string => {
  const { instancePath, keyword, params, parentSchema, data } = error;
  const message = inPlainWords(error);
  const name = nameOf(instancePath);
  const subject = name === '' ? `the ${place}` : name;
  const known = (): string =>
    Object.keys((parentSchema?.['properties'] as object | undefined) ?? {}).join(', ') || 'none';
  switch (keyword) {
    case 'additionalProperties': {
      const unknown = JSON.stringify(String(params['additionalProperty']).slice(0, 100));
      return `${subject} has no field ${unknown}; known: ${known()}`;
    }
    case 'required':
      return `${name === '' ? '' : `${name}.`}${String(params['missingProperty'])} is missing`;
    case 'minProperties':
      return `${subject} must hold at least one of: ${known()}`;
    case 'minItems': {
      const { items, default: left } = (parentSchema ?? {}) as ListSchema;
      const words = items?.enum === undefined ? 'element' : `of: ${items.enum.join(', ')}`;
      const without = left === undefined ? '' : `. Left out, it is ${left.join(', ')}`;
      return `${subject} must hold at least one ${words}${without}`;
    }
    case 'x-max-total-length':
      return `${subject} may hold at most ${String(error.schema)} characters over all its elements`;
    case 'x-http-url':
      return `${subject} ${httpUrlProblem(String(data)) ?? message}`;
    case 'type':
      if (place === 'query' && Array.isArray(data)) return `${subject} is given more than once`;
      return `${subject} ${message}`;
    case 'pattern':
      return `${subject} ${String(parentSchema?.['x-rule'] ?? message)}`;
    default:
      return `${subject} ${message}`;
  }
};

/** A JSON pointer (RFC 6901) as callers write it: `records[0].key`. */
const nameOf = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((name, part) => {
      if (/^\d+$/.test(part)) return `${name}[${part}]`;
      return name === '' ? part : `${name}.${part}`;
    }, '');
