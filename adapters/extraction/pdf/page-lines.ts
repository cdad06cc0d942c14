/** A run of text on a page, as pdfjs gives it. */
export interface TextRun {
  readonly str: string;
  /** Height of the letters in points; 0 for spaces between words. */
  readonly height: number;
  /** Affine matrix; the last two numbers are where the run starts, from the lower left corner. */
  readonly transform: readonly number[];
  /** Whether a line ends after it. */
  readonly hasEOL: boolean;
}

interface Line {
  readonly text: string;
  readonly y: number;
  readonly height: number;
}

/** Between lines of one paragraph lie up to this many letter heights, baseline to baseline. */
const PARAGRAPH_LEADING = 1.7;

/**
 * Text of a page: lines joined to paragraphs where their distance and letter size say that they belong together, words
 * that a line end divides joined again.
 */
export const pageText = (runs: readonly TextRun[]): string => {
  let text = '';
  let previous: Line | null = null;
  for (const line of linesOf(runs)) {
    if (previous === null) text = line.text;
    else if (!sameParagraph(previous, line)) text += `\n\n${line.text}`;
    else if (divided(previous.text, line.text)) text = text.slice(0, -1) + line.text;
    else text += ` ${line.text}`;
    previous = line;
  }
  return text;
};

const linesOf = (runs: readonly TextRun[]): Line[] => {
  const lines: Line[] = [];
  let text = '';
  let y = 0;
  let height = 0;
  const end = (): void => {
    const trimmed = text.replaceAll(/\s+/g, ' ').trim();
    if (trimmed !== '') lines.push({ text: trimmed, y, height });
    text = '';
    height = 0;
  };
  for (const run of runs) {
    if (text.trim() === '') y = run.transform[5] ?? 0;
    if (run.str.trim() !== '') height = Math.max(height, run.height);
    text += run.str;
    if (run.hasEOL) end();
  }
  end();
  return lines;
};

const sameParagraph = (previous: Line, line: Line): boolean => {
  const distance = previous.y - line.y;
  const height = Math.max(previous.height, 1);
  const similar = line.height > 0.8 * height && line.height < 1.25 * height;
  return similar && distance > -0.5 * height && distance < PARAGRAPH_LEADING * height;
};

/** `exam-` and `ple`; not `long-` and `Term`, nor a dash after a space. */
const divided = (end: string, start: string): boolean =>
  /\p{Ll}[-\u00ad\u2010]$/u.test(end) && /^\p{Ll}/u.test(start);
