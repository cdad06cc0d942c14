import { INLINE_ELEMENTS } from './tags.ts';

/**
 * Follows inline elements within paragraphs that hold nothing but hidden ones: a script uncovers one of them, such as the key
 * of the reader's system, and the sentence has a hole where none is shown.
 */
interface HiddenAlternatives {
  /** @param isHidden whether it is left out for that */
  open(name: string, depth: number, isHidden: boolean): void;
  /** Within what is left out. */
  openWithin(name: string): void;
  text(data: string): void;
  /** The alternative that is to be shown where this ends; '' for none. */
  close(depth: number): string;
}

interface OpenGroup {
  readonly depth: number;
  /** Hidden elements in it so far. */
  hidden: number;
  /** What the last of them says. */
  last: string;
}

/** A single one is no alternative: it is hidden for good, as a message that comes up later is. */
const FEWEST = 2;
/** Characters of a key or the way through menus. What is longer nobody sees who reads the page: it may be written for machines. */
const LONGEST = 60;

/** The last is shown: what holds where nothing else does is written last. */
export const createHiddenAlternatives = (): HiddenAlternatives => {
  let paragraph = 0;
  let group: OpenGroup | null = null;
  let isWithin = false;

  return {
    open: (name, depth, isHidden) => {
      if (name === 'p') paragraph = depth;
      if (paragraph === 0) return;
      const isInline = INLINE_ELEMENTS.has(name);
      isWithin = isHidden && isInline && group?.depth === depth - 1;
      if (group !== null && isWithin) [group.hidden, group.last] = [group.hidden + 1, ''];
      else group = isInline && !isHidden ? { depth, hidden: 0, last: '' } : null;
    },
    openWithin: (name) => {
      if (name !== 'a' && !INLINE_ELEMENTS.has(name)) group = null;
    },
    text: (data) => {
      if (group === null) return;
      if (isWithin) group.last += data;
      else if (data.trim() !== '') group = null;
    },
    close: (depth) => {
      if (depth === paragraph) [paragraph, group] = [0, null];
      if (group === null || depth > group.depth + 1) return '';
      isWithin = false;
      if (depth > group.depth) return '';
      const { hidden, last } = group;
      group = null;
      const shown = last.trim();
      return hidden < FEWEST || shown.length > LONGEST ? '' : shown;
    },
  };
};
