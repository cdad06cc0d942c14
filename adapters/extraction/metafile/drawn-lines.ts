import { MOST_CHARACTERS } from './fonts.ts';

/** Text that a record of a picture draws. */
export interface DrawnRun {
  readonly text: string;
  /** Where it begins, in the picture's own units, y downwards or upwards. */
  readonly x: number;
  readonly y: number;
  /** Of all its characters; 0 where the record does not say it. */
  readonly width: number;
}

/** Puts runs together to lines as they stand, in the order in which they are drawn. */
export interface DrawnLines {
  add(run: DrawnRun): void;
  /** What follows is measured in another way, so that it begins a line. */
  breakLine(): void;
  /** Characters so far. */
  readonly length: number;
  lines(): readonly string[];
}

/** Of the mean width of a character: programs draw words in pieces, and leave this much at least between words. */
const SPACE = 0.42;
/** Upwards, downwards or back by so much is another line. */
const STEP = 1;

export const createDrawnLines = (): DrawnLines => {
  const lines: string[] = [];
  let last: DrawnRun | null = null;
  let length = 0;
  return {
    add: (run) => {
      const text = run.text.slice(0, MOST_CHARACTERS).replaceAll(UNSHOWN, '');
      if (text.trim() === '') {
        if (last !== null && lines.length > 0) lines[lines.length - 1] += ' ';
        return;
      }
      length += text.length;
      const joint = last === null ? null : jointOf(last, run);
      if (joint === null) lines.push(text);
      else lines[lines.length - 1] += joint + text;
      last = run;
    },
    breakLine: () => {
      last = null;
    },
    get length() {
      return length;
    },
    lines: () => lines.map((line) => line.replaceAll(/\s+/g, ' ').trim()),
  };
};

/** Characters of controls, and the private ones of symbol fonts. */
const UNSHOWN = /[\p{Cc}\p{Co}\p{Cs}]/gu;

/** What stands between two runs of a line; null where the second one stands elsewhere. */
const jointOf = (last: DrawnRun, next: DrawnRun): '' | ' ' | null => {
  const mean = Math.max(meanWidth(last), meanWidth(next));
  if (mean === 0) return last.y === next.y && next.x > last.x ? ' ' : null;
  if (Math.abs(last.y - next.y) > STEP * mean) return null;
  const gap = next.x - (last.x + last.width);
  if (gap < -STEP * mean) return null;
  return gap > SPACE * mean ? ' ' : '';
};

const meanWidth = ({ text, width }: DrawnRun): number => width / Math.max(1, text.length);
