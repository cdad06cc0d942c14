/** Exponents and indexes in a line of text: written plainly, 10 with a raised 6 would be 106. */

const SIGNS: ReadonlyMap<string, string> = new Map(
  [...'0123456789+-−=()n'].map((sign, at) => [sign, [...'⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ'][at]!]),
);
const NUMBER = /^[+\-−–]?\d+(?:[.,]\d+)?$/;
/** Not `a`, `e` and `o`, in which ordinals end. */
const VARIABLE = /^[b-df-np-zA-Z]$/;
const CALCULATION = /^(?=.*[\d+\-−–*/])[\p{L}\d+\-−–*/·.()]+$/u;
const BASE = /[\p{L}\p{N})\]}]$/u;
const SINGLE_LETTER = /(?:^|[^\p{L}\p{N}])\p{L}$/u;

/** Longer text is no exponent. */
export const LONGEST_RAISED = 20;

/**
 * Text that is raised, as it is written in a line: `10^6`, `2^(n-1)`, and behind a letter `m²`, which the index finds as `m2`.
 * What would not be taken for a part of the number before it stays as it is: `1st`, `Mme`.
 *
 * @param before what stands before it in its line; the last two characters are enough
 */
export const raised = (text: string, before: string): string => {
  const said = text.trim();
  if (said === '' || said.length > LONGEST_RAISED || !BASE.test(before)) return text;
  const isBehindLetter = /\p{L}$/u.test(before);
  if (isBehindLetter && [...said].every((sign) => SIGNS.has(sign)))
    return text.replace(said, () => [...said].map((sign) => SIGNS.get(sign)!).join(''));
  const isVariable = VARIABLE.test(said) && (!isBehindLetter || SINGLE_LETTER.test(before));
  if (isVariable || NUMBER.test(said)) return text.replace(said, () => `^${said}`);
  return CALCULATION.test(said) ? text.replace(said, () => `^(${said})`) : text;
};

/**
 * Text that is lowered: `12_8` where it would run into a number before it. That of a letter stays beside it, as people type it:
 * `H2O`.
 */
export const lowered = (text: string, before: string): string =>
  /\d$/.test(before) && /^\s*\d/.test(text) ? text.replace(/\d/, '_$&') : text;
