import type { PDFPageProxy } from 'pdfjs-dist';

/** What pdfjs tells of an annotation whose text stands in its appearance alone. */
interface Drawn {
  readonly id?: unknown;
  readonly subtype?: unknown;
  readonly fieldType?: unknown;
  readonly pushButton?: unknown;
  readonly annotationFlags?: unknown;
  readonly hasAppearance?: unknown;
}

/** Flags `Hidden` and `NoView`. */
const NOT_SHOWN = 2 | 32;

const isDrawn = ({ subtype, fieldType, pushButton, annotationFlags, hasAppearance }: Drawn): boolean =>
  hasAppearance === true &&
  (Number(annotationFlags ?? 0) & NOT_SHOWN) === 0 &&
  (subtype === 'Stamp' || (subtype === 'Widget' && (fieldType === 'Sig' || pushButton === true)));

type Operators = Readonly<Record<string, number>>;

/** The ids of stamps, signatures and push buttons of a page. */
export const drawnOf = (annotations: readonly unknown[]): ReadonlySet<unknown> =>
  new Set(
    annotations
      .map((annotation) => annotation as Drawn)
      .filter(isDrawn)
      .map(({ id }) => id),
  );

/**
 * Text that these annotations of a page show, in the order in which they are drawn. It is found among the operators by which
 * they are drawn, which takes as long as drawing the page.
 */
export const appearanceTexts = async (
  page: PDFPageProxy,
  drawn: ReadonlySet<unknown>,
  operators: Operators,
): Promise<readonly string[]> => {
  const { fnArray, argsArray } = await page.getOperatorList({ intent: 'display' });
  const texts: string[] = [];
  let text: string | null = null;
  for (const [index, operator] of fnArray.entries()) {
    const args = argsArray[index] as readonly unknown[] | null;
    if (operator === operators['beginAnnotation']) text = drawn.has(args?.[0]) ? '' : null;
    else if (text === null) continue;
    else if (operator === operators['showText']) text += shown(args?.[0]);
    else if (MOVES.some((name) => operators[name] === operator)) text += ' ';
    else if (operator === operators['endAnnotation']) {
      texts.push(text.replaceAll(/\s+/g, ' ').trim());
      text = null;
    }
  }
  return texts.filter((one) => one !== '');
};

/** Between them words end: a line, or another place. */
const MOVES = ['beginText', 'moveText', 'setLeadingMoveText', 'setTextMatrix', 'nextLine'];
/** Of a thousandth of the size of the letters: a step back of so much is a space. */
const SPACE = -200;

const shown = (glyphs: unknown): string =>
  (Array.isArray(glyphs) ? (glyphs as readonly unknown[]) : [])
    .map((glyph) => {
      if (typeof glyph === 'number') return glyph < SPACE ? ' ' : '';
      const { unicode } = (glyph ?? {}) as { readonly unicode?: unknown };
      return typeof unicode === 'string' ? unicode : '';
    })
    .join('');
