import { HttpProblem } from './problem.ts';

/** Deeper than any body that has a meaning, and shallow enough for every recursive reader behind it. */
const MAX_DEPTH = 32;

/**
 * Refuses what the stores behind cannot keep: NUL characters and lone surrogates, in values and in names, and nesting
 * that would exhaust the stack of a recursive reader.
 *
 * @throws HttpProblem invalid_request, naming the place
 */
export const checkTexts = (value: unknown, place = 'body', depth = 0): void => {
  if (typeof value === 'string') return checkText(value, place);
  if (typeof value !== 'object' || value === null) return;
  if (depth === MAX_DEPTH) {
    throw new HttpProblem('invalid_request', `the body is nested deeper than ${MAX_DEPTH} levels`);
  }
  if (Array.isArray(value)) {
    for (const item of value) checkTexts(item, place, depth + 1);
    return;
  }
  for (const name of Object.keys(value)) {
    checkText(name, place === 'body' ? 'a field name' : `a field name in ${place}`);
    checkTexts((value as Record<string, unknown>)[name], depth === 0 ? name : place, depth + 1);
  }
};

const checkText = (text: string, place: string): void => {
  if (text.includes('\0')) throw new HttpProblem('invalid_request', `${shown(place)} holds a NUL character`);
  if (!text.isWellFormed()) {
    throw new HttpProblem('invalid_request', `${shown(place)} holds half of a surrogate pair`);
  }
};

const shown = (place: string): string => place.toWellFormed().replaceAll('\0', '').slice(0, 100);
