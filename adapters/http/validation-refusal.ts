import type { ErrorObject } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import { inPlainWords } from '../system/json-schema/plain-words.ts';
import { httpUrlProblem } from './http-url.ts';
import { HttpProblem, type ProblemType } from './problem.ts';

/** Where a value came from, as messages name it. */
export type Place = 'body' | 'query' | 'path';

/** Schema name of filter objects: what is wrong in one has an `error.type` of its own. */
const FILTER = 'Filter';
const CURSORS = new Set(['after', 'after_position', 'next_id']);

/** What a validator found wrong, as the caller is told: the place, the rule, and what to do. */
export const refusalOf = (error: ErrorObject, place: Place, schema: TSchema): HttpProblem =>
  new HttpProblem(typeOf(error, schema), messageOf(error, place));

const typeOf = ({ instancePath, keyword, params }: ErrorObject, schema: TSchema): ProblemType => {
  const field = instancePath.split('/', 2)[1] ?? '';
  if (field === 'limit') return 'invalid_limit';
  if (CURSORS.has(field)) return 'invalid_cursor';
  if (keyword === 'additionalProperties') return 'invalid_request';
  if (isFilter(schema, field)) return 'filter_invalid';
  return keyword === 'format' && params['format'] === 'uuid' ? 'invalid_id' : 'invalid_request';
};

/** Every `error.type` that a value can be refused with, but for what is always possible: see `typeOf`. */
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
