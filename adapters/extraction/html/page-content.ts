import { type Attributes, wholeIn } from './tags.ts';
import { closeGap, endsLine, isHeading, openGap } from './line-ends.ts';
import { createPictureNames } from './picture-names.ts';
import { createCellLines } from './cell-lines.ts';
import { createDefinitionTerms } from './definition-terms.ts';
import { createControls, foldsPart } from './controls.ts';
import { isDropped } from './dropped-parts.ts';
import { type ListLevels, isList, openList } from './list-levels.ts';
import { createLinkSigns, createNavigationLines } from './navigation-lines.ts';
import { createRaisedParts } from './raised-parts.ts';
import type { MarkdownMarks } from './markdown-marks.ts';
import { type End, GAP, type TextBlocks } from './text-blocks.ts';

/** Follows the tags of a page and passes on its visible text, without boilerplate. */
interface PageContent {
  open(name: string, attributes: Attributes, depth: number): void;
  close(name: string, depth: number): void;
  text(data: string): void;
  dropping(): boolean;
  /** Lines of only links above the first heading. */
  readonly linesOfLinks: ReadonlySet<string>;
  /** Whether a heading of the banner leads elsewhere: it names the site, and not the page. */
  namesSite(): boolean;
}

/** Depth of the outermost open element of each kind, 0 when none is open. */
interface OpenAt {
  dropped: number;
  main: number;
  article: number;
  section: number;
  banner: number;
  quote: number;
  /** A term, or the line of a part that folds. */
  term: number;
  pre: number;
  heading: number;
}

/**
 * @param lists that are open, which it opens and closes
 * @param marks what is written beside the text; default: nothing
 */
export const createPageContent = (
  blocks: TextBlocks,
  lists: ListLevels,
  marks?: MarkdownMarks,
): PageContent => {
  const at: OpenAt = {
    dropped: 0,
    main: 0,
    article: 0,
    section: 0,
    banner: 0,
    quote: 0,
    term: 0,
    pre: 0,
    heading: 0,
  };
  const signs = createLinkSigns();
  const lines = createNavigationLines();
  const controls = createControls();
  const raised = createRaisedParts();
  const pictures = createPictureNames();
  // Tables are written anew where there are marks.
  const cells = marks === undefined ? createCellLines(blocks) : null;
  const linesOfLinks = new Set<string>();
  const terms = marks === undefined ? createDefinitionTerms(blocks) : null;
  let isBelowHeading = false;
  let namesSite = false;
  let anchorStart: End | null = null;
  let lineStart = blocks.end();

  const say = (data: string): void => {
    if (data === '') return;
    lines.text(data);
    terms?.text(data);
    if (at.pre > 0 && at.heading === 0) blocks.preformatted(data);
    else blocks.text(data);
  };
  const pass = (data: string): void => say(raised.text(data));
  const endLine = (): void => {
    const kind = lines.end(isBelowHeading);
    if (kind === 'text' || at.pre > 0 || at.heading > 0) return;
    if (kind === 'navigation') blocks.takeBack(lineStart);
    else if (!isBelowHeading) linesOfLinks.add(blocks.since(lineStart).trim());
  };

  /** A button is text where it is all of a heading or a term so far, or says that it folds a part of the content. */
  const isLabelHere = (attributes: Attributes): boolean =>
    at.heading > 0 || at.term > 0
      ? blocks.since(lineStart).trim() === ''
      : (at.main > 0 || at.article > 0) && foldsPart(attributes);

  return {
    open: (name, attributes, depth) => {
      controls.open(name, attributes, depth);
      pictures.open(name, attributes, depth);
      if (at.dropped > 0) return;
      const isUncovered = controls.uncovers(attributes);
      const isLabel = name === 'button' && isLabelHere(attributes);
      if (isDropped(name, attributes, { isInQuote: at.quote > 0, isLabel, isUncovered })) {
        at.dropped = depth;
        return;
      }
      if (isLabel || (name === 'a' && foldsPart(attributes))) controls.show(attributes);
      const setsApart = endsLine(name);
      pass(signs.open(name, attributes, depth));
      if (setsApart) endLine();
      if (setsApart || name === 'td' || name === 'th') raised.setApart();
      raised.open(name, attributes, depth);
      openRegion(name, attributes, depth, at, blocks);
      const inner = isList(name) && marks !== undefined && lists.isOpen();
      if (inner) blocks.gap(GAP.line);
      else openGap(name, at.heading > 0, blocks);
      if (at.heading === 0 || name === 'a') marks?.open(name, attributes);
      if (isList(name)) openList(lists, name, attributes);
      cells?.open(name, attributes);
      terms?.open(name, attributes);
      if (name === 'a') {
        anchorStart = blocks.end();
        namesSite ||= at.banner > 0 && at.heading > 0 && attributes.href?.startsWith('#') === false;
        if (attributes.href !== undefined) lines.openLink(attributes);
      } else if (name === 'pre' && at.pre === 0) at.pre = depth;
      else if (name === 'section' && at.section === 0) at.section = depth;
      else if (QUOTES.has(name) && at.quote === 0) at.quote = depth;
      else if (name === 'dt' || name === 'summary') at.term = depth;
      else if (name === 'li') {
        lists.startItem(wholeIn(attributes.value));
        blocks.startItem();
      } else if (isHeading(name) && at.heading === 0) {
        at.heading = depth;
        anchorStart = null;
        isBelowHeading ||= at.banner === 0;
        blocks.startHeading(Number(name[1]));
      }
      if (setsApart) lineStart = blocks.end();
      pass(pictures.nameOf(name, attributes));
      const isPanel = controls.isPanel(attributes);
      pass(controls.labelOf(attributes));
      if (isPanel) blocks.gap(GAP.line);
    },
    close: (name, depth) => {
      controls.close(depth);
      const drawn = pictures.close(name, depth);
      if (at.dropped > 0) {
        if (depth === at.dropped) {
          at.dropped = 0;
          pass(drawn);
        }
        return;
      }
      pass(signs.close(depth));
      say(raised.close(depth));
      if (name === 'a') lines.closeLink();
      if (endsLine(name)) endLine();
      if (name === 'a' && at.heading > 0 && anchorStart !== null)
        dropPermalink(anchorStart, blocks, marks !== undefined);
      else if (name === 'li') blocks.endItem();
      if (at.heading === 0 || name === 'a') marks?.close(name);
      cells?.close(name);
      terms?.close(name);
      if (isList(name)) lists.close();
      if (isList(name) && marks !== undefined && lists.isOpen()) blocks.gap(GAP.line);
      else closeGap(name, blocks);
      if (depth === at.heading) {
        at.heading = 0;
        blocks.endHeading();
      } else if (depth === at.pre) at.pre = 0;
      else if (depth === at.section) at.section = 0;
      else if (depth === at.quote) at.quote = 0;
      else if (depth === at.term) at.term = 0;
      closeRegion(depth, at, blocks);
      if (endsLine(name)) lineStart = blocks.end();
    },
    text: (data) => {
      controls.text(data);
      pictures.text(data);
      if (at.dropped === 0) pass(signs.text(data));
    },
    dropping: () => at.dropped > 0,
    linesOfLinks,
    namesSite: () => namesSite,
  };
};

const QUOTES: ReadonlySet<string> = new Set(['blockquote', 'figure']);

const openRegion = (
  name: string,
  attributes: Attributes,
  depth: number,
  at: OpenAt,
  blocks: TextBlocks,
): void => {
  if (at.main > 0 || at.heading > 0) return;
  if (name === 'header' && at.article === 0 && at.section === 0 && at.banner === 0) {
    at.banner = depth;
    blocks.enter('banner');
  }
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
  } else if (depth === at.banner) {
    at.banner = 0;
    if (at.main === 0) blocks.enter(at.article > 0 ? 'article' : 'body');
  }
};

/** Generators put a sign into each heading that links to the heading itself. */
const dropPermalink = (start: End, blocks: TextBlocks, isMarked: boolean): void => {
  const said = blocks.since(start).trim();
  const sign = isMarked ? said.replace(/^\[/, '') : said;
  if (/^[¶§#🔗\uf0c1]?\s*$/u.test(sign)) blocks.takeBack(start);
};
