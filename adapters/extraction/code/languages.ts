import type { Parser, SyntaxNode } from '@lezer/common';

const javascript = (dialect: string): Language => ({
  load: async () => (await import('@lezer/javascript')).parser.configure({ dialect }),
  containers: { ClassDeclaration: 'ClassBody', NamespaceDeclaration: 'Block' },
  definitions: [
    'FunctionDeclaration',
    'MethodDeclaration',
    'VariableDeclaration',
    'InterfaceDeclaration',
    'TypeAliasDeclaration',
    'EnumDeclaration',
  ],
  wrappers: ['ExportDeclaration', 'AmbientDeclaration'],
  names: ['VariableDefinition', 'PropertyDefinition', 'PrivatePropertyDefinition', 'TypeDefinition'],
});

const python: Language = {
  load: async () => (await import('@lezer/python')).parser,
  containers: { ClassDefinition: 'Body' },
  definitions: ['FunctionDefinition'],
  wrappers: ['DecoratedStatement'],
  names: ['VariableName'],
};

const java: Language = {
  load: async () => (await import('@lezer/java')).parser,
  containers: {
    ClassDeclaration: 'ClassBody',
    InterfaceDeclaration: 'InterfaceBody',
    RecordDeclaration: 'RecordBody',
    EnumDeclaration: 'EnumBody',
  },
  definitions: ['MethodDeclaration', 'ConstructorDeclaration', 'AnnotationTypeDeclaration'],
  wrappers: [],
  names: ['Definition'],
};

/** In C++ the return type precedes the name of a function. */
const nameOfCppFunction = (node: SyntaxNode, text: string): string | null => {
  if (node.name !== 'FunctionDefinition') return null;
  let declarator = node.getChild('FunctionDeclarator');
  for (let at = node.firstChild; declarator === null && at !== null; at = at.nextSibling)
    declarator = at.getChild('FunctionDeclarator');
  const parameters = declarator?.getChild('ParameterList');
  return declarator && parameters ? text.slice(declarator.from, parameters.from).trim() : null;
};

const cpp: Language = {
  load: async () => (await import('@lezer/cpp')).parser,
  containers: {
    NamespaceDefinition: 'CompoundStatement',
    ClassSpecifier: 'FieldDeclarationList',
    StructSpecifier: 'FieldDeclarationList',
  },
  definitions: ['FunctionDefinition', 'EnumSpecifier', 'UnionSpecifier', 'TypeDefinition'],
  wrappers: ['TemplateDeclaration'],
  names: ['TypeIdentifier', 'Identifier'],
  nameOf: nameOfCppFunction,
};

const rust: Language = {
  load: async () => (await import('@lezer/rust')).parser,
  containers: { ImplItem: 'DeclarationList', TraitItem: 'DeclarationList', ModItem: 'DeclarationList' },
  definitions: [
    'FunctionItem',
    'StructItem',
    'EnumItem',
    'UnionItem',
    'TypeItem',
    'ConstItem',
    'MacroDefinition',
  ],
  wrappers: ['AttributeItem'],
  names: ['BoundIdentifier', 'TypeIdentifier', 'Identifier'],
  nameOf: (node, text) => {
    const body = node.name === 'ImplItem' ? node.getChild('DeclarationList') : null;
    return body && text.slice(node.from, body.from).trim();
  },
};

const go: Language = {
  load: async () => (await import('@lezer/go')).parser,
  containers: {},
  definitions: ['FunctionDecl', 'MethodDecl', 'TypeDecl'],
  wrappers: [],
  names: ['DefName', 'FieldName'],
};

const php: Language = {
  load: async () => (await import('@lezer/php')).parser,
  containers: {
    ClassDeclaration: 'DeclarationList',
    InterfaceDeclaration: 'DeclarationList',
    TraitDeclaration: 'DeclarationList',
  },
  definitions: ['FunctionDefinition', 'MethodDeclaration', 'EnumDeclaration'],
  wrappers: [],
  names: ['Name'],
};

const BY_EXTENSION: readonly (readonly [string, Language])[] = [
  ['js mjs cjs jsx', javascript('jsx')],
  ['ts mts cts', javascript('ts')],
  ['tsx', javascript('ts jsx')],
  ['py pyi', python],
  ['java', java],
  ['c h cc cpp cxx hh hpp hxx', cpp],
  ['rs', rust],
  ['go', go],
  ['php', php],
];
const LANGUAGES = new Map(
  BY_EXTENSION.flatMap(([extensions, language]) => extensions.split(' ').map((each) => [each, language])),
);

/** Code and settings that are read line by line, because there is no parser for them here. */
const IN_LINES: ReadonlySet<string> = new Set(
  (
    'bash bat clj cljs cmake conf cs css dart elm env erl ex exs fs gradle graphql groovy hcl hs ini json json5 jl kt ' +
    'kts less lua m makefile mk ml mm nix pl pm properties proto ps1 r rb sass scala scss sh sol sql svelte swift tf ' +
    'toml vb vue xml yaml yml zig zsh dockerfile'
  ).split(' '),
);

/**
 * The language of a file by its name; `lines` for code without a parser, for example `Makefile`; null when it is not
 * code.
 */
export const languageOf = (fileName: string): Language | 'lines' | null => {
  const dot = fileName.lastIndexOf('.');
  const extension = fileName.slice(dot + 1).toLowerCase();
  const language = dot < 0 ? undefined : LANGUAGES.get(extension);
  return language ?? (IN_LINES.has(extension) ? 'lines' : null);
};

/** The node types of definitions in the syntax trees of one programming language, as its grammar names them. */
export interface Language {
  readonly load: () => Promise<Parser>;
  /** Nodes that contain definitions (classes, namespaces), with the node of their body. */
  readonly containers: Readonly<Record<string, string>>;
  /** Nodes that are read as a whole: functions, types. */
  readonly definitions: readonly string[];
  /** Nodes around a definition: `export`, decorators. */
  readonly wrappers: readonly string[];
  /** Nodes that name a definition. */
  readonly names: readonly string[];
  /** Overrides the usual rule that the first of `names` counts; null: the usual rule applies. */
  readonly nameOf?: (node: SyntaxNode, text: string) => string | null;
}
