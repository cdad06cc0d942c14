/** Where in the page a block stands. */
export type Region = 'body' | 'article' | 'main';

/** A heading with what follows it up to the next heading, or a part of that in another region. */
export interface TextBlock {
  /** 1–6; 0 for text before the first heading and for text that goes on in another region. */
  readonly level: number;
  readonly heading: string;
  /** Begins with the heading. */
  readonly text: string;
  readonly region: Region;
}

/** How far the next text is set apart from the last one; of several the widest counts. */
export const GAP = { none: 0, space: 1, cell: 2, line: 3, paragraph: 4 } as const;
type Gap = (typeof GAP)[keyof typeof GAP];
const SEPARATORS = ['', ' ', ' | ', '\n', '\n\n'] as const;

/** Joins the text events of a page to blocks: white space collapsed, lines and paragraphs set apart. */
export interface TextBlocks {
  text(data: string): void;
  /** Text as it stands, line ends included. */
  preformatted(data: string): void;
  gap(gap: Gap): void;
  /** Opens a list item: a dash before its text. */
  startItem(): void;
  endItem(): void;
  startHeading(level: number): void;
  endHeading(): void;
  enter(region: Region): void;
  /** Length of the text of the current block. */
  position(): number;
  /** What the current block says from a position on. */
  since(position: number): string;
  cut(position: number): void;
  /** Characters in all blocks so far. */
  length(): number;
  finish(): TextBlock[];
}

export const createTextBlocks = (): TextBlocks => {
  const blocks: TextBlock[] = [];
  let region: Region = 'body';
  let level = 0;
  let heading = '';
  let text = '';
  let inHeading = false;
  let pending: Gap = GAP.none;
  let itemMark = false;
  let total = 0;

  const flush = (nextLevel: number): void => {
    if (text !== '') blocks.push({ level: heading === '' ? 0 : level, heading, text, region });
    [level, heading, text, pending, itemMark] = [nextLevel, '', '', GAP.none, false];
  };
  const append = (data: string): void => {
    if (text !== '') text += SEPARATORS[pending];
    text += itemMark ? `- ${data}` : data;
    [pending, itemMark] = [GAP.none, false];
    total += data.length;
  };
  const widen = (gap: Gap): void => {
    // The text of an item stays beside its dash, whatever block it is wrapped in.
    if (gap > pending && !itemMark) pending = gap;
  };

  return {
    text: (data) => {
      const words = collapse(data);
      if (words === '') return;
      if (words === ' ') {
        widen(GAP.space);
        return;
      }
      const leading = words.startsWith(' ');
      const trailing = words.endsWith(' ');
      if (leading) widen(GAP.space);
      append(leading || trailing ? words.trim() : words);
      if (trailing) pending = GAP.space;
    },
    preformatted: append,
    gap: widen,
    startItem: () => {
      widen(GAP.line);
      itemMark = true;
    },
    endItem: () => {
      itemMark = false;
    },
    startHeading: (nextLevel) => {
      flush(nextLevel);
      inHeading = true;
    },
    endHeading: () => {
      if (!inHeading) return;
      inHeading = false;
      heading = text.replaceAll(/\s+/g, ' ').trim();
      text = heading;
      pending = GAP.paragraph;
    },
    enter: (next) => {
      flush(0);
      region = next;
    },
    position: () => text.length,
    since: (position) => text.slice(position),
    cut: (position) => {
      text = text.slice(0, position);
    },
    length: () => total,
    finish: () => {
      flush(0);
      return blocks;
    },
  };
};

const UNEVEN_SPACE = /[^\S ]| {2}/;

const collapse = (text: string): string => (UNEVEN_SPACE.test(text) ? text.replaceAll(/\s+/g, ' ') : text);
