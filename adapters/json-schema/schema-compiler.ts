import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { SchemaCompiler } from '../../application/ports/schema-compiler.ts';
import { admit, refused } from './admit.ts';
import { FORMATS } from './keywords.ts';

/** Problems that are told, and the longest value, in characters of JSON, of which all are looked for. */
const MOST_PROBLEMS = 20;
const ALL_PROBLEMS_OF = 20_000;

/** See the port. A schema is checked by a validator of its own, of which nothing stays. */
export const schemaCompiler: SchemaCompiler = {
  compile: (schema) => {
    admit(schema);
    const first = validatorOf(schema, false);
    return (value) => {
      if (first(value)) return [];
      if (JSON.stringify(value).length > ALL_PROBLEMS_OF) return problemsOf(first);
      const all = validatorOf(schema, true);
      all(value);
      return problemsOf(all);
    };
  },
};

const validatorOf = (schema: object, allErrors: boolean): ValidateFunction => {
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictTuples: false,
    strictRequired: false,
    allErrors,
    ownProperties: true,
    inlineRefs: false,
    logger: false,
  });
  formats.default(ajv, { mode: 'fast', formats: [...FORMATS] });
  // Its own compares every item with every other one.
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (unique: boolean, items: readonly unknown[]) =>
      !unique || new Set(items.map(canonical)).size === items.length,
    error: { message: 'must NOT have duplicate items' },
  });
  try {
    return ajv.compile(schema);
  } catch (error) {
    throw refused('', (error as Error).message.slice(0, 500));
  }
};

/** JSON whose keys are sorted: equal for equal values. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

const problemsOf = ({ errors }: ValidateFunction): readonly string[] =>
  (errors ?? []).slice(0, MOST_PROBLEMS).map(problemOf);

const problemOf = ({ instancePath, message = 'is invalid', keyword, params }: ErrorObject): string => {
  const details = DETAILED.has(keyword)
    ? `: ${JSON.stringify(Object.values(params as object)).slice(0, 300)}`
    : '';
  return `${instancePath === '' ? '(root)' : instancePath.slice(0, 300)} ${message}${details}`;
};

/** Keywords whose message leaves out what it is about. */
const DETAILED: ReadonlySet<string> = new Set([
  'enum',
  'const',
  'additionalProperties',
  'unevaluatedProperties',
]);
