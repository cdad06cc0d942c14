import { words } from '../words.ts';
import type { FieldWords } from '../words/form-words.ts';
import { shown } from './format.ts';
import type { Property } from './schema.ts';

/** Why the service would refuse this value, in words that say what to do; empty where it would not for its form. */
export const problemOf = (
  property: Property,
  value: unknown,
  isRequired: boolean,
  { rule = '', problem = rule }: FieldWords,
): string => {
  if (value === undefined || value === null || value === '') return isRequired ? words.forms.required : '';
  const { minimum = -Infinity, maximum = Infinity, pattern, format } = property;
  if (typeof value === 'number') {
    if (!Number.isInteger(value)) return words.forms.whole;
    return value < minimum || value > maximum ? words.forms.between(minimum, maximum) : '';
  }
  if (Array.isArray(value)) {
    const { items: { pattern: each = '', maxLength: longest = Infinity } = {} } = property;
    const { 'x-max-total-length': most = Infinity } = property;
    if (value.map(shown).some((one) => !fits(each, one) || one.length > longest)) return problem;
    return value.join('').length > most ? words.forms.tooLong(most) : '';
  }
  const text = shown(value);
  if (pattern !== undefined && !fits(pattern, text)) return problem;
  if (format === 'json') return jsonProblem(text);
  return format === 'uri' && !isWebAddress(text) ? problem : '';
};

const jsonProblem = (text: string): string => {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return words.forms.badJson((error as Error).message);
  }
};

const fits = (pattern: string, text: string): boolean => new RegExp(pattern, 'u').test(text);

const isWebAddress = (text: string): boolean => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol);
};
