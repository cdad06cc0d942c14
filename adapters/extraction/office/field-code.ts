const BUTTON = /^\s*(?:MACROBUTTON|GOTOBUTTON)\s+\S+\s?/i;
const EQUATION = /^\s*EQ\s/i;
/** `\* MERGEFORMAT`, `\o`, `\ad`, `\up 10`; behind it one of `( ) , ;` is a sign of the equation itself where it is escaped. */
const SWITCH = /\\\*\s*(?:"[^"]*"|\S+)|\\[a-z]+(?:\s*-?\d+)?/gi;

/**
 * What a field without a result shows: the words of a button, and the parts of an equation one after the other (ECMA-376-1,
 * 17.16.5.18, 17.16.5.28 and 17.16.5.33). Never longer than its code.
 */
export const shownCode = (code: string): string => {
  const button = BUTTON.exec(code);
  if (button !== null) return code.slice(button[0].length);
  if (!EQUATION.test(code)) return '';
  return code
    .replace(EQUATION, '')
    .replaceAll(SWITCH, ' ')
    .replaceAll(/\\?[(),;]/g, (sign) => (sign.length === 2 ? sign.slice(1) : ' '))
    .replaceAll(/\s+/g, ' ')
    .trim();
};
