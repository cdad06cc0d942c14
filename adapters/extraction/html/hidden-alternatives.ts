import { INLINE_ELEMENTS } from './tags.ts';

/**
 * Tracks inline elements in paragraphs that contain only hidden elements: a script shows one of them, such as the key
 * of the reader's system. Without it the sentence has a gap.
 */
interface HiddenAlternatives {
  /** @param isHidden whether the element is skipped as hidden */
  open(name: string, depth: number, isHidden: boolean): void;
  /** An element within a skipped one. */
  openWithin(name: string): void;
  text(data: string): void;
  /** The alternative to show when this element ends; '' for none. */
  close(depth: number): string;
}

interface OpenGroup {
  readonly depth: number;
  /** Number of hidden elements in it so far. */
  hidden: number;
  /** Text of the last one. */
  last: string;
}

/** A single hidden element is not an alternative: it stays hidden, like a message that appears later. */
const FEWEST = 2;
/** Enough for a key or a menu path. Longer hidden text may be written for machines only. */
const LONGEST = 60;

/** Shows the last alternative, because the fallback is usually written last. */
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
