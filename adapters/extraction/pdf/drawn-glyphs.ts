import type { PDFPageProxy } from 'pdfjs-dist';
import {
  ENTERS,
  LEAVES,
  type Matrix,
  type Operators,
  UPRIGHT,
  combined,
  drawingSteps,
  isMatrix,
} from './drawing-steps.ts';
import type { TextRun } from './text-runs.ts';

/** What the operators of text set (ISO 32000-1, 9.3). */
interface TextState {
  /** Of a unit of glyph widths, in units of the text. */
  readonly unit: number;
  readonly size: number;
  readonly charSpacing: number;
  readonly wordSpacing: number;
  readonly stretch: number;
  readonly leading: number;
  readonly rise: number;
}

const INITIAL: TextState = {
  unit: 0.001,
  size: 0,
  charSpacing: 0,
  wordSpacing: 0,
  stretch: 1,
  leading: 0,
  rise: 0,
};

/**
 * The glyphs of a page's content in painting order, a run each. Where a glyph stands for several letters, as a ligature
 * does, its run has them in reading order, which runs of the library's own text have not. Takes as long as drawing
 * the page.
 */
export const drawnGlyphs = async (page: PDFPageProxy, operators: Operators): Promise<readonly TextRun[]> => {
  const runs: TextRun[] = [];
  const kept: TextState[] = [];
  let state = INITIAL;
  let line = UPRIGHT;
  let at = UPRIGHT;
  const place = (matrix: Matrix): void => {
    [line, at] = [matrix, matrix];
  };
  const move = (x: number, y: number): void => place(combined(line, [1, 0, 0, 1, x, y]));
  for (const { name, args, matrix } of drawingSteps(await page.getOperatorList(), operators)) {
    if (name === 'beginAnnotation') break; // behind the content
    const [first] = args;
    if (ENTERS.has(name)) kept.push(state);
    else if (LEAVES.has(name)) state = kept.pop() ?? state;
    else if (name === 'beginText') place(UPRIGHT);
    else if (name === 'setTextMatrix') place(isMatrix(first) ? first : UPRIGHT);
    else if (name === 'nextLine') move(0, -state.leading);
    else if (name === 'moveText' || name === 'setLeadingMoveText') {
      if (name !== 'moveText') state = { ...state, leading: -Number(args[1]) };
      move(Number(first), Number(args[1]));
    } else if (name === 'showText') at = show(first, state, { at, matrix }, runs);
    else state = { ...state, ...settingOf(page, name, args) };
  }
  return runs;
};

const settingOf = (page: PDFPageProxy, name: string, [first, second]: readonly unknown[]) => {
  if (name === 'setFont') return { unit: unitOf(page, String(first)), size: Number(second) };
  if (name === 'setHScale') return { stretch: Number(first) / 100 };
  const key = SETTINGS.get(name);
  return key === undefined ? {} : { [key]: Number(first) };
};
const SETTINGS: ReadonlyMap<string, keyof TextState> = new Map([
  ['setCharSpacing', 'charSpacing'],
  ['setWordSpacing', 'wordSpacing'],
  ['setLeading', 'leading'],
  ['setTextRise', 'rise'],
]);

const unitOf = ({ commonObjs }: PDFPageProxy, font: string): number => {
  const known = commonObjs.has(font) ? (commonObjs.get(font) as { readonly fontMatrix?: unknown }) : {};
  return isMatrix(known.fontMatrix) ? known.fontMatrix[0] : INITIAL.unit;
};

interface Glyph {
  readonly unicode?: unknown;
  /** In units of the font. */
  readonly width?: unknown;
  readonly isSpace?: unknown;
}

/** Adds runs of the glyphs. A number between them is a step back, in thousandths of the font size. @returns the place behind them */
const show = (
  glyphs: unknown,
  { unit, size, charSpacing, wordSpacing, stretch, rise }: TextState,
  { at, matrix }: { readonly at: Matrix; readonly matrix: Matrix },
  into: TextRun[],
): Matrix => {
  let place = at;
  for (const glyph of Array.isArray(glyphs) ? (glyphs as readonly unknown[]) : []) {
    let step = typeof glyph === 'number' ? (-glyph * size) / 1_000 : charSpacing;
    if (typeof glyph === 'object' && glyph !== null) {
      const { unicode, width = 0, isSpace } = glyph as Glyph;
      const wide = Number(width) * unit * size;
      const transform = combined(matrix, combined(place, [size * stretch, 0, 0, size, 0, rise]));
      const shown = {
        height: Math.hypot(transform[2], transform[3]),
        width: size === 0 ? 0 : Math.hypot(transform[0], transform[1]) * Math.abs(wide / size),
        transform,
        hasEOL: false,
      };
      const str = typeof unicode === 'string' ? unicode.replaceAll(/\p{Cc}/gu, ' ') : '';
      // A space without a width parts no words: programs write it for a part of another glyph.
      if (str.trim() !== '' || shown.width > 0) into.push({ str, ...shown });
      step += wide + (isSpace === true ? wordSpacing : 0);
    }
    place = combined(place, [1, 0, 0, 1, step * stretch, 0]);
  }
  return place;
};
