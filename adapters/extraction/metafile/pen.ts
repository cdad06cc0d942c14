import type { DrawnRun } from './drawn-lines.ts';

/** Flags of how text stands to its place ([MS-WMF] 2.1.2.3). */
const FROM_PEN = 1;
const HORIZONTAL = 6;
const RIGHT = 2;
const CENTER = 6;

/** Where the next text goes: at the place that its record has, or where the last one ended. */
export interface Pen {
  align(flags: number): void;
  moveTo(x: number, y: number): void;
  place(text: string, x: number, y: number, width: number): DrawnRun;
}

export const createPen = (): Pen => {
  let [flags, penX, penY] = [0, 0, 0];
  return {
    align: (next) => {
      flags = next;
    },
    moveTo: (x, y) => {
      [penX, penY] = [x, y];
    },
    place: (text, x, y, width) => {
      if ((flags & FROM_PEN) !== 0) {
        const run = { text, x: penX, y: penY, width };
        penX += width;
        return run;
      }
      const side = flags & HORIZONTAL;
      const left = side === CENTER ? x - width / 2 : side === RIGHT ? x - width : x;
      return { text, x: left, y, width };
    },
  };
};
