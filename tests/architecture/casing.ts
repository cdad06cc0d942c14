import { nameOf, type Node, walk } from './syntax.ts';

const SNAKE = /^[a-z][a-z0-9]*(_[a-z0-9]+)+$/;
/** Where the program meets others: names of fields are theirs there, names of variables are not. */
const EDGE = /^(adapters\/(?!postgres\/|memory\/)|composition\/)/;

/** Snake-case names that are not allowed in this file: each once. */
export const snakeNames = (path: string, program: Node): readonly string[] => {
  const found = new Set<string>();
  for (const [node, parent, member] of walk(program)) {
    const name = nameOf(node);
    if (name === null || !SNAKE.test(name)) continue;
    if (!EDGE.test(path) || !namesField(parent, member)) found.add(name);
  }
  return [...found];
};

const namesField = (parent: Node | null, member: string): boolean => {
  if (parent === null || parent['computed'] === true) return false;
  if (parent.type === 'MemberExpression') return member === 'property';
  return member === 'key' && (parent.type === 'Property' || parent.type === 'TSPropertySignature');
};
