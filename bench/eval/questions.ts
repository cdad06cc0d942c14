import { readFile } from 'node:fs/promises';

/** One question that a site's owner judges answers by. */
export interface Question {
  readonly question: string;
  /** Pages that are right: whole addresses, or ends of their paths. Empty: where it is found is not judged. */
  readonly urls: readonly string[];
  /** What the answer must hold, each in one of its wordings. Empty: what it says is not judged. */
  readonly facts: readonly (readonly string[])[];
  /** Whether the site answers it. If not, refusing it is right. */
  readonly answerable: boolean;
}

/** A line of the file that cannot be used. The message names file, line and field. */
export class QuestionFileError extends Error {
  override readonly name = 'QuestionFileError';
}

const FIELDS = ['question', 'urls', 'facts', 'answerable'];
/** What `POST /search` takes. */
const LONGEST = 4_000;

/**
 * Reads JSON Lines: one question a line, blank lines left out.
 *
 * @throws QuestionFileError at the first line that does not fit, with what to write instead
 */
export const readQuestions = async (file: string): Promise<readonly Question[]> => {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new QuestionFileError(`${file} cannot be read (${error.code}): name a file of questions`);
  });
  return parseQuestions(text, file);
};

export const parseQuestions = (text: string, file: string): readonly Question[] => {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const firstAt = new Map<string, number>();
  const questions = lines.flatMap((line, i) => {
    if (line.trim() === '') return [];
    const refuse = (what: string): never => {
      throw new QuestionFileError(`${file}, line ${i + 1}: ${what}`);
    };
    const question = questionOf(line, refuse);
    const before = firstAt.get(question.question);
    if (before !== undefined) refuse(`question: the same as in line ${before}; ask it once`);
    firstAt.set(question.question, i + 1);
    return [question];
  });
  if (questions.length === 0)
    throw new QuestionFileError(`${file} holds no question: write one as JSON on each line`);
  return questions;
};

type Refuse = (what: string) => never;

const questionOf = (line: string, refuse: Refuse): Question => {
  const fields = objectOf(line, refuse);
  const unknown = Object.keys(fields).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) refuse(`${unknown}: no such field; there are ${FIELDS.join(', ')}`);
  const { question, answerable = true } = fields;
  if (typeof question !== 'string' || question.trim() === '') return refuse('question: must be a text');
  if (question.length > LONGEST) return refuse(`question: must have at most ${LONGEST} characters`);
  if (typeof answerable !== 'boolean') return refuse('answerable: must be true or false');
  const urls = textsOf(fields['urls'], 'urls', refuse);
  const facts = factsOf(fields['facts'], refuse);
  if (answerable && urls.length + facts.length === 0)
    return refuse('urls: name the right pages, or key facts in facts, or set answerable to false');
  if (!answerable && urls.length + facts.length > 0)
    return refuse(`${urls.length > 0 ? 'urls' : 'facts'}: must be empty where answerable is false`);
  return { question: question.trim(), urls, facts, answerable };
};

const objectOf = (line: string, refuse: Refuse): { readonly [name: string]: unknown } => {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return refuse(`is not JSON (${(error as Error).message}); write one object a line`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse('must be an object like {"question": "…", "urls": ["…"]}');
  return value as { readonly [name: string]: unknown };
};

const textsOf = (value: unknown, field: string, refuse: Refuse): readonly string[] => {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return refuse(`${field}: must be a list of texts`);
  return value.map((one: unknown, i) =>
    typeof one === 'string' && one.trim() !== '' ? one.trim() : refuse(`${field}[${i}]: must be a text`),
  );
};

const factsOf = (value: unknown, refuse: Refuse): readonly (readonly string[])[] => {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return refuse('facts: must be a list of texts, or of lists of wordings');
  return value.map((one: unknown, i) => {
    const wordings = textsOf(Array.isArray(one) ? one : [one], `facts[${i}]`, refuse);
    return wordings.length > 0 ? wordings : refuse(`facts[${i}]: must hold a wording`);
  });
};

/** Options that do not fit. The message says what to write instead. */
export class EvalUsageError extends Error {
  override readonly name = 'EvalUsageError';
}
