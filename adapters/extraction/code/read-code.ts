import type { TextUnit } from '../../../domain/chunking/chunk.ts';
import { type Language, languageOf } from './languages.ts';
import type { SyntaxNode, Tree } from '@lezer/common';

/** About the size of a chunk: definitions up to this size are not split. */
const WHOLE = 1_200;
/** Longer code is generated, and parsing it takes long. */
const LONGEST_PARSED = 1_000_000;

/**
 * Splits code by its structure: a unit per definition, under the names of its containers; large ones are split at empty
 * lines. Code without a parser is split only at empty lines. Each unit has its line numbers.
 *
 * @returns null when the name is not that of code
 */
export const readCode = async (fileName: string, text: string): Promise<TextUnit[] | null> => {
  const language = languageOf(fileName);
  if (language === null) return null;
  const lines = linesOf(text);
  if (language === 'lines' || text.length > LONGEST_PARSED) return lines.units([], WHOLE);
  const tree = (await language.load()).parse(text);
  return lines.units(boundariesOf(tree, text, language, WHOLE), WHOLE);
};

/** The start of a stretch of code, and the names of its containers, outermost first. */
interface Boundary {
  /** Offset in the text, in UTF-16 units. */
  readonly at: number;
  readonly path: readonly string[];
}

/** Deeper definitions stay part of their container: code written by hand is not nested more deeply. */
const DEEPEST = 8;
const LONGEST_NAME = 120;
const NAME_DEPTH = 3;

/**
 * The starts and ends of definitions, in order. A definition begins with the comments before it. A definition of at
 * most `whole` characters is not split.
 */
const boundariesOf = (tree: Tree, text: string, language: Language, whole: number): readonly Boundary[] => {
  const found: Boundary[] = [];
  const visit = (node: SyntaxNode, path: readonly string[]): void => {
    let comment: SyntaxNode | null = null;
    for (let child = node.firstChild; child !== null; child = child.nextSibling) {
      if (child.name.endsWith('Comment')) {
        comment ??= child;
        continue;
      }
      const definition = definitionIn(child, language);
      if (definition !== null) {
        const inside = [...path, nameOf(definition, text, language) ?? 'unnamed'];
        found.push({ at: (comment ?? child).from, path: inside });
        const isLarge = child.to - child.from > whole && inside.length < DEEPEST;
        const body = isLarge ? bodyOf(definition, language) : null;
        if (body !== null) visit(body, inside);
        found.push({ at: child.to, path });
      }
      comment = null;
    }
  };
  visit(tree.topNode, []);
  return found;
};

const bodyOf = (definition: SyntaxNode, { containers }: Language): SyntaxNode | null => {
  const name = containers[definition.name];
  return name === undefined ? null : definition.getChild(name);
};

const definitionIn = (node: SyntaxNode, language: Language): SyntaxNode | null => {
  let at: SyntaxNode | null = node;
  for (let depth = 0; at !== null && depth < NAME_DEPTH; depth += 1) {
    const { name } = at;
    if (name in language.containers || language.definitions.includes(name)) return at;
    if (!language.wrappers.includes(name)) return null;
    at = wrapped(at, language);
  }
  return null;
};

const wrapped = ({ firstChild }: SyntaxNode, language: Language): SyntaxNode | null => {
  const known = ({ name }: SyntaxNode): boolean =>
    name in language.containers || language.definitions.includes(name) || language.wrappers.includes(name);
  let at = firstChild;
  while (at !== null && !known(at)) at = at.nextSibling;
  return at;
};

/** The name nearest to the definition. */
const nameOf = (definition: SyntaxNode, text: string, language: Language): string | null => {
  const special = language.nameOf?.(definition, text) ?? null;
  if (special !== null) return special.replace(/\s+/g, ' ').slice(0, LONGEST_NAME);
  let level = [definition];
  for (let depth = 0; depth < NAME_DEPTH; depth += 1) {
    const next: SyntaxNode[] = [];
    for (const node of level) {
      for (let child = node.firstChild; child !== null; child = child.nextSibling) {
        if (language.names.includes(child.name))
          return text.slice(child.from, child.to).slice(0, LONGEST_NAME);
        if (child.name !== language.containers[definition.name]) next.push(child);
      }
    }
    level = next;
  }
  return null;
};

/** A stretch of lines with one path: from `first` to `end` (exclusive), counted from 0. */
interface Stretch {
  readonly first: number;
  readonly end: number;
  readonly path: readonly string[];
}

/** The lines of a text, for building units. */
const linesOf = (text: string) => {
  const lines = text.split(/\r\n|\r|\n/);
  const starts = startsOf(text);
  return {
    /**
     * All lines except empty ones between units, in order, none twice, split at the boundaries, and when a stretch has
     * more than `most` characters.
     */
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

/**
 * A boundary within a line: the line belongs to the definition that ends there, or else to the one that begins there.
 */
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

/** Splits at the last empty line of the second half if there is one, else at the limit. */
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

/** Closing brackets belong to the code that they close. */
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
