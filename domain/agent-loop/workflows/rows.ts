import { jsonIn } from '../json-answer.ts';
import type { Passage } from '../passages.ts';

export type Schema = Readonly<Record<string, unknown>>;

/** One row of a source, and the passages that it rests on. */
export interface Row {
  readonly data: unknown;
  readonly passages: readonly Passage[];
}

/** The rows of an answer, or what is wrong with it, at most twenty things. */
export const rowsOf = (
  answer: string,
  passages: readonly Passage[],
  problemsOf: (row: unknown) => readonly string[],
): { readonly rows: readonly Row[]; readonly problems: readonly string[] } => {
  const json = jsonIn(answer);
  if (!isObject(json) || !Array.isArray(json['rows']))
    return { rows: [], problems: ['the answer must be JSON: {"rows": […]}'] };
  const problems: string[] = [];
  const rows = json['rows'].flatMap((row: unknown, place): Row[] => {
    if (!isObject(row) || !Object.hasOwn(row, 'data')) {
      problems.push(`rows/${place} must be an object with "data" and "passages"`);
      return [];
    }
    const numbers = new Set(Array.isArray(row['passages']) ? row['passages'] : []);
    problems.push(...problemsOf(row['data']).map((problem) => `rows/${place}/data ${problem}`));
    return [{ data: row['data'], passages: passages.filter(({ number }) => numbers.has(number)) }];
  });
  return { rows, problems: problems.slice(0, 20) };
};

/** Rows in an envelope. Definitions move to the root, where the references to them lead. */
export const answerSchema = (schema: Schema): Schema => {
  const at = (keep: boolean): Schema =>
    Object.fromEntries(Object.entries(schema).filter(([keyword]) => AT_ROOT.has(keyword) === keep));
  const passages = { type: 'array', items: { type: 'integer', minimum: 1 } };
  const row = {
    type: 'object',
    properties: { data: at(false), passages },
    required: ['data', 'passages'],
    additionalProperties: false,
  };
  return {
    ...at(true),
    type: 'object',
    properties: { rows: { type: 'array', items: row } },
    required: ['rows'],
    additionalProperties: false,
  };
};
const AT_ROOT: ReadonlySet<string> = new Set(['$schema', '$defs', 'definitions']);

export const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
