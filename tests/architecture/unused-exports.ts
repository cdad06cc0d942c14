import { posix } from 'node:path';
import { isNode, literal, nameOf, type Node, parsed, walk } from './syntax.ts';

/** What one file takes of another. */
interface Use {
  /** From the root of the project. */
  readonly path: string;
  /** Null: whatever it exports. */
  readonly name: string | null;
}
interface Exporting {
  readonly exported: readonly Exported[];
  readonly uses: readonly Use[];
}

const list = (value: unknown): readonly Node[] => (Array.isArray(value) ? value.filter(isNode) : []);
/** A name as an import or export has it: also that of a string. */
const said = (node: unknown): string | null => nameOf(node) ?? literal(node);

/** Names that a pattern binds, and not those of its keys, defaults and types. */
const boundBy = (pattern: unknown): readonly string[] => {
  if (!isNode(pattern)) return [];
  const inner = pattern.type === 'AssignmentPattern' ? [pattern['left']] : PARTS.map((part) => pattern[part]);
  const name = nameOf(pattern);
  return name === null ? inner.flat().flatMap(boundBy) : [name];
};
const PARTS = ['elements', 'properties', 'value', 'argument'];

interface Exported {
  readonly name: string;
  readonly isType: boolean;
  /** Names that its declaration mentions: those of a function where it is called, and not within. */
  readonly mentions: ReadonlySet<string>;
}

const TYPES = new Set(['TSInterfaceDeclaration', 'TSTypeAliasDeclaration']);

const mentionedBy = (node: Node): ReadonlySet<string> => {
  const within = new Set<Node | null>();
  const names = new Set<string>();
  for (const [each, parent, member] of walk(node)) {
    const isBody = member === 'body' && parent !== null && 'params' in parent;
    if (isBody || within.has(parent)) within.add(each);
    else names.add(nameOf(each) ?? '');
  }
  return names;
};

const exportedBy = (node: Node): readonly Exported[] => {
  const { declaration } = node;
  if (node.type === 'ExportDefaultDeclaration') return [of('default', node)];
  if (node.type !== 'ExportNamedDeclaration') return [];
  if (!isNode(declaration)) return list(node['specifiers']).map((one) => of(said(one['exported']), one));
  const declared = list(declaration['declarations']).flatMap(({ id }) => boundBy(id));
  return [...declared, ...[nameOf(declaration['id']) ?? []].flat()].map((name) => of(name, declaration));
};
const of = (name: string | null, node: Node): Exported => ({
  name: name ?? '',
  isType: TYPES.has(node.type),
  mentions: mentionedBy(node),
});

/** The names that a node takes of a module; null among them: all. */
const takenBy = (node: Node): readonly (string | null)[] => {
  if (node.type === 'ExportNamedDeclaration') return list(node['specifiers']).map(({ local }) => said(local));
  if (node.type !== 'ImportDeclaration') return [null];
  return list(node['specifiers']).map((one) => {
    if (one.type === 'ImportNamespaceSpecifier') return null;
    return one.type === 'ImportDefaultSpecifier' ? 'default' : said(one['imported']);
  });
};

/** A module that is run by its path, as a worker or as a program, or whose path a text names. */
const isPath = (text: string): boolean => /^\.{0,2}\/?[\w./-]+\.(?:ts|mjs)$/.test(text);

const read = (path: string, text: string): Exporting => {
  const folder = posix.dirname(path);
  const exported: Exported[] = [];
  const uses: Use[] = [];
  for (const [node] of walk(parsed(path, text))) {
    exported.push(...exportedBy(node));
    const source = node.type === 'TSImportType' ? node['source'] : (node['source'] ?? null);
    const from = literal(source);
    if (from?.startsWith('.') === true)
      uses.push(...takenBy(node).map((name) => ({ path: posix.join(folder, from), name })));
    else if (node.type === 'NewExpression' && nameOf(node['callee']) === 'URL') {
      const named = literal(list(node['arguments'])[0]);
      if (named === null || !isPath(named)) continue;
      // From where it stands, or from the root of the project.
      for (const base of [folder, '']) uses.push({ path: posix.join(base, named), name: null });
    }
  }
  return { exported, uses };
};

/**
 * Exports that no other file takes, as `path name`. A type that another export of its file speaks of belongs to that one.
 * Whoever imports a namespace, or imports at run time, takes all of it. A name that is only handed on is taken by who
 * hands it on, and has to be taken there in turn.
 */
export const unusedExports = (sources: ReadonlyMap<string, string>): readonly string[] => {
  const files = [...sources].map(([path, text]) => ({ path, ...read(path, text) }));
  const used = new Set(
    files.flatMap(({ path, uses }) =>
      uses.filter((use) => use.path !== path).map((use) => `${use.path} ${use.name ?? '*'}`),
    ),
  );
  return files.flatMap(({ path, exported }) => {
    const isPart = ({ name, isType }: Exported): boolean =>
      isType && exported.some((other) => other.name !== name && other.mentions.has(name));
    const isTaken = ({ name }: Exported): boolean => used.has(`${path} *`) || used.has(`${path} ${name}`);
    return exported.filter((one) => !isTaken(one) && !isPart(one)).map(({ name }) => `${path} ${name}`);
  });
};
