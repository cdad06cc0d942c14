import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import { HttpProblem, type ProblemType } from './problem.ts';
import { httpUrlProblem } from './http-url.ts';

/** Where a value came from, as messages name it. */
export type Place = 'body' | 'query' | 'path';

/** Throws HttpProblem unless the value fits; fills in defaults. */
export type Check = (value: unknown) => void;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const CURSORS = new Set(['after', 'after_position', 'next_id']);

/** Characters are code points, as in `maxLength`. */
const lengthOf = (text: string): number => {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
};

/**
 * The validators of this adapter. Beside JSON Schema 2020-12 they know two keywords, which the OpenAPI document shows
 * as extensions: `x-max-total-length` (characters over all items) and `x-http-url`.
 *
 * @param named schemas that others refer to as `{ $ref: name }`
 */
export const createValidators = (named: Readonly<Record<string, TSchema>>) => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, useDefaults: true, verbose: true });
  ajv.addFormat('uuid', UUID);
  ajv.addKeyword({
    keyword: 'x-max-total-length',
    type: 'array',
    schemaType: 'number',
    validate: (most: number, items: readonly unknown[]) =>
      items.reduce<number>((sum, item) => sum + (typeof item === 'string' ? lengthOf(item) : 0), 0) <= most,
    error: { message: 'holds too many characters over all its elements' },
  });
  ajv.addKeyword({
    keyword: 'x-http-url',
    type: 'string',
    schemaType: 'boolean',
    validate: (on: boolean, text: string) => !on || httpUrlProblem(text) === undefined,
  });
  ajv.addKeyword('x-rule');
  for (const [name, schema] of Object.entries(named)) ajv.addSchema(schema, name);

  return (schema: TSchema, place: Place): Check => {
    const validate: ValidateFunction = ajv.compile(schema);
    return (value) => {
      if (validate(value)) return;
      const error = validate.errors?.[0];
      throw error === undefined
        ? new HttpProblem('invalid_request', `the ${place} is invalid`)
        : problemOf(error, place);
    };
  };
};
export type CreateCheck = ReturnType<typeof createValidators>;

const problemOf = (error: ErrorObject, place: Place): HttpProblem =>
  new HttpProblem(typeOf(error, place), messageOf(error, place));

const typeOf = ({ instancePath, keyword, params }: ErrorObject, place: Place): ProblemType => {
  const field = instancePath.split('/', 2)[1] ?? '';
  if (place === 'query' && field === 'limit') return 'invalid_limit';
  if (place === 'query' && CURSORS.has(field)) return 'invalid_cursor';
  return keyword === 'format' && params['format'] === 'uuid' ? 'invalid_id' : 'invalid_request';
};

const messageOf = (error: ErrorObject, place: Place): string => {
  const { instancePath, keyword, params, parentSchema, data, message = 'is invalid' } = error;
  const name = nameOf(instancePath);
  const subject = name === '' ? `the ${place}` : name;
  switch (keyword) {
    case 'additionalProperties': {
      const allowed = Object.keys((parentSchema?.['properties'] as object | undefined) ?? {});
      const unknown = JSON.stringify(String(params['additionalProperty']).slice(0, 100));
      return `${subject} has no field ${unknown}: ${allowed.length === 0 ? 'none is known' : `known are ${allowed.join(', ')}`}`;
    }
    case 'required':
      return `${name === '' ? '' : `${name}.`}${String(params['missingProperty'])} is missing`;
    case 'enum':
      return `${subject} must be one of ${(params['allowedValues'] as unknown[]).join(', ')}`;
    case 'minProperties':
      return `${subject} must hold at least one of ${Object.keys(parentSchema?.['properties'] as object).join(', ')}`;
    case 'format':
      return params['format'] === 'uuid' ? `${subject} must be a UUID` : `${subject} ${message}`;
    case 'x-max-total-length':
      return `${subject} may hold at most ${String(error.schema)} characters over all its elements`;
    case 'x-http-url':
      return `${subject} ${httpUrlProblem(String(data)) ?? message}`;
    case 'type':
      return Array.isArray(data) && place === 'query'
        ? `${subject} is given more than once`
        : `${subject} ${message}`;
    default:
      return `${subject} ${typeof parentSchema?.['x-rule'] === 'string' ? parentSchema['x-rule'] : message}`;
  }
};

/** A JSON pointer (RFC 6901) as callers write it: `records[0].key`. */
const nameOf = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce(
      (name, part) => (/^\d+$/.test(part) ? `${name}[${part}]` : name === '' ? part : `${name}.${part}`),
      '',
    );
