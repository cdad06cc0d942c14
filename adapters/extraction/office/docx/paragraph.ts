import type { TextFlow } from '../text-flow.ts';
import type { TextRun } from '../../text-run.ts';
import type { Lists } from './numbering.ts';
import type { ParagraphStyle } from './styles.ts';

export interface ParagraphContext {
  readonly style: (id: string) => ParagraphStyle;
  readonly lists: Lists;
  /** The document's own title. */
  readonly title: (text: string) => void;
}

/** A paragraph that is being read. */
export interface Paragraph {
  text: string;
  run: TextRun | null;
  /** Whether its end was deleted: the next one belongs to it. */
  goesOn: boolean;
  style: string | null;
  outline: number | null;
  numId: string | null;
  /** Level in its list; null when its style determines it. */
  level: number | null;
  notes: string[];
}

export const newParagraph = (): Paragraph => ({
  text: '',
  run: null,
  goesOn: false,
  style: null,
  outline: null,
  numId: null,
  level: null,
  notes: [],
});

/** A longer one is a paragraph with a heading style. */
const LONGEST_HEADING = 500;

/** Adds the number or bullet of its list. A paragraph without text shows only its number. */
export const addParagraph = (paragraph: Paragraph, flow: TextFlow, context: ParagraphContext): void => {
  const text = paragraph.text.replaceAll(/[^\S\n]+/g, ' ').trim();
  const style = styleOf(paragraph, context);
  const mark = markOf(paragraph, style, context) ?? '';
  if (text === '' && (mark === '' || isBullet(mark))) return;
  const level = paragraph.outline === null ? (style?.level ?? 0) : paragraph.outline + 1;
  if (style?.isTitle === true) context.title(text);
  if (text !== '' && level >= 1 && level <= 9 && paragraph.text.length < LONGEST_HEADING)
    flow.heading(level, isBullet(mark) ? text : `${mark}${text}`);
  else flow.add(`${mark}${text}`.trimEnd(), mark === '' ? 'paragraph' : 'item');
  for (const note of paragraph.notes) flow.add(note);
};

/** A paragraph of a cell, in one line with its notes; empty when it shows nothing. */
export const cellLine = (paragraph: Paragraph, context: ParagraphContext): string => {
  const mark = markOf(paragraph, styleOf(paragraph, context), context) ?? '';
  const line = `${isBullet(mark) ? '' : mark.trimStart()}${paragraph.text.trim()}`;
  return [line.trim(), ...paragraph.notes].join(' ').trim();
};

const styleOf = ({ style }: Paragraph, context: ParagraphContext): ParagraphStyle | null =>
  style === null ? null : context.style(style);

const markOf = (
  { numId, level }: Paragraph,
  style: ParagraphStyle | null,
  { lists }: ParagraphContext,
): string | null => {
  const list = numId ?? style?.numId ?? null;
  return list === null ? null : lists.next(list, level ?? style?.listLevel ?? null, style?.listStyle ?? null);
};

const isBullet = (mark: string): boolean => mark.trim() === '-';
