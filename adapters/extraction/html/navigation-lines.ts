import { type Attributes, LINE_ELEMENTS, PARAGRAPH_ELEMENTS } from './tags.ts';

/**
 * The kind of a line. Navigation is a line of only links and separators, at least one of which leads to the previous,
 * next or parent page; a menu with bars; or the breadcrumbs above the first heading.
 */
type LineKind = 'text' | 'links' | 'navigation';

/** Classifies the lines of a page. */
interface NavigationLines {
  openLink(attributes: Attributes): void;
  closeLink(): void;
  text(data: string): void;
  /** Returns the kind of the line that ends, and begins a new one. */
  end(isBelowHeading: boolean): LineKind;
}

/** Link types of HTML 4 and the link relations registry that lead from page to page. */
const STEPS: ReadonlySet<string> = new Set(['prev', 'previous', 'next', 'up', 'first', 'last', 'start']);
/** `<<`, `next ->`, `Next >`, `← Home`: arrows at the start or end of such links. */
const ARROW = /^\s*(?:<{1,2}(?:[\p{L} ]*$|-)|[←«‹⇐])|(?:^[\p{L} ]*>{1,2}|->|[→»›⇒])\s*$/u;
/** Separators between links. */
const BETWEEN_STEPS = /^[\s|·•[\](){}<>«»‹›←→/\\:-]*$/u;
const LABELS = /\p{L}[\p{L}\p{M} ]{0,20}:/gu;
const MENU = /^\s*(?:\|\s*){2,}$/;
const TRAIL = /^\s*(?:[>»›/→:]+\s*)+$/u;
const WORD = /[\p{L}\p{N}]/u;
/** A longer line is text. */
const MAX_CHARACTERS = 600;

export const createNavigationLines = (): NavigationLines => {
  let links = 0;
  let steps = 0;
  let arrows = 0;
  let inside: string | null = null;
  let outside = '';
  let length = 0;

  return {
    openLink: ({ rel }) => {
      links += 1;
      inside = '';
      if (
        rel
          ?.toLowerCase()
          .split(/\s+/)
          .some((type) => STEPS.has(type)) === true
      )
        steps += 1;
    },
    closeLink: () => {
      if (inside !== null && ARROW.test(inside)) arrows += 1;
      inside = null;
    },
    text: (data) => {
      length += data.length;
      if (length > MAX_CHARACTERS) return;
      if (inside === null) outside += data;
      else inside += data;
    },
    end: (isBelowHeading) => {
      const line = { links, steps, arrows, outside, isLong: length > MAX_CHARACTERS };
      [links, steps, arrows, outside, length] = [0, 0, 0, '', 0];
      return kindOf(line, isBelowHeading);
    },
  };
};

interface Line {
  readonly links: number;
  /** Links with such a link type or an arrow. */
  readonly steps: number;
  readonly arrows: number;
  readonly outside: string;
  readonly isLong: boolean;
}

const kindOf = ({ links, steps, arrows, outside, isLong }: Line, isBelowHeading: boolean): LineKind => {
  if (links === 0 || isLong) return 'text';
  if (steps > 0 && !WORD.test(outside.replaceAll(LABELS, ''))) return 'navigation';
  if (WORD.test(outside)) return 'text';
  if (links > 1 && arrows > 0 && BETWEEN_STEPS.test(outside)) return 'navigation';
  if (links > 2 && MENU.test(outside)) return 'navigation';
  return links > 1 && !isBelowHeading && TRAIL.test(outside) ? 'navigation' : 'links';
};

/** Buffers the text of links within a page that may not be content: the sign of a permalink, the number of a note. */
interface LinkSigns {
  /** Returns buffered text that is content after all; '' when there is none. */
  open(name: string, attributes: Attributes, depth: number): string;
  /** Returns white space in place of buffered text that is not content; '' when there was none. */
  close(depth: number): string;
  /** Returns the part of the buffered and new text that is known to be content. */
  text(data: string): string;
}

/**
 * Signs with which generators link to an anchor: a heading, a line. The sign of a defined term stays: it lets the index
 * distinguish `y = reel (x) ¶` from code.
 */
const SIGN = /^\s*(?:[¶§#🔗\uf0c1]\s*)?$/u;
/** The same sign as an icon font draws it in Sphinx themes: a private-use character. */
const DRAWN = '\uf0c1';
/** `3`, `[3]`, `*`: note numbers and back links. Letters are kept, because table notes need them. */
const NOTE = /^\s*(?:[[(]\s*)?(?:\d{1,3}|(?:[*†‡§¶^↑↩]\uFE0E?){1,3})?\s*(?:[\])]\s*)?$/u;
/** Class names of links to notes and back in Sphinx, Markdown, MediaWiki and others. */
const NOTE_CLASS = /(?:^|[\s_-])(?:footnotes?|fn|noteref|backref|backlink)(?:$|[\s_-])/i;
const NOTE_ROLES: ReadonlySet<string> = new Set(['doc-noteref', 'doc-backlink', 'doc-biblioref']);

export const createLinkSigns = (): LinkSigns => {
  /** Depths of the outermost open element with notes, of the term, and of the link; 0 when none is open. */
  let noted = 0;
  let term = 0;
  let link = 0;
  let pattern = SIGN;
  let kept = '';

  const release = (): string => {
    const text = kept;
    [link, kept] = [0, ''];
    return text;
  };

  return {
    open: (name, attributes, depth) => {
      const setsApart = LINE_ELEMENTS.has(name) || PARAGRAPH_ELEMENTS.has(name);
      const before = setsApart && kept !== '' ? release() : '';
      if (noted === 0 && (name === 'sup' || NOTE_CLASS.test(attributes.class ?? ''))) noted = depth;
      if (name === 'dt') term = depth;
      if (name === 'a' && attributes.href?.trim().startsWith('#') === true) {
        const isNote = noted > 0 || NOTE_ROLES.has(attributes.role?.trim() ?? '');
        if (term > 0 && !isNote) return before;
        [link, pattern, kept] = [depth, isNote ? NOTE : SIGN, ''];
      }
      return before;
    },
    close: (depth) => {
      if (depth === noted) noted = 0;
      if (depth === term) term = 0;
      return depth === link && /\s/.test(release()) ? ' ' : '';
    },
    text: (data) => {
      if (link === 0) return term > 0 ? data.replaceAll(DRAWN, '¶') : data;
      if (!pattern.test(kept + data)) return release() + data;
      kept += data;
      return '';
    },
  };
};
