import type { ListLevels } from './list-levels.ts';
import { TERM_SIGN } from '../../../domain/shared/words.ts';

/** Where in the page a block stands. */
export type Region = 'banner' | 'body' | 'article' | 'main';

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
  /** Opens a list item: a mark before its text. */
  startItem(): void;
  endItem(): void;
  startHeading(level: number): void;
  endHeading(): void;
  enter(region: Region): void;
  /** Where the current block ends now. */
  end(): End;
  /** What the current block says from there on; '' where another block has begun. */
  since(end: End): string;
  /** Sets apart by less what was said from there on. */
  setApart(end: End, gap: Gap): void;
  /** Signs what ends there as the term of a definition; where another block has begun, nothing. */
  sign(end: End): void;
  /** Takes back what was said since, with what set it apart; where another block has begun, nothing. */
  takeBack(end: End): void;
  /** Where the next text will begin, behind what sets it apart. */
  mark(): Mark;
  /** What was said since then; '' where nothing was, or where another block has begun. */
  saidSince(mark: Mark): string;
  /** Says it in another way; where another block has begun, nothing changes. */
  restate(mark: Mark, text: string): void;
  /** From now on text links to this address, up to null. Nothing that sets text apart is part of a link. */
  link(target: string | null): void;
  finish(): TextBlock[];
}

export interface Mark {
  /** Null: nothing was said since. */
  readonly at: number | null;
  readonly block: number;
}

export interface End {
  readonly at: number;
  readonly block: number;
  /** What will set the next text apart. */
  readonly gap: Gap;
  readonly itemMark: boolean;
}

/** @param lists that are open, by which items are marked and set in */
export const createTextBlocks = (lists: ListLevels): TextBlocks => {
  const blocks: TextBlock[] = [];
  let region: Region = 'body';
  let level = 0;
  let heading = '';
  /** In pieces, so that a place in them is had in no time. */
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
    // Its own lines begin where they begin: what restates them sets them in.
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

/** That of a generator. */
const OWN_SIGN = /\s*¶$/u;

const UNEVEN_SPACE = /[^\S ]| {2}/;

const collapse = (text: string): string => (UNEVEN_SPACE.test(text) ? text.replaceAll(/\s+/g, ' ') : text);
