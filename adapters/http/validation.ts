import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import { httpUrlProblem } from './http-url.ts';
import { HttpProblem } from './problem.ts';
import { type Place, refusalOf } from './validation-refusal.ts';

/** Throws HttpProblem unless the value fits; fills in defaults. */
export type Check = (value: unknown) => void;

/** Makes the check of a schema, once per route. Compiling is costly: the first value to be checked pays for it. */
export type CreateCheck = (schema: TSchema, place: Place) => Check;

/** RFC 9562, in either case; no `urn:uuid:` and no braces, which the stores behind do not read alike. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * The validators of this adapter. Beside JSON Schema 2020-12 they know keywords that the OpenAPI document shows as
 * extensions: `x-max-total-length` (characters over all items), `x-http-url`, and `x-rule` (what a refusal says).
 *
 * @param named schemas that others refer to as `{ $ref: name }`
 */
export const createValidators = (named: Readonly<Record<string, TSchema>>): CreateCheck => {
  // A start need not wait for some hundred schemas, of which a service may see a dozen.
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

/** One for all applications of a process: what it compiled for one it has for the others. */
const compilerOf = (named: Readonly<Record<string, TSchema>>): Ajv2020 => {
  const ajv = compilers.get(named) ?? compilerWith(named);
  compilers.set(named, ajv);
  return ajv;
};

const compilerWith = (named: Readonly<Record<string, TSchema>>): Ajv2020 => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, useDefaults: true, verbose: true });
  ajv.addFormat('uuid', UUID);
  ajv.addFormat('uri', true); // for readers of the document: `x-http-url` checks
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
