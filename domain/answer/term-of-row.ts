const BAR = ' | ';
/** Fewer may be a command and where its output goes. */
const MIN_CELLS = 3;
/** Of a term, in characters. */
const MOST = 60;
/** One to four words; a label ends in a colon. */
const TERM = /^\S+(?: \S+){0,3}(?<!:)$/;

/**
 * What a row by itself defines, such as `tape_size | type: integer | default: 4` above the prose that explains it: its
 * first cell. Null where that is no term.
 *
 * @param block a paragraph, with no other row next to it
 */
export function termOfRow(block: string): string | null {
  const line = block.trim();
  const cells = line.split(BAR, MIN_CELLS);
  if (line.includes('\n') || cells.length < MIN_CELLS) return null;
  const term = cells[0]!.trim();
  return term.length <= MOST && TERM.test(term) ? term : null;
}
