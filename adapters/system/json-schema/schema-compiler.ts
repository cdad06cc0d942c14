import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { SchemaCompiler } from '../../../application/ports/compilers.ts';
import { admit, refused } from './admit.ts';
import { FORMATS } from './keywords.ts';
import { inPlainWords } from './plain-words.ts';

/** Problems that are told, and the longest value, in characters of JSON, of which all are looked for. */
const MOST_PROBLEMS = 20;
const ALL_PROBLEMS_OF = 20_000;

/** See the port. A schema is checked by a validator of its own, of which nothing stays. */
export const schemaCompiler: SchemaCompiler = {
  compile: (schema) => {
    admit(schema);
    const first = validatorOf(schema, false);
    let all: ValidateFunction | undefined;
    return (value) => {
      if (first(value)) return [];
      if (JSON.stringify(value).length > ALL_PROBLEMS_OF) return problemsOf(first);
      all ??= validatorOf(schema, true);
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
  });
  if (ajv.validateSchema(schema) !== true && ajv.errors?.[0] !== undefined) {
    const [wrong] = ajv.errors;
    throw refused(wrong.instancePath, inPlainWords(wrong).slice(0, 500));
  }
  try {
    return ajv.compile(schema);
  } catch (error) {
    throw refused('', (error as Error).message.replace(/^strict mode: /, '').slice(0, 500));
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

const problemOf = (error: ErrorObject): string => {
  const { instancePath } = error;
  return `${instancePath === '' ? '(root)' : instancePath.slice(0, 300)} ${inPlainWords(error).slice(0, 500)}`;
};
