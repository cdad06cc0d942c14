import { lowered, raised } from './raised-text.ts';
import { isSymbolFont, symbolText } from './symbol-fonts.ts';

/** A piece of a paragraph whose letters look the same. */
export interface TextRun {
  text: string;
  /** Hidden or struck out: no reader is to read it. */
  isLeftOut: boolean;
  position: 'raised' | 'lowered' | null;
  font: string | null;
}

export const newRun = (): TextRun => ({ text: '', isLeftOut: false, position: null, font: null });

/** By how far it is above its line. */
export const positionBy = (height: number): TextRun['position'] =>
  height > 0 ? 'raised' : height < 0 ? 'lowered' : null;

/** What a run says in its line. @param before what stands before it there */
export const shownRun = ({ text, isLeftOut, position, font }: TextRun, before: string): string => {
  if (isLeftOut) return '';
  const said = font !== null && isSymbolFont(font) ? symbolText(text, font) : text;
  if (position === null) return said;
  return (position === 'raised' ? raised : lowered)(said, before.slice(-2));
};
