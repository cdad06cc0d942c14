/** Where a unit square lies: x' = a x + c y + e, y' = b x + d y + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** An image that a page paints onto the unit square of `matrix`, as pdfjs names or holds it. */
export interface PaintedImage {
  readonly image: unknown;
  /** Points from the lower left corner of the page, from below. */
  readonly matrix: Matrix;
  /** Its bits are ink, and nothing, instead of colours. */
  readonly isMask: boolean;
}

/** Operators of a page, as pdfjs numbers them (ISO 32000-1, annex A). */
export interface OperatorList {
  readonly fnArray: readonly number[];
  readonly argsArray: readonly unknown[];
}

/** A scanner writes a page as one, or as some dozens of strips. */
const MOST_IMAGES = 1_000;
const DEEPEST = 1_000;
const UPRIGHT: Matrix = [1, 0, 0, 1, 0, 0];

/** What is done to a point by the second matrix, then by the first. */
export const combined = (outer: Matrix, inner: Matrix): Matrix => [
  outer[0] * inner[0] + outer[2] * inner[1],
  outer[1] * inner[0] + outer[3] * inner[1],
  outer[0] * inner[2] + outer[2] * inner[3],
  outer[1] * inner[2] + outer[3] * inner[3],
  outer[0] * inner[4] + outer[2] * inner[5] + outer[4],
  outer[1] * inner[4] + outer[3] * inner[5] + outer[5],
];

/** The first thousand, in the order in which they are painted, later ones over earlier ones. */
export const paintedImages = (
  { fnArray, argsArray }: OperatorList,
  operators: Readonly<Record<string, number>>,
): readonly PaintedImage[] => {
  const names = new Map(Object.entries(operators).map(([name, number]) => [number, name]));
  const found: PaintedImage[] = [];
  const kept: Matrix[] = [];
  let matrix = UPRIGHT;
  for (const [index, operator] of fnArray.entries()) {
    if (found.length >= MOST_IMAGES) break;
    const name = names.get(operator) ?? '';
    const args = (argsArray[index] ?? []) as readonly unknown[];
    if (LEAVES.has(name)) matrix = kept.pop() ?? matrix;
    else if (ENTERS.has(name) && kept.length < DEEPEST) kept.push(matrix);
    for (const moved of movesOf(name, args)) if (isMatrix(moved)) matrix = combined(matrix, moved);
    found.push(...imagesOf(name, args, matrix));
  }
  return found;
};

const ENTERS = new Set(['save', 'paintFormXObjectBegin', 'beginAnnotation']);
const LEAVES = new Set(['restore', 'paintFormXObjectEnd', 'endAnnotation']);

/** Matrices by which an operator moves what is painted from then on. */
const movesOf = (name: string, args: readonly unknown[]): readonly unknown[] => {
  if (name === 'transform') return [args];
  if (name === 'paintFormXObjectBegin') return [args[0]];
  return name === 'beginAnnotation' ? [args[2], args[3]] : [];
};

const imagesOf = (name: string, args: readonly unknown[], matrix: Matrix): readonly PaintedImage[] => {
  const [image] = args;
  if (name === 'paintImageXObject' || name === 'paintInlineImageXObject')
    return [{ image, matrix, isMask: false }];
  if (name === 'paintImageMaskXObject') return [{ image, matrix, isMask: true }];
  if (name !== 'paintImageMaskXObjectGroup') return [];
  return (image as readonly { readonly transform: unknown }[]).flatMap((each) =>
    isMatrix(each.transform) ? { image: each, matrix: combined(matrix, each.transform), isMask: true } : [],
  );
};

const isMatrix = (value: unknown): value is Matrix =>
  value !== null &&
  typeof value === 'object' &&
  (value as { length?: unknown }).length === 6 &&
  Array.from(value as ArrayLike<unknown>).every((each) => Number.isFinite(each));
