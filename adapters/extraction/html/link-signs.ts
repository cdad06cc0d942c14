import { LINE_ELEMENTS, PARAGRAPH_ELEMENTS } from './elements.ts';
import type { Attributes } from './tags.ts';

/** Keeps back what links within a page say where that may be no text: the sign of a permalink, the number of a note. */
export interface LinkSigns {
  /** What was kept and is text after all; '' where nothing is. */
  open(name: string, attributes: Attributes, depth: number): string;
  /** White space in place of what was kept and is no text; '' where nothing was, or where it had none. */
  close(depth: number): string;
  /** Of this text, with what was kept before it, what is known to be text. */
  text(data: string): string;
}

/**
 * Signs by which generators link to a place: a heading, a line. That of a term of a definition stays: by it the index
 * tells `y = reel (x) ¶` from code.
 */
const SIGN = /^\s*(?:[¶§#🔗\uf0c1]\s*)?$/u;
/** The same as a font of icons draws it, in themes of Sphinx: a letter of nobody's alphabet. */
const DRAWN = '\uf0c1';
/** `3`, `[3]`, `*`: how notes are numbered, and how they lead back. Letters are those of a table, which its notes need. */
const NOTE = /^\s*(?:[[(]\s*)?(?:\d{1,3}|(?:[*†‡§¶^↑↩]\uFE0E?){1,3})?\s*(?:[\])]\s*)?$/u;
/** How Sphinx, Markdown, MediaWiki and others call the links to notes and back. */
const NOTE_CLASS = /(?:^|[\s_-])(?:footnotes?|fn|noteref|backref|backlink)(?:$|[\s_-])/i;
const NOTE_ROLES: ReadonlySet<string> = new Set(['doc-noteref', 'doc-backlink', 'doc-biblioref']);

export const createLinkSigns = (): LinkSigns => {
  /** Depths of the outermost open element that holds notes, of the term, and of the link; 0: none is open. */
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
