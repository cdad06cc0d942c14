/** Position of a unit square: x' = a x + c y + e, y' = b x + d y + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** Numbers of operators by name, as pdfjs has them. */
export type Operators = Readonly<Record<string, number>>;

/** Operators of a page, as pdfjs numbers them (ISO 32000-1, annex A). */
export interface OperatorList {
  readonly fnArray: readonly number[];
  readonly argsArray: readonly unknown[];
}

interface DrawingStep {
  readonly name: string;
  readonly args: readonly unknown[];
  /** Where it draws: in points from the lower left corner of the page, y from below. */
  readonly matrix: Matrix;
}

const DEEPEST = 1_000;
export const UPRIGHT: Matrix = [1, 0, 0, 1, 0, 0];

/** Applies the second matrix, then the first. */
export const combined = (outer: Matrix, inner: Matrix): Matrix => [
  outer[0] * inner[0] + outer[2] * inner[1],
  outer[1] * inner[0] + outer[3] * inner[1],
  outer[0] * inner[2] + outer[2] * inner[3],
  outer[1] * inner[2] + outer[3] * inner[3],
  outer[0] * inner[4] + outer[2] * inner[5] + outer[4],
  outer[1] * inner[4] + outer[3] * inner[5] + outer[5],
];

/** The operators of a page in order, each with the matrix that is in force after it. */
export function* drawingSteps(
  { fnArray, argsArray }: OperatorList,
  operators: Operators,
): Generator<DrawingStep> {
  const names = new Map(Object.entries(operators).map(([name, number]) => [number, name]));
  const kept: Matrix[] = [];
  let matrix = UPRIGHT;
  for (const [index, operator] of fnArray.entries()) {
    const name = names.get(operator) ?? '';
    const args = (argsArray[index] ?? []) as readonly unknown[];
    if (LEAVES.has(name)) matrix = kept.pop() ?? matrix;
    else if (ENTERS.has(name) && kept.length < DEEPEST) kept.push(matrix);
    for (const moved of movesOf(name, args)) if (isMatrix(moved)) matrix = combined(matrix, moved);
    yield { name, args, matrix };
  }
}

export const ENTERS = new Set(['save', 'paintFormXObjectBegin', 'beginAnnotation']);
export const LEAVES = new Set(['restore', 'paintFormXObjectEnd', 'endAnnotation']);

/** Matrices by which an operator moves later paintings. */
const movesOf = (name: string, args: readonly unknown[]): readonly unknown[] => {
  if (name === 'transform') return [args];
  if (name === 'paintFormXObjectBegin') return [args[0]];
  return name === 'beginAnnotation' ? [args[2], args[3]] : [];
};

export const isMatrix = (value: unknown): value is Matrix =>
  value !== null &&
  typeof value === 'object' &&
  (value as { length?: unknown }).length === 6 &&
  Array.from(value as ArrayLike<unknown>).every((each) => Number.isFinite(each));
