import type { SyntaxNode, Tree } from '@lezer/common';
import type { Language } from './language.ts';

/** Where a stretch of code begins, and the names of what it is in, from the outermost. */
export interface Boundary {
  /** Of the text, in UTF-16 units. */
  readonly at: number;
  readonly path: readonly string[];
}

/** Deeper ones are read with what they are in: nobody nests so deep by hand. */
const DEEPEST = 8;
const LONGEST_NAME = 120;
const NAME_DEPTH = 3;

/**
 * Where definitions begin and end, in order. A definition begins with the comments before it. One that has at most
 * `whole` characters is not looked into.
 */
export const boundariesOf = (
  tree: Tree,
  text: string,
  language: Language,
  whole: number,
): readonly Boundary[] => {
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
