import { handlers, type XmlAttributes } from '../../xml/read-xml.ts';

/** Signs of check boxes in any kind of document. */
const checkMark = (checked: boolean): string => (checked ? '☒' : '☐');

interface FormFields {
  readonly openers: ReadonlyMap<string, (attributes: XmlAttributes) => void>;
  readonly closers: ReadonlyMap<string, () => void>;
}

/** Check boxes and lists of choices show their values without a text of their own (ECMA-376-1, 17.16.7 and 17.16.9). */
export const formFields = (write: (text: string) => void): FormFields => {
  let field: { checked: boolean; chosen: number; entries: string[] | null } | null = null;
  const open = (entries: string[] | null): void => {
    field = { checked: false, chosen: 0, entries };
  };
  const value = ({ val }: XmlAttributes): void => {
    if (field === null) return;
    field.checked = val !== '0' && val !== 'false';
    field.chosen = Number(val) || 0;
  };
  return {
    openers: handlers<(attributes: XmlAttributes) => void>({
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
