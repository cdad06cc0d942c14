import type { Attributes } from './tags.ts';
import { LONGEST_RAISED, lowered, raised } from '../raised-text.ts';

/** Writes what a page raises and lowers so that it does not run into the number beside it. */
interface RaisedParts {
  open(name: string, attributes: Attributes, depth: number): void;
  /** What was raised or lowered and ends here, as it is written; '' where nothing was. */
  close(depth: number): string;
  /** Of this text what is to be said now. */
  text(data: string): string;
  /** A new line or cell begins. */
  setApart(): void;
}

const RAISED = /vertical-align\s*:\s*(sub|super)\b/i;
const CELLS: ReadonlySet<string> = new Set(['td', 'th', 'tr']);

export const createRaisedParts = (): RaisedParts => {
  let part: { readonly depth: number; readonly write: typeof raised; kept: string } | null = null;
  let before = '';
  let isBehindNumber = false;
  const said = (text: string): string => {
    const written = isBehindNumber && /^\d/.test(text) ? ` ${text}` : text;
    if (text !== '') [before, isBehindNumber] = [(before + text).slice(-2), false];
    return written;
  };

  return {
    open: (name, { style }, depth) => {
      const place = name === 'sup' || name === 'sub' ? name : RAISED.exec(style ?? '')?.[1]?.toLowerCase();
      if (part === null && depth > 0 && place !== undefined && !CELLS.has(name))
        part = { depth, write: place === 'sub' ? lowered : raised, kept: '' };
    },
    close: (depth) => {
      if (part?.depth !== depth) return '';
      const { write, kept } = part;
      part = null;
      const written = said(write(kept, before));
      isBehindNumber = /\d$/.test(kept);
      return written;
    },
    text: (data) => {
      if (part === null) return said(data);
      part.kept += data;
      if (part.kept.length <= LONGEST_RAISED) return '';
      const { kept } = part;
      part = null;
      return said(kept);
    },
    setApart: () => {
      [before, isBehindNumber] = ['', false];
    },
  };
};
