import { commentLine } from '../office/workbook.ts';

/** Groups that are not part of the surrounding paragraph: comments, and their authors. */
const ASIDE = new Set(['annotation', 'atnauthor']);

/** Collects comments while the surrounding paragraph is suspended. */
export const createComments = () => {
  const lines: string[] = [];
  let author = '';
  let open: { readonly name: string; readonly depth: number; readonly around: string[] } | null = null;
  return {
    /** Whether a group of that name begins a comment; comments are not nested. */
    begins: (name: string): boolean => open === null && ASIDE.has(name),
    /** @param around pieces of the suspended paragraph */
    begin: (name: string, depth: number, around: string[]): void => {
      open = { name, depth, around };
    },
    get isOpen(): boolean {
      return open !== null;
    },
    endsAt: (depth: number): boolean => open !== null && depth <= open.depth,
    /** @returns the pieces of the suspended paragraph */
    end: (pieces: readonly string[]): string[] => {
      const said = pieces.join('').toWellFormed();
      const { name = '', around = [] } = open ?? {};
      if (name === 'annotation') lines.push(commentLine(author, said));
      author = name === 'atnauthor' ? said : '';
      open = null;
      return around;
    },
    lines,
  };
};
