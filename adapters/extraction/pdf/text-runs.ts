/** A text run on a page in pdfjs. */
export interface TextRun {
  readonly str: string;
  /** Font height in points; 0 for spaces between words. */
  readonly height: number;
  /** Affine matrix; the last two numbers are the start of the run, from the lower left corner. */
  readonly transform: readonly number[];
  /** Whether the line ends after it. */
  readonly hasEOL: boolean;
  /** Width of the run in points; 0 or absent when unknown. */
  readonly width?: number;
  /** `ttb` is written from top to bottom. */
  readonly dir?: string;
}

/** Along the line, from the end of one run to the start of the next; 0 when it is not known. */
export const gapBetween = (last: TextRun, run: TextRun): number => {
  if ((last.width ?? 0) === 0 || last.height === 0) return 0;
  const [cos, sin] = directionOf(last);
  const dx = (run.transform[4] ?? 0) - (last.transform[4] ?? 0);
  const dy = (run.transform[5] ?? 0) - (last.transform[5] ?? 0);
  return dx * cos + dy * sin - last.width!;
};

/** How far the baseline of a run is above that of another one, in points. */
export const riseBetween = (last: TextRun, run: TextRun): number => {
  const [cos, sin] = directionOf(last);
  const dx = (run.transform[4] ?? 0) - (last.transform[4] ?? 0);
  const dy = (run.transform[5] ?? 0) - (last.transform[5] ?? 0);
  return dy * cos - dx * sin;
};

/**
 * Parts of a page that are drawn consecutively, such as stamps, may be anywhere: the library reports no line end
 * between them.
 */
export const stepBetween = (last: TextRun, run: TextRun): 'on' | 'word' | 'line' => {
  const size = Math.max(last.height, run.height);
  const [cos, sin] = directionOf(last);
  const [nextCos, nextSin] = directionOf(run);
  if (size === 0 || last.dir === 'ttb' || run.dir === 'ttb') return 'on';
  if (cos * nextCos + sin * nextSin < SAME_DIRECTION) return 'line';
  const dx = (run.transform[4] ?? 0) - (last.transform[4] ?? 0);
  const dy = (run.transform[5] ?? 0) - (last.transform[5] ?? 0);
  if (Math.abs(riseBetween(last, run)) > RAISED * size) return 'line';
  if ((last.width ?? 0) === 0) return 'on';
  const gap = dx * cos + dy * sin - last.width!;
  return gap > GAP * size || gap < -size ? 'word' : 'on';
};

/** Raised or lowered letters belong to their line up to this distance, in font heights. */
const RAISED = 0.8;
/** A space is wider. */
const GAP = 0.2;
const SAME_DIRECTION = 0.98;

export const directionOf = ({ transform: [a = 1, b = 0] }: TextRun): readonly [cos: number, sin: number] => {
  const length = Math.hypot(a, b);
  return length === 0 ? [1, 0] : [a / length, b / length];
};
