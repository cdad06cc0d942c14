import { shownRun } from '../text-run.ts';
import { type XmlAttributes, handlers } from '../xml/read-xml.ts';
import type { OdfStyles, TextLook } from './styles.ts';

/** Parts without text that a reader sees: what was deleted, prompts, settings, contents of pictures, numbers that each page has. */
const LEFT_OUT = new Set(
  (
    'tracked-changes forms scripts script event-listeners ruby-text note-citation placeholder binary-data page-number ' +
    'table-of-content-source alphabetical-index-source illustration-index-source table-index-source ' +
    'object-index-source user-index-source bibliography-source content-validations dde-links'
  ).split(' '),
);
/** Parts within a paragraph whose paragraphs are their own, and whose other texts are about them. */
const APART = new Set(
  (
    'annotation note frame g custom-shape rect line polyline polygon regular-polygon path circle ellipse ' +
    'connector caption measure control'
  ).split(' '),
);

/** A paragraph that is being read. */
export interface OpenParagraph {
  text: string;
  /** The innermost look is the last. */
  readonly looks: TextLook[];
  readonly attributes: XmlAttributes;
  readonly isHeading: boolean;
  isHidden: boolean;
}

export const PLAIN: TextLook = { isLeftOut: false, position: null, font: null };

/** Reads the letters of paragraphs, of which one may lie in another: in its boxes, notes and comments. */
export const createParagraphs = (styles: OdfStyles) => {
  const open: OpenParagraph[] = [];
  let leftOut = 0;
  const write = (data: string): void => {
    const paragraph = open.at(-1);
    if (paragraph !== undefined && leftOut === 0)
      paragraph.text += shownRun({ ...paragraph.looks.at(-1)!, text: data }, paragraph.text);
  };
  const begin = (attributes: XmlAttributes, isHeading: boolean): void => {
    const looks = [styles.look('paragraph', attributes['style-name'], PLAIN)];
    open.push({ text: '', looks, attributes, isHeading, isHidden: false });
  };
  const openers = handlers<(attributes: XmlAttributes) => void>({
    p: (attributes) => begin(attributes, false),
    h: (attributes) => begin(attributes, true),
    span: ({ 'style-name': name }) => {
      const looks = open.at(-1)?.looks;
      looks?.push(styles.look('text', name, looks.at(-1)!));
    },
    s: () => write(' '),
    tab: () => write(' '),
    'line-break': () => write('\n'),
    'hidden-paragraph': ({ 'is-hidden': isHidden }) => {
      const paragraph = open.at(-1);
      if (paragraph !== undefined && isHidden === 'true') paragraph.isHidden = true;
    },
  });
  return {
    /** Writes into the innermost paragraph. */
    write,
    /** @returns whether the element and what is in it are left out */
    open: (name: string, attributes: XmlAttributes): boolean => {
      if (leftOut > 0 || LEFT_OUT.has(name) || isHidden(name, attributes)) leftOut += 1;
      else if (APART.has(name)) begin({}, false);
      else openers.get(name)?.(attributes);
      return leftOut > 0;
    },
    text: (data: string): void =>
      write(data.replaceAll(/\s+/g, (space) => (space.trim() === '' ? ' ' : space))),
    /** @returns the paragraph that ends; null for what is left out, and undefined for another element */
    close: (
      name: string,
    ): { readonly paragraph: OpenParagraph; readonly line: string } | null | undefined => {
      if (leftOut > 0) {
        leftOut -= 1;
        return null;
      }
      if (APART.has(name)) open.pop();
      if (name === 'span' && (open.at(-1)?.looks.length ?? 0) > 1) open.at(-1)!.looks.pop();
      const paragraph = name === 'p' || name === 'h' ? open.pop() : undefined;
      if (paragraph === undefined) return undefined;
      const line = paragraph.isHidden ? '' : paragraph.text.replaceAll(/[^\S\n]+/g, ' ').trim();
      return { paragraph, line };
    },
  };
};

/** Sections and texts whose condition says so, and shapes that are shown nowhere. */
const isHidden = (name: string, { display, 'is-hidden': isNow }: XmlAttributes): boolean =>
  name === 'section' || name === 'hidden-text'
    ? display === 'none' || isNow === 'true'
    : display === 'none' && name !== 'style' && name !== 'text-properties';
