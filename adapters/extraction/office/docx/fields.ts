import { handlers, type XmlAttributes } from '../../xml/read-xml.ts';
import { shownCode } from '../field-code.ts';

/** Fields nest, but nobody writes such codes. */
const LONGEST_CODE = 10_000;

const checkMark = (checked: boolean): string => (checked ? '☒' : '☐');

interface FieldReader {
  /** A part of the code of the field that is open. */
  code(text: string): void;
  readonly openers: ReadonlyMap<string, (attributes: XmlAttributes) => void>;
  readonly closers: ReadonlyMap<string, () => void>;
}

/**
 * What fields show that have no result: check boxes and lists of choices their values, buttons and equations what their code
 * says (ECMA-376-1, 17.16).
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
