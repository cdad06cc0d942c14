import { type Attributes, wholeIn } from './tags.ts';
import { writtenNumber } from '../office/list-marks.ts';

/** The lists that are open around a place: what marks an item, and how far it is set in by Markdown (CommonMark, section 5.2). */
export interface ListLevels {
  /**
   * @param first the number of its first item; null: a list without numbers
   * @param format of its numbers, by its name in {@link writtenNumber}
   */
  open(first: number | null, format?: string): void;
  close(): void;
  /** Whether a list is open. */
  isOpen(): boolean;
  /** Begins an item of the innermost list. @param number its own, where it tells one */
  startItem(number: number | null): void;
  /** The mark of the item that has begun, now that text of it comes. */
  takeMark(): string;
  /** Spaces before each line of what comes, so that it belongs to the items that are open. */
  indent(): string;
  /** Another block of text begins: what stands there belongs to no item above. */
  leaveItems(): void;
}

/** Deeper lists stay at this depth, so that what is written grows with what was read. */
const DEEPEST = 16;
/** CommonMark takes nine digits. */
const MOST = 999_999_999;
const DASH = '- ';

/** `width`: of the mark of the item that was written last; 0: none was. */
type Level = { next: number | null; readonly format: string; mark: string; width: number };

/**
 * Without any list, items have dashes.
 *
 * @param isSetIn whether what belongs to items is set in
 */
export const createListLevels = (isSetIn: boolean): ListLevels => {
  const levels: Level[] = [];
  return {
    open: (first, format = 'decimal') => levels.push({ next: first, format, mark: DASH, width: 0 }),
    close: () => levels.pop(),
    isOpen: () => levels.length > 0,
    startItem: (number) => {
      const level = levels.at(-1);
      if (level === undefined) return;
      const own = level.next === null ? null : (number ?? level.next);
      level.mark = own === null || own < 0 || own > MOST ? DASH : `${writtenNumber(own, level.format)}. `;
      level.next = own === null ? null : own + 1;
      level.width = 0;
    },
    takeMark: () => {
      const level = levels.at(-1);
      if (level === undefined) return DASH;
      if (isSetIn && levels.length <= DEEPEST) level.width = level.mark.length;
      return level.mark;
    },
    indent: () => ' '.repeat(levels.slice(0, DEEPEST).reduce((sum, { width }) => sum + width, 0)),
    leaveItems: () => {
      for (const level of levels.slice(0, DEEPEST)) level.width = 0;
    },
  };
};

const LISTS: ReadonlySet<string> = new Set(['ul', 'ol', 'dir']);
export const isList = (name: string): boolean => LISTS.has(name);

const FORMATS: Readonly<Record<string, string>> = {
  a: 'lowerLetter',
  A: 'upperLetter',
  i: 'lowerRoman',
  I: 'upperRoman',
  'lower-alpha': 'lowerLetter',
  'lower-latin': 'lowerLetter',
  'upper-alpha': 'upperLetter',
  'upper-latin': 'upperLetter',
  'lower-roman': 'lowerRoman',
  'upper-roman': 'upperRoman',
};
const STYLED = /list-style(?:-type)?\s*:[^;]*\b((?:lower|upper)-(?:alpha|latin|roman))\b/i;

/** Follows the lists of a page. One that counts down from the number of its items has dashes. */
export const openList = (
  lists: ListLevels,
  name: string,
  { start, type, style, reversed }: Attributes,
): void => {
  const isNumbered = name === 'ol' && reversed === undefined;
  lists.open(
    isNumbered ? (wholeIn(start) ?? 1) : null,
    FORMATS[STYLED.exec(style ?? '')?.[1]?.toLowerCase() ?? type?.trim() ?? ''],
  );
};
