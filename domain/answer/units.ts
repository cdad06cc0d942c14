import { GOES_ON, isTerm, withoutSign } from '../shared/words.ts';
import { withoutMarks } from './citation-marks.ts';

/** What a part is put together from: a sentence of prose, or a list, a table or code as a whole. */
export interface Unit {
  readonly text: string;
  /** Between it and the unit before it. */
  readonly joint: ' ' | '\n\n';
  /** Counts the headings of the passage up to it. */
  readonly section: number;
  readonly headings: readonly string[];
}

/** Longer lines are no headings. UTF-16 units. */
const MAX_HEADING = 100;
/** Headings above a part: of one option there may be several. */
const MAX_HEADINGS = 3;
const LIST_ITEM = /^[^\S\n]*(?:[-*•‣–—]|\d{1,3}[.)])[^\S\n]+\S/;
const ROW = /\S \| \S|^\s*\|.*\|\s*$/;
const CODE_LINE = /^(?: {4}|\t|\$ |>>> |\.\.\. )/;
const FENCE = /^\s*(```|~~~)/;
const ENDS_LIKE_PROSE = /[.!。！．…,;:]$/u;

/** The units of a text in reading order; headings and terms of definitions are what others stand under. */
export const unitsOf = (text: string): readonly Unit[] => {
  const units: Unit[] = [];
  let headings: readonly string[] = [];
  let section = 0;
  let isAfterHeading = false;
  for (const block of blocksOf(fenced(text.toWellFormed().replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')))) {
    if (block.trim() === GOES_ON) continue;
    const isHead = isTerm(block) || isHeading(block);
    if (isHead) {
      const name = isTerm(block) ? withoutSign(block.trim()) : block.trim();
      headings = [...(isAfterHeading ? headings : []), name].slice(-MAX_HEADINGS);
      if (!isAfterHeading) section += 1;
    } else for (const unit of piecesOf(block)) units.push({ ...unit, section, headings });
    isAfterHeading = isHead;
  }
  return units;
};

/** A passage may begin or end in the middle of code: its fence is completed. */
const fenced = (text: string): string => {
  const lines = text.trimEnd().split('\n');
  const blank = lines.findIndex((line) => line.trim() === '');
  const first = blank === -1 ? lines : lines.slice(0, blank);
  const endsCode = BARE_FENCE.exec(first.at(-1)!)?.[1] ?? '';
  if (first.length > 1 && endsCode !== '' && openAfter(first.slice(0, -1), '') === '')
    return fenced(`${endsCode}\n${text}`);
  const [head, ...rest] = first as [string, ...string[]];
  const isCut = rest.length > 1 && ![CODE_LINE, LIST_ITEM, FENCE].some((is) => is.test(head));
  if (isCut && rest.every((line) => CODE_LINE.test(line)))
    return fenced(['```', ...first, '```', ...lines.slice(first.length)].join('\n'));
  const open = openAfter(lines, '');
  return open === '' ? text : `${text.trimEnd()}\n${open}`;
};
const BARE_FENCE = /^\s*(```|~~~)\s*$/;

/** The fence that is open after `lines`; empty: none. */
const openAfter = (lines: readonly string[], before: string): string => {
  let open = before;
  for (const line of lines) {
    const fence = FENCE.exec(line)?.[1] ?? '';
    if (fence !== '') open = open === '' ? fence : open === fence ? '' : open;
  }
  return open;
};

/** Paragraphs, and fenced code with its blank lines. */
const blocksOf = (text: string): readonly string[] => {
  const blocks: string[] = [];
  let open = '';
  for (const part of text.split(/\n[^\S\n]*\n/)) {
    if (open === '') blocks.push(part);
    else blocks.push(`${blocks.pop()}\n\n${part}`);
    open = openAfter(part.split('\n'), open);
  }
  return blocks.filter((block) => block.trim() !== '');
};

const isHeading = (block: string): boolean => {
  const line = block.trim();
  const isLine = !line.includes('\n') && line.length <= MAX_HEADING;
  return (
    isLine && ![LIST_ITEM, ROW, CODE_LINE, FENCE].some((is) => is.test(block)) && !ENDS_LIKE_PROSE.test(line)
  );
};

type Piece = Pick<Unit, 'text' | 'joint'>;

const SENTENCES = new Intl.Segmenter('en', { granularity: 'sentence' });

const piecesOf = (block: string): readonly Piece[] => {
  const lines = block.replace(/^\n+/, '').trimEnd().split('\n');
  if (FENCE.test(lines[0]!)) return [whole(lines.join('\n'))];
  if (lines.every((line) => CODE_LINE.test(line))) return [whole(`\`\`\`\n${lines.join('\n')}\n\`\`\``)];
  if (lines.some((line) => LIST_ITEM.test(line)) || lines.every((line) => ROW.test(line)))
    return [whole(lines.join('\n'))];
  const sentences = [...SENTENCES.segment(lines.map((line) => line.trim()).join(' '))];
  return sentences
    .map(({ segment }) => withoutMarks(segment.trim()))
    .filter((sentence) => sentence !== '')
    .map((sentence, i) => ({ text: sentence, joint: i === 0 ? '\n\n' : ' ' }));
};

const whole = (text: string): Piece => ({ text: withoutMarks(text), joint: '\n\n' });
