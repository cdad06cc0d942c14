import { isNode, literal, nameOf, type Node, parsed, walk } from './syntax.ts';

/** What the rules look at in one file. */
export interface ModuleSource {
  /** From the root of the project, with slashes. */
  readonly path: string;
  /** What it imports, re-exports, imports dynamically or as a type; null for a name that is computed. */
  readonly imports: readonly (string | null)[];
  /** Free names that it uses, as far as AMBIENT and CLOCKS speak of them. */
  readonly globals: readonly string[];
  readonly readsEnvironment: boolean;
  /** Nothing but re-exports. */
  readonly isBarrel: boolean;
}

/** Names that reach out of the program, or that answer differently each time. */
const AMBIENT = new Set([
  'process',
  'fetch',
  'crypto',
  'performance',
  'console',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'globalThis',
  'global',
  'require',
  'WebSocket',
  'XMLHttpRequest',
]);
/** Members that do so, of objects that are otherwise pure. */
const CLOCKS = new Set(['Date.now', 'Math.random']);

/** `a.b`, also where it is written `a['b']`. */
const memberOf = (node: Node): string | null => {
  if (node.type !== 'MemberExpression') return null;
  const property = node['computed'] === true ? literal(node['property']) : nameOf(node['property']);
  const object = nameOf(node['object']);
  return object !== null && property !== null ? `${object}.${property}` : null;
};

const IMPORTING = new Set([
  'ImportDeclaration',
  'ExportAllDeclaration',
  'ExportNamedDeclaration',
  'ImportExpression',
  'TSImportType',
  'TSExternalModuleReference',
]);

/** The module that a node brings in; undefined when it brings in none. */
const importOf = (node: Node): string | null | undefined => {
  if (IMPORTING.has(node.type)) {
    const from = node['source'] ?? node['expression'];
    return isNode(from) ? literal(from) : undefined;
  }
  // A file that is started as a worker or as a program is named by its URL.
  if (node.type === 'NewExpression' && nameOf(node['callee']) === 'URL') {
    const [file, base] = node['arguments'] as readonly Node[];
    const relativeTo = base?.type === 'MemberExpression' && isNode(base['object']) ? base['object'].type : '';
    const named = literal(file);
    if (relativeTo !== 'MetaProperty' || named?.endsWith('.ts') !== true) return undefined;
    return named.startsWith('.') ? named : `./${named}`;
  }
  return undefined;
};

/** Where an identifier is a name of something else and no use of a variable. */
const NAMING: ReadonlySet<string> = new Set([
  'property',
  'key',
  'imported',
  'exported',
  'label',
  'right',
  'qualifier',
]);

const globalOf = (node: Node, parent: Node | null, member: string): string | null => {
  const clock = memberOf(node);
  if (clock !== null && CLOCKS.has(clock)) return clock;
  if (node.type === 'NewExpression' || node.type === 'CallExpression') {
    const isNow = node.type === 'CallExpression' || (node['arguments'] as readonly unknown[]).length === 0;
    return nameOf(node['callee']) === 'Date' && isNow ? 'new Date()' : null;
  }
  const name = nameOf(node);
  if (name === null || !AMBIENT.has(name)) return null;
  const onlyNames =
    NAMING.has(member) &&
    parent?.['computed'] !== true &&
    !['BinaryExpression', 'LogicalExpression', 'AssignmentExpression', 'AssignmentPattern'].includes(
      parent?.type ?? '',
    );
  return onlyNames ? null : name;
};

const isReExport = ({ type, source }: Node): boolean =>
  type === 'ExportAllDeclaration' || (type === 'ExportNamedDeclaration' && isNode(source));

export const parseModule = (path: string, text: string): ModuleSource => {
  const program = parsed(path, text);
  const imports: (string | null)[] = [];
  const globals = new Set<string>();
  let readsEnvironment = false;
  for (const [node, parent, member] of walk(program)) {
    const imported = importOf(node);
    if (imported !== undefined) imports.push(imported);
    const used = globalOf(node, parent, member);
    if (used !== null) globals.add(used);
    if (memberOf(node) === 'process.env') readsEnvironment = true;
  }
  const body = program['body'] as readonly Node[];
  const statements = body.filter(({ type }) => type !== 'ImportDeclaration');
  const isBarrel = statements.length > 0 && statements.every(isReExport);
  return { path, imports, globals: [...globals], readsEnvironment, isBarrel };
};
