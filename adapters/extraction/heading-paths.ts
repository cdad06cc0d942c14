import type { TextUnit } from '../../domain/chunking/chunk.ts';

/** Text under a heading of level 1–6, or of level 0: text that goes on under the last heading. */
export interface HeadedText {
  readonly level: number;
  readonly heading: string;
  readonly text: string;
}

const MAX_HEADING_CHARACTERS = 300;

/** Units of a document without pages, each with the headings that it stands under. */
export const headingPaths = (parts: readonly HeadedText[]): TextUnit[] => {
  const open: { readonly level: number; readonly heading: string }[] = [];
  return parts.map(({ level, heading, text }) => {
    if (level > 0) {
      while (open.length > 0 && open[open.length - 1]!.level >= level) open.pop();
      open.push({ level, heading: heading.slice(0, MAX_HEADING_CHARACTERS) });
    }
    return { headingPath: open.map((above) => above.heading), pageNumber: 0, text };
  });
};
