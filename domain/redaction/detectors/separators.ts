import { isDigit, tailOf } from './detector.ts';

/** Spaces that stand within numbers: the usual one, and those that do not break or are thin. */
export const SPACES = ' \u00a0\u2009\u202f';
const DASHES = '\\-\u2010\u2011\u2012\u2013';

/**
 * Between the groups of a long number: a sign, one or two spaces, or a line break with at most a space on either side.
 */
export const SEPARATOR = new RegExp(`[${SPACES}]?\\r?\\n[${SPACES}]?|[${SPACES}]{1,2}|[._/${DASHES}]`, 'y');
/** The longest separator. */
export const WIDEST = 4;

const NUMBER = `${SPACES}.-_/()+\r\n\u2010\u2011\u2012\u2013`;
const isNumberPart = (char: string): boolean => isDigit(char) || (char !== '' && NUMBER.includes(char));

/** Where the figures at the end of a text begin, with what may stand between them: at most `most` characters. */
export const numberTail = (text: string, most: number): number => tailOf(text, isNumberPart, most);
