import {
  DROPPED_CLASSES,
  DROPPED_ELEMENTS,
  DROPPED_ROLES,
  LINE_ELEMENTS,
  NOTE_CLASSES,
  PARAGRAPH_ELEMENTS,
} from './elements.ts';
import { LISTS, type MarkdownMarks } from './markdown-marks.ts';
import type { Attributes } from './tags.ts';
import { GAP } from './text-blocks.ts';
import type { TextBlocks } from './text-blocks.ts';

/** Follows the tags of a page and hands its visible text on, without what is not content. */
export interface PageContent {
  open(name: string, attributes: Attributes, depth: number): void;
  close(name: string, depth: number): void;
  text(data: string): void;
  dropping(): boolean;
}

/** Depth of the outermost open element of each kind, 0 where none is open. */
interface OpenAt {
  dropped: number;
  main: number;
  article: number;
  section: number;
  pre: number;
  heading: number;
}

/** @param marks what is written beside the text; default: nothing */
export const createPageContent = (blocks: TextBlocks, marks?: MarkdownMarks): PageContent => {
  const at: OpenAt = { dropped: 0, main: 0, article: 0, section: 0, pre: 0, heading: 0 };
  let anchorStart = -1;

  return {
    open: (name, attributes, depth) => {
      if (at.dropped > 0) return;
      if (isDropped(name, attributes, at)) {
        at.dropped = depth;
        return;
      }
      openRegion(name, attributes, depth, at, blocks);
      const inner = LISTS.has(name) && marks?.inList() === true;
      if (inner) blocks.gap(GAP.line);
      else openGap(name, at, blocks);
      if (at.heading === 0 || name === 'a') marks?.open(name, attributes);
      if (name === 'a') anchorStart = blocks.position();
      else if (name === 'pre' && at.pre === 0) at.pre = depth;
      else if (name === 'section' && at.section === 0) at.section = depth;
      else if (name === 'li') blocks.startItem();
      else if (isHeading(name) && at.heading === 0) {
        at.heading = depth;
        anchorStart = -1;
        blocks.startHeading(Number(name[1]));
      }
    },
    close: (name, depth) => {
      if (at.dropped > 0) {
        if (depth === at.dropped) at.dropped = 0;
        return;
      }
      if (name === 'a' && at.heading > 0 && anchorStart >= 0)
        dropPermalink(anchorStart, blocks, marks !== undefined);
      else if (name === 'li') blocks.endItem();
      if (at.heading === 0 || name === 'a') marks?.close(name);
      if (LISTS.has(name) && marks?.inList() === true) blocks.gap(GAP.line);
      else closeGap(name, blocks);
      if (depth === at.heading) {
        at.heading = 0;
        blocks.endHeading();
      } else if (depth === at.pre) at.pre = 0;
      else if (depth === at.section) at.section = 0;
      closeRegion(depth, at, blocks);
    },
    text: (data) => {
      if (at.dropped > 0) return;
      if (at.pre > 0 && at.heading === 0) blocks.preformatted(data);
      else blocks.text(data);
    },
    dropping: () => at.dropped > 0,
  };
};

const isDropped = (name: string, attributes: Attributes, at: OpenAt): boolean => {
  const { role, hidden, class: classes, style } = attributes;
  if (DROPPED_ELEMENTS.has(name)) {
    return !(name === 'aside' && classes !== undefined && NOTE_CLASSES.test(classes));
  }
  // A header names its section; outside of the content it is the banner of the site.
  if (name === 'header' && at.main === 0 && at.article === 0 && at.section === 0) return true;
  if (name === 'body' || name === 'html' || name === 'main') return false;
  if (role !== undefined && DROPPED_ROLES.has(role.trim().toLowerCase())) return true;
  if (hidden !== undefined && hidden !== 'until-found') return true;
  if (attributes['aria-hidden'] === 'true' && name !== 'pre' && name !== 'code') return true;
  if (style !== undefined && /display\s*:\s*none/i.test(style)) return true;
  return classes !== undefined && DROPPED_CLASSES.test(classes);
};

const isHeading = (name: string): boolean => {
  const digit = name.charCodeAt(1);
  return name.length === 2 && name.startsWith('h') && digit >= 0x31 && digit <= 0x36;
};

const openRegion = (
  name: string,
  attributes: Attributes,
  depth: number,
  at: OpenAt,
  blocks: TextBlocks,
): void => {
  if (at.main > 0 || at.heading > 0) return;
  if (name === 'main' || attributes.role === 'main') {
    at.main = depth;
    blocks.enter('main');
  } else if ((name === 'article' || attributes.role === 'article') && at.article === 0) {
    at.article = depth;
    blocks.enter('article');
  }
};

const closeRegion = (depth: number, at: OpenAt, blocks: TextBlocks): void => {
  if (depth === at.main) {
    at.main = 0;
    blocks.enter(at.article > 0 ? 'article' : 'body');
  } else if (depth === at.article) {
    at.article = 0;
    if (at.main === 0) blocks.enter('body');
  }
};

const openGap = (name: string, at: OpenAt, blocks: TextBlocks): void => {
  if (name === 'td' || name === 'th') blocks.gap(GAP.cell);
  else if (name === 'br' || name === 'tr') blocks.gap(at.heading > 0 ? GAP.space : GAP.line);
  else closeGap(name, blocks);
};

const closeGap = (name: string, blocks: TextBlocks): void => {
  if (PARAGRAPH_ELEMENTS.has(name)) blocks.gap(GAP.paragraph);
  else if (LINE_ELEMENTS.has(name) && name !== 'td' && name !== 'th') blocks.gap(GAP.line);
};

/** Generators put a sign into each heading that links to the heading itself. */
const dropPermalink = (start: number, blocks: TextBlocks, isMarked: boolean): void => {
  const said = blocks.since(start).trim();
  const sign = isMarked ? said.replace(/^\[/, '') : said;
  if (/^[¶§#🔗\uf0c1]?\s*$/u.test(sign)) blocks.cut(start);
};
