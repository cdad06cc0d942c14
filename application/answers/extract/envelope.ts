import type { FindProblems } from '../../ports/compilers.ts';

type Schema = Readonly<Record<string, unknown>>;

/** What the model answered, as far as it can be read. */
export type ReadAnswer =
  | { readonly ok: true; readonly data: unknown; readonly passages: readonly number[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * The schema of the answer: the data, and beside them the numbers of the passages that they rest on. Definitions move to
 * the root, where the references to them lead.
 */
export const envelopeOf = (schema: Schema): Schema => {
  const entries = Object.entries(schema);
  const data = Object.fromEntries(entries.filter(([keyword]) => !AT_ROOT.has(keyword)));
  return {
    ...Object.fromEntries(entries.filter(([keyword]) => AT_ROOT.has(keyword))),
    type: 'object',
    properties: { data, passages: { type: 'array', items: { type: 'integer', minimum: 1 } } },
    required: ['data', 'passages'],
    additionalProperties: false,
  };
};
const AT_ROOT: ReadonlySet<string> = new Set(['$schema', '$defs', 'definitions']);

/** Reads the answer with an envelope, or without one, where no citations are wanted. */
export const readAnswer = (text: string, findProblems: FindProblems, inEnvelope: boolean): ReadAnswer => {
  const answer = parsed(text);
  if (answer === undefined) return { ok: false, problems: ['the answer is not JSON, or nested too deep'] };
  if (!inEnvelope) return checked(answer.json, [], findProblems);
  const { json } = answer;
  if (typeof json !== 'object' || json === null || !Object.hasOwn(json, 'data'))
    return { ok: false, problems: ['the answer must be an object with "data" and "passages"'] };
  const { data, passages } = json as { readonly data: unknown; readonly passages?: unknown };
  const numbers = Array.isArray(passages) ? passages.filter((number) => Number.isInteger(number)) : [];
  return checked(data, numbers, findProblems);
};

const checked = (data: unknown, passages: readonly number[], findProblems: FindProblems): ReadAnswer => {
  const problems = findProblems(data);
  return problems.length === 0 ? { ok: true, data, passages } : { ok: false, problems };
};

/** Models that are not held to a schema like to put JSON into a fence of Markdown. */
const parsed = (text: string): { readonly json: unknown } | undefined => {
  const body = text.trim();
  const inner = /^```(?:json)?\n([^]*)\n```$/.exec(body)?.[1] ?? body;
  try {
    const json: unknown = JSON.parse(inner);
    return isShallow(json) ? { json } : undefined;
  } catch {
    return undefined;
  }
};

/** What is nested deeper could be neither checked nor written out. */
const LEVELS_MOST = 100;
const isShallow = (json: unknown): boolean => {
  let level: readonly unknown[] = [json];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > LEVELS_MOST) return false;
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
  }
  return true;
};
