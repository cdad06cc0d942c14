import type { Attributes } from './tags.ts';

/**
 * What a line of a page is. Navigation is nothing but links and what stands between them, at least one of which leads a
 * step further through the pages; a menu with bars; or the trail to a page, above its first heading.
 */
export type LineKind = 'text' | 'links' | 'navigation';

/** Watches a line of a page for what it is. */
export interface NavigationLines {
  openLink(attributes: Attributes): void;
  closeLink(): void;
  text(data: string): void;
  /** What the line was that ends here. A new one begins. */
  end(isBelowHeading: boolean): LineKind;
}

/** Link types of HTML 4 and the link relations registry that lead from page to page. */
const STEPS: ReadonlySet<string> = new Set(['prev', 'previous', 'next', 'up', 'first', 'last', 'start']);
/** `<<`, `next ->`, `Next >`, `← Home`: arrows, by which such links begin or end. */
const ARROW = /^\s*(?:<{1,2}(?:[\p{L} ]*$|-)|[←«‹⇐])|(?:^[\p{L} ]*>{1,2}|->|[→»›⇒])\s*$/u;
/** What may stand between links: nothing that is read. */
const BETWEEN_STEPS = /^[\s|·•[\](){}<>«»‹›←→/\\:-]*$/u;
const LABELS = /\p{L}[\p{L}\p{M} ]{0,20}:/gu;
const MENU = /^\s*(?:\|\s*){2,}$/;
const TRAIL = /^\s*(?:[>»›/→:]+\s*)+$/u;
const WORD = /[\p{L}\p{N}]/u;
/** A longer line is text. */
const MOST_CHARACTERS = 600;

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
      if (length > MOST_CHARACTERS) return;
      if (inside === null) outside += data;
      else inside += data;
    },
    end: (isBelowHeading) => {
      const line = { links, steps, arrows, outside, isLong: length > MOST_CHARACTERS };
      [links, steps, arrows, outside, length] = [0, 0, 0, '', 0];
      return kindOf(line, isBelowHeading);
    },
  };
};

interface Line {
  readonly links: number;
  /** Links that say themselves that they lead a step further, and those that show it by an arrow. */
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
