/** The lists that are open around a place in Markdown (CommonMark, section 5.2): what marks an item, how far it is set in. */
export interface ListLevels {
  /** @param first the number of its first item; null: a list without numbers */
  open(first: number | null): void;
  close(): void;
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

interface Level {
  next: number | null;
  mark: string;
  /** Of the mark of the item that was written last; 0: none was. */
  width: number;
}

/** Without any list, items have dashes and are not set in. */
export const createListLevels = (): ListLevels => {
  const levels: Level[] = [];

  return {
    open: (first) => levels.push({ next: first, mark: DASH, width: 0 }),
    close: () => levels.pop(),
    startItem: (number) => {
      const level = levels.at(-1);
      if (level === undefined) return;
      const own = level.next === null ? null : (number ?? level.next);
      level.mark = own === null || own < 0 || own > MOST ? DASH : `${own}. `;
      level.next = own === null ? null : own + 1;
      level.width = 0;
    },
    takeMark: () => {
      const level = levels.at(-1);
      if (level === undefined) return DASH;
      if (levels.length <= DEEPEST) level.width = level.mark.length;
      return level.mark;
    },
    indent: () => ' '.repeat(levels.slice(0, DEEPEST).reduce((sum, { width }) => sum + width, 0)),
    leaveItems: () => {
      for (const level of levels.slice(0, DEEPEST)) level.width = 0;
    },
  };
};
