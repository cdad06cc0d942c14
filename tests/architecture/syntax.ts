import { parseAst } from 'vitest/node';

/** Any node of a syntax tree, as ESTree and its extension for TypeScript have it. */
export interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}
export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node)['type'] === 'string';

/** Every node of the tree with the node and the member that it hangs on. */
export function* walk(
  node: Node,
  parent: Node | null = null,
  member = '',
): Generator<readonly [Node, Node | null, string]> {
  yield [node, parent, member];
  for (const [key, value] of Object.entries(node)) {
    for (const child of Array.isArray(value) ? value : [value])
      if (isNode(child)) yield* walk(child, node, key);
  }
}

export const literal = (node: unknown): string | null =>
  isNode(node) && node.type === 'Literal' && typeof node['value'] === 'string' ? node['value'] : null;
export const nameOf = (node: unknown): string | null =>
  isNode(node) && node.type === 'Identifier' ? (node['name'] as string) : null;

export const parsed = (path: string, text: string): Node =>
  parseAst(text, { lang: 'ts' }, path) as unknown as Node;
