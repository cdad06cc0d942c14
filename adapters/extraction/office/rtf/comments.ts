import { commentLine } from '../comment-line.ts';

/** Comments, and who made the next one: groups that are no part of the paragraph in which they stand. */
const ASIDE = new Set(['annotation', 'atnauthor']);

/** What stands beside a text of rich text, while the paragraph around it waits. */
export interface RtfComments {
  /** Whether a group of that name stands beside the text; none does within another one. */
  begins(name: string): boolean;
  /** @param depth of the group. @param around pieces of the paragraph that waits */
  begin(name: string, depth: number, around: string[]): void;
  readonly isOpen: boolean;
  /** Whether the end of a group at a depth ends what is open. */
  endsAt(depth: number): boolean;
  /** @returns what waited. @param pieces of what stood beside it */
  end(pieces: readonly string[]): string[];
  /** A line of each comment, in their order. */
  readonly lines: readonly string[];
}

export const createComments = (): RtfComments => {
  const lines: string[] = [];
  let author = '';
  let open: { readonly name: string; readonly depth: number; readonly around: string[] } | null = null;
  return {
    begins: (name) => open === null && ASIDE.has(name),
    begin: (name, depth, around) => {
      open = { name, depth, around };
    },
    get isOpen() {
      return open !== null;
    },
    endsAt: (depth) => open !== null && depth <= open.depth,
    end: (pieces) => {
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
