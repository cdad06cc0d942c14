import { type XmlAttributes, handlers } from '../../xml/read-xml.ts';

/** Fields can be nested, but real codes are shorter. */
const LONGEST_CODE = 10_000;

const checkMark = (checked: boolean): string => (checked ? '☒' : '☐');

interface FieldReader {
  /** A part of the code of the open field. */
  code(text: string): void;
  readonly openers: ReadonlyMap<string, (attributes: XmlAttributes) => void>;
  readonly closers: ReadonlyMap<string, () => void>;
}

/**
 * Text of fields without a result: the values of check boxes and choice lists, and the code of buttons and equations
 * (ECMA-376-1, 17.16).
 */
export const readFields = (write: (text: string) => void): FieldReader => {
  let field: { checked: boolean; chosen: number; entries: string[] | null } | null = null;
  const open = (entries: string[] | null): void => {
    field = { checked: false, chosen: 0, entries };
  };
  const value = ({ val }: XmlAttributes): void => {
    if (field === null) return;
    field.checked = val !== '0' && val !== 'false';
    field.chosen = Number(val) || 0;
  };
  const codes: { text: string; hasResult: boolean }[] = [];
  const step = ({ fldCharType }: XmlAttributes): void => {
    const current = codes.at(-1);
    if (fldCharType === 'begin') codes.push({ text: '', hasResult: false });
    else if (fldCharType === 'separate' && current !== undefined) current.hasResult = true;
    else if (fldCharType === 'end') {
      codes.pop();
      if (current?.hasResult === false && codes.every(({ hasResult }) => hasResult))
        write(shownCode(current.text));
    }
  };
  return {
    code: (text) => {
      const current = codes.at(-1);
      if (current !== undefined && current.text.length < LONGEST_CODE) current.text += text;
    },
    openers: handlers<(attributes: XmlAttributes) => void>({
      fldChar: step,
      checkBox: () => open(null),
      ddList: () => open([]),
      default: value,
      checked: value,
      result: value,
      listEntry: ({ val = '' }) => field?.entries?.push(val),
    }),
    closers: handlers<() => void>({
      checkBox: () => {
        if (field !== null) write(checkMark(field.checked));
        field = null;
      },
      ddList: () => {
        write(field?.entries?.[field.chosen] ?? '');
        field = null;
      },
    }),
  };
};

const BUTTON = /^\s*(?:MACROBUTTON|GOTOBUTTON)\s+\S+\s?/i;
const EQUATION = /^\s*EQ\s/i;
/** `\* MERGEFORMAT`, `\o`, `\ad`, `\up 10`; after a switch, an escaped `( ) , ;` is a sign of the equation itself. */
const SWITCH = /\\\*\s*(?:"[^"]*"|\S+)|\\[a-z]+(?:\s*-?\d+)?/gi;

/**
 * The visible text of a field without a result: the label of a button, and the parts of an equation in sequence
 * (ECMA-376-1, 17.16.5.18, 17.16.5.28 and 17.16.5.33). Never longer than its code.
 */
const shownCode = (code: string): string => {
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
