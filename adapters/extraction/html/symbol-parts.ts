import { isSymbolFont, symbolText } from '../symbol-fonts.ts';
import type { Attributes } from './tags.ts';

/** Writes what elements show whose own font draws other characters than those of the text. */
interface SymbolParts {
  open(attributes: Attributes, depth: number): void;
  close(depth: number): void;
  /** Of this text what is seen. */
  text(data: string): string;
}

export const createSymbolParts = (): SymbolParts => {
  /** An element within has its own font. */
  const fonts: { readonly depth: number; readonly font: string }[] = [];
  return {
    open: ({ face, style }, depth) => {
      const font = FONT.exec(style ?? '')?.[1]?.trim() ?? face?.split(',')[0]!.trim();
      if (font === undefined || depth === 0) return;
      if (fonts.length > 0 || isSymbolFont(font)) fonts.push({ depth, font });
    },
    close: (depth) => {
      while (fonts.length > 0 && fonts.at(-1)!.depth >= depth) fonts.pop();
    },
    text: (data) => (fonts.length === 0 ? data : symbolText(data, fonts.at(-1)!.font)),
  };
};

/** The first font of a style or an attribute. */
const FONT = /font(?:-family)?\s*:(?:[^;]*(?:pt|px|em|%)\s)?\s*["']?([^"',;]+)/i;
