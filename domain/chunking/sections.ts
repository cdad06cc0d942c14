import { hasTerm } from '../shared/words.ts';
import type { Chunk, ChunkLimits, CountTokens, Lines, TextUnit } from './chunk.ts';
import { splitText, type TextPiece } from './split-text.ts';

const MAX_INDENT = 16;
const TAB_WIDTH = 4;

// Characters that a store or an index may reject: C0 controls except tab and line feed, delete, byte order mark.
// oxlint-disable-next-line no-control-regex -- these characters are what has to go
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufeff]/g;

// Checks whether any replacement is needed: most text is clean, and seven passes cost more than one.
const UNCLEAN =
  // oxlint-disable-next-line no-control-regex -- as above
  /[\u0000-\u0009\u000b-\u001f\u007f\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]|\S {2}| \n|\n{3}|\n {17}/;

/**
 * Normalises text for chunking and hashing: well-formed Unicode, LF line ends, single spaces inside a line, up to 16
 * columns of indentation (code and nested lists need it), no trailing spaces, at most one empty line in a row, and
 * trimmed.
 *
 * Linear in the length, also for hostile input: the first pass leaves no run longer than the indentation.
 */
export function normaliseWhitespace(text: string): string {
  const wellFormed = text.toWellFormed();
  if (!UNCLEAN.test(wellFormed)) return wellFormed.trim();
  return wellFormed
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(CONTROL, ' ')
    .replace(/(\n?)([^\S\n]+)/g, (_, lineStart: string, run: string) =>
      lineStart === '' ? ' ' : lineStart + ' '.repeat(indentWidth(run)),
    )
    .replace(/ {1,16}\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function indentWidth(run: string): number {
  let width = 0;
  for (const char of run) width += char === '\t' ? TAB_WIDTH : 1;
  return Math.min(width, MAX_INDENT);
}

/** The pieces of one section of a document: the text under one heading path on one page. */
export type SplitSection = {
  readonly headingPath: readonly string[];
  readonly pageNumber: number;
  readonly pieces: readonly TextPiece[];
  readonly metadata?: Chunk['metadata'];
  readonly lines?: Lines;
};

/**
 * Splits each unit separately: no piece and no overlap crosses a heading or a page. So a change in one section does
 * not affect the pieces of other sections, except small neighbours that are joined. Drops units without text. Rows
 * stay separate, and so do units with lines unless they are small; other adjacent units with the same path and page
 * form one section.
 */
export function splitSections(
  units: readonly TextUnit[],
  count: CountTokens,
  limits: ChunkLimits,
): SplitSection[] {
  const sections = mergeAdjacent(units).map((unit) => ({
    headingPath: unit.headingPath,
    pageNumber: unit.pageNumber,
    pieces: splitText(
      unit.text,
      count,
      unit.metadata === undefined ? limits : { ...limits, overlapTokens: 0 },
    ),
    ...(unit.metadata !== undefined && { metadata: unit.metadata }),
    ...(unit.lines !== undefined && { lines: unit.lines }),
  }));
  return joinTiny(sections, count, limits);
}

function mergeAdjacent(units: readonly TextUnit[]): TextUnit[] {
  const merged: TextUnit[] = [];
  for (const unit of units) {
    const text = normaliseWhitespace(unit.text);
    if (text === '') continue;
    const last = merged.at(-1);
    if (
      last !== undefined &&
      last.pageNumber === unit.pageNumber &&
      samePath(last, unit) &&
      !isRow(last) &&
      !isRow(unit) &&
      last.lines === undefined &&
      unit.lines === undefined
    ) {
      merged[merged.length - 1] = { ...last, text: `${last.text}\n\n${text}` };
    } else {
      merged.push({ ...unit, text });
    }
  }
  return merged;
}

function isRow({ metadata }: { readonly metadata?: Chunk['metadata'] }): boolean {
  return metadata !== undefined;
}

function samePath(a: TextUnit, b: TextUnit): boolean {
  return a.headingPath.length === b.headingPath.length && startsWith(a.headingPath, b.headingPath);
}

/**
 * Joins a section below `minTokens` with the following ones, until it is large enough or the next one does not fit.
 */
function joinTiny(
  sections: readonly SplitSection[],
  count: CountTokens,
  limits: ChunkLimits,
): SplitSection[] {
  const joined: SplitSection[] = [];
  let index = 0;
  while (index < sections.length) {
    const first = sections[index]!;
    let section = first;
    for (index += 1; index < sections.length; index += 1) {
      const larger = join(section, sections[index]!, first, count, limits);
      if (larger === null) break;
      section = larger;
    }
    joined.push(section);
  }
  return joined;
}

function join(
  section: SplitSection,
  next: SplitSection,
  first: SplitSection,
  count: CountTokens,
  limits: ChunkLimits,
): SplitSection | null {
  const [piece, nextPiece] = [section.pieces[0]!, next.pieces[0]!];
  if (section.pieces.length > 1 || next.pieces.length > 1) return null;
  if (isRow(section) || isRow(next)) return null;
  // The following section is the definition of the term.
  if (hasTerm(piece.text)) return null;
  if ((section.lines === undefined) !== (next.lines === undefined)) return null;
  if (piece.tokens >= limits.minTokens || piece.tokens + nextPiece.tokens > limits.maxTokens) return null;
  if (next.pageNumber !== first.pageNumber) return null;
  if (!startsWith(next.headingPath, first.headingPath.slice(0, -1))) return null;
  const tokens = piece.tokens + count(`\n\n${nextPiece.text}`);
  if (tokens > limits.maxTokens) return null;
  return {
    headingPath: commonPath(section.headingPath, next.headingPath),
    pageNumber: first.pageNumber,
    pieces: [{ text: `${piece.text}\n\n${nextPiece.text}`, tokens, overlap: 0 }],
    ...(section.lines && next.lines && { lines: { first: section.lines.first, last: next.lines.last } }),
  };
}

function startsWith(path: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every((heading, index) => heading === path[index]);
}

function commonPath(a: readonly string[], b: readonly string[]): readonly string[] {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return a.slice(0, length);
}
