import { riseOf, withRaised } from './raised-runs.ts';
import { type TextRun, directionOf, gapBetween, stepBetween } from './text-runs.ts';
import { inWrittenOrder } from './written-order.ts';
import { countO200kTokens, detectLanguage } from '../language-and-tokens.ts';

interface Line {
  readonly text: string;
  readonly y: number;
  readonly height: number;
  /** Whether a wide gap divides it, as between the cells of a table without rules. */
  readonly isRow: boolean;
}

/** Maximum baseline distance between lines of one paragraph, in font heights. */
const PARAGRAPH_LEADING = 1.7;

/**
 * Text of a page: lines are joined to paragraphs by their distance and font size, rows of a table stay lines, and
 * hyphenated words are rejoined.
 *
 * @param areGlyphs each run is a glyph, as the page shows it; their lines are put into the order of reading
 */
export const pageText = (runs: readonly TextRun[], areGlyphs = false): string => {
  let text = '';
  let previous: Line | null = null;
  const lines = areGlyphs ? glyphLines(runs) : linesOf(runs);
  const keepsHyphen = createHyphenRule(lines);
  for (const line of lines) {
    if (previous === null) text = line.text;
    else if (!sameParagraph(previous, line)) text += `\n\n${line.text}`;
    else if (previous.isRow && line.isRow) text += `\n${line.text}`;
    else if (divided(previous.text, line.text))
      text = (keepsHyphen(previous.text, line.text) ? text : text.slice(0, -1)) + line.text;
    else text += goesOn(previous.text, line.text) ? line.text : ` ${line.text}`;
    previous = line;
  }
  return text;
};

const glyphLines = (glyphs: readonly TextRun[]): Line[] => {
  const seen = rowsOf(glyphs).map((row) => withMarks(row).toSorted((a, b) => along(a) - along(b)));
  const page = seen.map((row) => row.map(({ str }) => str).join('')).join(' ');
  return seen.flatMap((row) => lineOf(row, (pieces) => inWrittenOrder(pieces, page)));
};

/** Runs between line ends. */
const rowsOf = (runs: readonly TextRun[]): TextRun[][] => {
  const rows: TextRun[][] = [];
  let row: TextRun[] = [];
  let last: TextRun | null = null;
  let base: TextRun | null = null;
  const end = (): void => {
    rows.push(row);
    [row, last, base] = [[], null, null];
  };
  for (const run of runs) {
    if (last !== null && stepBetween(last, run) === 'line' && !isAboveIndex(base!, last, run)) end();
    row.push(run);
    if (run.str.trim() !== '') {
      last = run;
      if (base === null || riseOf(base, run) === 0) base = run;
    }
    if (run.hasEOL) end();
  }
  end();
  return rows;
};

/** An exponent behind an index is farther from it than from their line. */
const isAboveIndex = (base: TextRun, last: TextRun, run: TextRun): boolean =>
  riseOf(base, last) !== 0 &&
  riseOf(base, run) !== 0 &&
  stepBetween(base, run) !== 'line' &&
  Math.abs(gapBetween(last, run)) < base.height;

const linesOf = (runs: readonly TextRun[]): Line[] =>
  rowsOf(runs).flatMap((row) => lineOf(withRaised(row), (pieces) => pieces.join('')));

/** None if the row shows nothing. */
const lineOf = (row: readonly TextRun[], textOf: (pieces: readonly string[]) => string): readonly Line[] => {
  const pieces: string[] = [];
  const shown = row.filter(({ str }) => str.trim() !== '');
  let last: TextRun | null = null;
  let isRow = false;
  for (const run of row) {
    const shows = run.str.trim() !== '';
    if (last !== null && shows) {
      if (stepBetween(last, run) === 'word' && !/\s$/.test(pieces.at(-1)!)) pieces.push(' ');
      isRow ||= gapBetween(last, run) > COLUMN_GAP * run.height;
    }
    pieces.push(run.str);
    if (shows) last = run;
  }
  const text = textOf(pieces).replaceAll(/\s+/g, ' ').trim();
  const y = shown[0]?.transform[5] ?? 0;
  return text === '' ? [] : [{ text, y, height: Math.max(...shown.map(({ height }) => height)), isRow }];
};

/** Where a run starts along its line. */
const along = (run: TextRun): number => {
  const [cos, sin] = directionOf(run);
  return (run.transform[4] ?? 0) * cos + (run.transform[5] ?? 0) * sin;
};

/**
 * Accents and vowel marks join their letter, which comes next where letters are painted from left to right, whatever
 * the direction of reading.
 */
const withMarks = (row: readonly TextRun[]): readonly TextRun[] => {
  const isLetterNext = row.length > 0 && along(row[0]!) < along(row.at(-1)!);
  const joined: TextRun[] = [];
  let marks = '';
  for (const run of row) {
    const last = joined.at(-1);
    if (!/^\p{M}+$/u.test(run.str)) {
      joined.push({ ...run, str: run.str + marks });
      marks = '';
    } else if (isLetterNext) marks = run.str + marks;
    else if (last !== undefined) joined[joined.length - 1] = { ...last, str: last.str + run.str };
  }
  return joined;
};

/** In font heights; words of a justified line are closer. */
const COLUMN_GAP = 1.5;

const sameParagraph = (previous: Line, line: Line): boolean => {
  const distance = previous.y - line.y;
  const height = Math.max(previous.height, 1);
  const similar = line.height > 0.8 * height && line.height < 1.25 * height;
  return similar && distance > -0.5 * height && distance < PARAGRAPH_LEADING * height;
};

/** `exam-` and `ple`; not `long-` and `Term`, nor a dash after a space. */
const divided = (end: string, start: string): boolean =>
  /\p{Ll}[-\u00ad\u2010]$/u.test(end) && /^\p{Ll}/u.test(start);

/** `2019-` and `2020`, `COVID-` and `19`. */
const goesOn = (end: string, start: string): boolean =>
  /[\p{L}\p{N}][-\u2010]$/u.test(end) && /^\p{N}/u.test(start);

/** Whether the hyphen between two lines belongs to the word, as in `self-service`. */
const createHyphenRule = (lines: readonly Line[]): ((end: string, start: string) => boolean) => {
  let page: { readonly text: string; readonly isEnglish: boolean } | null = null;
  return (end, start) => {
    const first = /[\p{L}\p{N}]+(?:[-\u2010][\p{L}\p{N}]+)*(?=[-\u00ad\u2010]$)/u.exec(end)?.[0] ?? '';
    const second = /^[\p{L}\p{N}]+/u.exec(start)?.[0] ?? '';
    if (end.endsWith('\u00ad')) return false;
    if (/[-\u2010]/.test(first)) return true;
    page ??= pageOf(lines);
    const has = (word: string): boolean => page!.text.includes(` ${word.toLowerCase()} `);
    if (has(first + second)) return false;
    if (has(`${first}-${second}`)) return true;
    const areWords = Math.min(first.length, second.length) >= SHORTEST && isWord(first) && isWord(second);
    return page.isEnglish && areWords && !isWord(first + second);
  };
};

/** Of each part of a compound. */
const SHORTEST = 3;

/** The tokenizer knows common words whole. */
const isWord = (word: string): boolean => countO200kTokens(` ${word.toLowerCase()}`) === 1;

const pageOf = (lines: readonly Line[]) => {
  const text = lines.map((line) => line.text).join(' ');
  const words = ` ${text.toLowerCase().replaceAll(/[^\p{L}\p{N}-]+/gu, ' ')} `;
  return { text: words, isEnglish: (detectLanguage(text) ?? 'en') === 'en' };
};
