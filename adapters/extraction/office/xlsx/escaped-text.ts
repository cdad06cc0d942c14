import { withoutMarks } from '../control-marks.ts';

/** `_x000D_`: characters that XML cannot hold, by their numbers (ECMA-376-1, 22.9.2.19); `_x005F_` is the line itself. */
const ESCAPED = /_x([\dA-F]{4})_/gi;

/** Text of a cell as it was typed, with line feeds at the ends of lines. */
export const unescaped = (text: string): string =>
  text.includes('_x')
    ? withoutMarks(
        text
          .replaceAll(ESCAPED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
          .replaceAll(/\r\n?/g, '\n'),
      ).toWellFormed()
    : text;
