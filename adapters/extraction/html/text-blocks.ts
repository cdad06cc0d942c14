import type { ListLevels } from './list-levels.ts';
import { TERM_SIGN } from '../../../domain/shared/words.ts';

/** Where in the page a block stands. */
export type Region = 'banner' | 'body' | 'article' | 'main';

/** A heading with the text up to the next heading, or a part of that in another region. */
export interface TextBlock {
  /** 1–6; 0 for text before the first heading and for text that continues in another region. */
  readonly level: number;
  readonly heading: string;
  /** Begins with the heading. */
  readonly text: string;
  readonly region: Region;
}

/** The gap before the next text; the widest of several counts. */
export const GAP = { none: 0, space: 1, cell: 2, line: 3, paragraph: 4 } as const;
type Gap = (typeof GAP)[keyof typeof GAP];
const SEPARATORS = ['', ' ', ' | ', '\n', '\n\n'] as const;

/** Joins the text events of a page to blocks: collapses white space, separates lines and paragraphs. */
export interface TextBlocks {
  text(data: string): void;
  /** Preformatted text, including line ends. */
  preformatted(data: string): void;
  gap(gap: Gap): void;
  /** Begins a list item: writes a mark before its text. */
  startItem(): void;
  endItem(): void;
  startHeading(level: number): void;
  endHeading(): void;
  enter(region: Region): void;
  /** The current end of the block. */
  end(): End;
  /** The text of the current block since then; '' when another block has begun. */
  since(end: End): string;
  /** Reduces the gap before the text since then. */
  setApart(end: End, gap: Gap): void;
  /** Marks the text that ends there as the term of a definition; does nothing when another block has begun. */
  sign(end: End): void;
  /** Removes the text since then with the gap before it; does nothing when another block has begun. */
  takeBack(end: End): void;
  /** The position where the next text will begin, after its gap. */
  mark(): Mark;
  /** The text since then; '' when there was none, or when another block has begun. */
  saidSince(mark: Mark): string;
  /** Replaces the text since then; does nothing when another block has begun. */
  restate(mark: Mark, text: string): void;
  /** Text from now on links to this target, until null. Gaps are not part of a link. */
  link(target: string | null): void;
  finish(): TextBlock[];
}

export interface Mark {
  /** Null when nothing was written since. */
  readonly at: number | null;
  readonly block: number;
}

export interface End {
  readonly at: number;
  readonly block: number;
  /** The gap before the next text. */
  readonly gap: Gap;
  readonly itemMark: boolean;
}

/** @param lists the open lists, which determine marks and indentation of items */
export const createTextBlocks = (lists: ListLevels): TextBlocks => {
  const blocks: TextBlock[] = [];
  let region: Region = 'body';
  let level = 0;
  let heading = '';
  /** In pieces, so that positions in them are cheap. */
  let said: string[] = [];
  let link: { readonly target: string; open: boolean } | null = null;
  let waiting: { at: number | null; block: number }[] = [];
  let inHeading = false;
  let pending: Gap = GAP.none;
  let itemMark = false;

  const flush = (nextLevel: number): void => {
    endLink();
    if (said.length > 0)
      blocks.push({ level: heading === '' ? 0 : level, heading, text: said.join(''), region });
    [level, heading, said, pending, itemMark] = [nextLevel, '', [], GAP.none, false];
    lists.leaveItems();
  };
  const endLink = (): void => {
    if (link?.open === true) said.push(`](${link.target})`);
    if (link !== null) link.open = false;
  };
  const append = (data: string, setIn = true): void => {
    if (pending > GAP.space) endLink();
    if (said.length > 0 && pending > GAP.none) said.push(SEPARATORS[pending]);
    if (said.length > 0 && pending >= GAP.line && setIn) said.push(lists.indent());
    if (itemMark) said.push(lists.takeMark());
    for (const mark of waiting) [mark.at, mark.block] = [said.length, blocks.length];
    waiting = [];
    if (link?.open === false) {
      said.push('[');
      link.open = true;
    }
    said.push(link === null ? data : data.replaceAll(/[[\]]/g, '\\$&'));
    [pending, itemMark] = [GAP.none, false];
  };
  const widen = (gap: Gap): void => {
    // The text of an item follows its dash, whatever block it is wrapped in.
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
    // Its lines are not indented here: the code that replaces them indents them.
    preformatted: (data) => append(data, waiting.length > 0),
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
      endLink();
      inHeading = false;
      heading = said.join('').replaceAll(/\s+/g, ' ').trim();
      said = heading === '' ? [] : [heading];
      pending = GAP.paragraph;
    },
    enter: (next) => {
      flush(0);
      region = next;
    },
    end: () => ({ at: said.length, block: blocks.length, gap: pending, itemMark }),
    since: ({ at, block }) => (block === blocks.length ? said.slice(at).join('') : ''),
    setApart: ({ at, block }, gap) => {
      if (block === blocks.length && said[at] === SEPARATORS[GAP.paragraph]) said[at] = SEPARATORS[gap];
    },
    sign: ({ at, block }) => {
      if (block !== blocks.length || at === 0 || at > said.length) return;
      const bare = said[at - 1]!.replace(OWN_SIGN, '');
      said[at - 1] = bare === '' && said[at - 2] === ' ' ? TERM_SIGN.trim() : bare + TERM_SIGN;
    },
    takeBack: (end) => {
      if (end.block !== blocks.length || said.length <= end.at) return;
      if (link !== null) link.open = false;
      said.length = end.at;
      pending = pending > end.gap ? pending : end.gap;
      itemMark = end.itemMark;
    },
    mark: () => {
      const mark = { at: null, block: blocks.length };
      waiting.push(mark);
      return mark;
    },
    saidSince: ({ at, block }) => (at === null || block !== blocks.length ? '' : said.slice(at).join('')),
    restate: ({ at, block }, text) => {
      if (at === null || block !== blocks.length) return;
      said.length = at;
      said.push(text.replaceAll('\n', `\n${lists.indent()}`));
    },
    link: (target) => {
      endLink();
      link = target === null ? null : { target, open: false };
    },
    finish: () => {
      flush(0);
      return blocks;
    },
  };
};

/** A generator's own sign. */
const OWN_SIGN = /\s*¶$/u;

const UNEVEN_SPACE = /[^\S ]| {2}/;

const collapse = (text: string): string => (UNEVEN_SPACE.test(text) ? text.replaceAll(/\s+/g, ' ') : text);
