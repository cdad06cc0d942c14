import type { TextUnit } from '../../../domain/chunking/chunk.ts';
import type { Boundary } from './definitions.ts';

/** A stretch of lines under one path: from `first` up to, without, `end`, counted from 0. */
interface Stretch {
  readonly first: number;
  readonly end: number;
  readonly path: readonly string[];
}

/** The lines of a text, of which units are made. */
export const linesOf = (text: string) => {
  const lines = text.split(/\r\n|\r|\n/);
  const starts = startsOf(text);
  return {
    /** All lines but empty ones between units, in order, none twice, cut at the boundaries, and where a stretch has more than `most` characters. */
    units: (boundaries: readonly Boundary[], most: number): TextUnit[] =>
      withClosings(
        stretchesOf(boundaries, starts, lines).flatMap((stretch) => cut(stretch, lines, most)),
        lines,
      )
        .map((stretch) => withoutEmptyEnds(stretch, lines))
        .filter(({ first, end }) => first < end)
        .map(({ first, end, path }) => ({
          headingPath: path,
          pageNumber: 0,
          text: lines.slice(first, end).join('\n'),
          lines: { first: first + 1, last: end },
        })),
  };
};

const startsOf = (text: string): readonly number[] => {
  const starts = [0];
  for (const { 0: mark, index } of text.matchAll(/\r\n|\r|\n/g)) starts.push(index + mark.length);
  return starts;
};

/** A boundary in the middle of a line belongs to the next one where a definition ends, and to its own where one begins. */
const stretchesOf = (
  boundaries: readonly Boundary[],
  starts: readonly number[],
  lines: readonly string[],
): readonly Stretch[] => {
  const stretches: Stretch[] = [];
  let open: Omit<Stretch, 'end'> = { first: 0, path: [] };
  let line = 0;
  for (const { at, path } of boundaries) {
    while (line + 1 < starts.length && starts[line + 1]! <= at) line += 1;
    const goesOut = path.length < open.path.length;
    const first = goesOut && at > starts[line]! ? line + 1 : line;
    if (first > open.first) {
      stretches.push({ ...open, end: first });
      open = { first, path };
    } else open = { ...open, path };
  }
  stretches.push({ ...open, end: lines.length });
  return stretches;
};

/** At the last empty line of the second half where there is one, else where it is full. */
const cut = ({ first, end, path }: Stretch, lines: readonly string[], most: number): readonly Stretch[] => {
  const parts: Stretch[] = [];
  let from = first;
  let [characters, gap] = [0, -1];
  for (let at = first; at < end; at += 1) {
    const line = lines[at]!;
    if (line.trim() === '' && characters > most / 2) gap = at;
    characters += line.length + 1;
    if (characters <= most || at === from) continue;
    const to = gap > from ? gap : at;
    parts.push({ first: from, end: to, path });
    from = to;
    characters = lines.slice(from, at + 1).reduce((sum, each) => sum + each.length + 1, 0);
    gap = -1;
  }
  parts.push({ first: from, end, path });
  return parts;
};

/** Brackets that close something belong to what they close. */
const withClosings = (stretches: readonly Stretch[], lines: readonly string[]): readonly Stretch[] => {
  const joined: Stretch[] = [];
  for (const stretch of stretches) {
    const last = joined.at(-1);
    const hasWords = lines.slice(stretch.first, stretch.end).some((line) => /[\p{L}\p{N}]/u.test(line));
    if (last === undefined || hasWords) joined.push(stretch);
    else joined[joined.length - 1] = { ...last, end: stretch.end };
  }
  return joined;
};

const withoutEmptyEnds = ({ first, end, path }: Stretch, lines: readonly string[]): Stretch => {
  let [from, to] = [first, end];
  while (from < to && lines[from]!.trim() === '') from += 1;
  while (from < to && lines[to - 1]!.trim() === '') to -= 1;
  return { first: from, end: to, path };
};
