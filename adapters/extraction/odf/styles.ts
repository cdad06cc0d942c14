import { type ListLevel, DEEPEST_LEVEL } from '../office/list-marks.ts';
import type { TextRun } from '../text-run.ts';
import { type XmlAttributes, readXml } from '../xml/read-xml.ts';

/** How text of a style looks, as far as it decides what is read. */
export type TextLook = Omit<TextRun, 'text'>;

/** The styles of an OpenDocument file (OpenDocument 1.3, part 3, clauses 16 and 20), by family and name. */
export interface OdfStyles {
  /** The look of a style, with what it has from its ancestors; `around` for what none of them says. */
  look(family: 'paragraph' | 'text' | 'table-cell', name: string | undefined, around: TextLook): TextLook;
  /** Whether a sheet or a slide of this style is shown. */
  isShown(family: 'table' | 'drawing-page', name: string | undefined): boolean;
  /** Whether a paragraph style is the one of titles, or is based on it. */
  isTitle(name: string | undefined): boolean;
  /** Levels of a list style; of the chapter numbers for null. */
  list(name: string | null): readonly (ListLevel | undefined)[] | undefined;
}

interface Style {
  readonly parent: string | undefined;
  look: Partial<TextLook>;
  isShown: boolean;
}

/** @param parts XML of the parts with styles; the first definition of a name counts */
export const readOdfStyles = (parts: readonly string[]): OdfStyles => {
  const styles = new Map<string, Style>();
  const lists = new Map<string | null, (ListLevel | undefined)[]>();
  const fonts = new Map<string, string>();
  for (const xml of parts) readDefinitions(xml, styles, lists, fonts);
  return {
    look: (family, name, around) => {
      let look: Partial<TextLook> = {};
      for (const { look: own } of ancestry(styles, family, name)) look = { ...own, ...look };
      const { font = null } = look;
      return { ...around, ...look, ...(font !== null && { font: fonts.get(font) ?? font }) };
    },
    isShown: (family, name) => ancestry(styles, family, name).every((style) => style.isShown),
    isTitle: (name) => name === 'Title' || ancestry(styles, 'paragraph', name)[0]?.parent === 'Title',
    list: (name) => lists.get(name),
  };
};

const MAX_ANCESTORS = 20;

/** The style and those it is based on, the nearest first. */
const ancestry = (
  styles: ReadonlyMap<string, Style>,
  family: string,
  name: string | undefined,
): readonly Style[] => {
  const found: Style[] = [];
  for (let next = name; next !== undefined && found.length < MAX_ANCESTORS;) {
    const style = styles.get(`${family} ${next}`);
    if (style === undefined) break;
    found.push(style);
    next = style.parent;
  }
  return found;
};

const readDefinitions = (
  xml: string,
  styles: Map<string, Style>,
  lists: Map<string | null, (ListLevel | undefined)[]>,
  fonts: Map<string, string>,
): void => {
  let style: Style | null = null;
  let list: (ListLevel | undefined)[] | null = null;
  readXml(xml, {
    open: (name, attributes) => {
      if (name === 'style') {
        style = { parent: attributes['parent-style-name'], look: {}, isShown: true };
        const key = `${attributes['family']} ${attributes['name']}`;
        if (!styles.has(key)) styles.set(key, style);
      } else if (name === 'font-face') {
        const { name: face = '', 'font-family': family } = attributes;
        if (family !== undefined) fonts.set(face, family.replaceAll(/['"]/g, ''));
      } else if (name === 'text-properties' && style !== null) style.look = lookOf(attributes);
      else if (name === 'table-properties' && style !== null)
        style.isShown = attributes['display'] !== 'false';
      else if (name === 'drawing-page-properties' && style !== null)
        style.isShown = attributes['visibility'] !== 'hidden';
      else if (name === 'list-style' || name === 'outline-style') {
        list = [];
        const key = name === 'outline-style' ? null : (attributes['name'] ?? '');
        if (!lists.has(key)) lists.set(key, list);
      } else if (list !== null && LEVELS.test(name)) {
        const level = Number(attributes['level']) - 1;
        if (level >= 0 && level <= DEEPEST_LEVEL) list[level] = levelOf(name, level, attributes);
      }
    },
    close: (name) => {
      if (name === 'style') style = null;
      else if (name === 'list-style' || name === 'outline-style') list = null;
    },
  });
};

const lookOf = (attributes: XmlAttributes): Partial<TextLook> => {
  const { display, 'text-line-through-style': line, 'text-line-through-type': type } = attributes;
  const position = attributes['text-position'];
  const says = display !== undefined || line !== undefined || type !== undefined;
  const isStruck = (line ?? 'none') !== 'none' || (line === undefined && (type ?? 'none') !== 'none');
  return {
    ...(says && { isLeftOut: display === 'none' || isStruck }),
    ...(position !== undefined && { position: positionOf(position) }),
    ...(attributes['font-name'] !== undefined && { font: attributes['font-name'] }),
  };
};

/** `super`, `sub`, or a share of the height of the font above or below the line. */
const positionOf = (position: string): TextLook['position'] => {
  if (position.startsWith('super')) return 'raised';
  if (position.startsWith('sub')) return 'lowered';
  const share = Number.parseFloat(position);
  return share > 0 ? 'raised' : share < 0 ? 'lowered' : null;
};

const LEVELS = /^(?:list-level-style-(?:number|bullet|image)|outline-level-style)$/;
const FORMATS: Readonly<Record<string, string>> = {
  1: 'decimal',
  a: 'lowerLetter',
  A: 'upperLetter',
  i: 'lowerRoman',
  I: 'upperRoman',
};

/** OpenDocument 1.3, part 3, 16.31 to 16.34. */
const levelOf = (name: string, level: number, attributes: XmlAttributes): ListLevel => {
  const format = attributes['num-format'] ?? '';
  const base = { start: Number(attributes['start-value'] ?? 1), legal: false, restartsAfter: level };
  if (!/number$|^outline/.test(name)) return { ...base, format: 'bullet', text: '' };
  if (format === '') return { ...base, format: 'none', text: '' };
  const shown = Math.min(Number(attributes['display-levels'] ?? 1) || 1, level + 1);
  const numbers = Array.from({ length: shown }, (_, index) => `%${level + 2 - shown + index}`);
  const text = `${attributes['num-prefix'] ?? ''}${numbers.join('.')}${attributes['num-suffix'] ?? ''}`;
  return { ...base, format: FORMATS[format] ?? 'decimal', text };
};
