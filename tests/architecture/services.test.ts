import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isNode, nameOf, type Node, parsed, walk } from './syntax.ts';

const COMPOSITION = new URL('../../composition/', import.meta.url);

const sourcesOf = (pattern: string): readonly (readonly [path: string, text: string])[] =>
  globSync(pattern, { cwd: fileURLToPath(COMPOSITION) }).map((path) => [
    path,
    readFileSync(new URL(path, COMPOSITION), 'utf8'),
  ]);

/** Names of the services that the interfaces declare. */
const declaredIn = (path: string, text: string): readonly string[] =>
  [...walk(parsed(path, text))].flatMap(([node, parent]) =>
    node.type === 'TSPropertySignature' && parent?.type === 'TSInterfaceBody'
      ? (nameOf(node['key']) ?? [])
      : [],
  );

const PROVIDING = new Set(['bind', 'provide']);
/** `bind(…)`, `container.bind(…)`, `provide(…)` */
const isProviding = (call: Node | null): boolean => {
  if (call?.type !== 'CallExpression' || !isNode(call['callee'])) return false;
  const { callee } = call;
  return PROVIDING.has(nameOf(callee.type === 'MemberExpression' ? callee['property'] : callee) ?? '');
};

/** The services that a module provides, and those that it asks for. */
const tokensIn = (path: string, text: string) => {
  const provided: string[] = [];
  const asked: string[] = [];
  for (const [node, parent] of walk(parsed(path, text))) {
    const isToken =
      node.type === 'MemberExpression' && ['T', 'TOKENS'].includes(nameOf(node['object']) ?? '');
    const name = isToken ? nameOf(node['property']) : null;
    if (name !== null) (isProviding(parent) ? provided : asked).push(name);
  }
  return { provided, asked };
};

/** What connectors of sources that list their units are made with; the crawl finds its own. */
const FOR_CONNECTORS = new Set(['UnitLedger']);

describe('the services that the container hands out', () => {
  const declared = sourcesOf('services/*.ts').flatMap(([path, text]) => declaredIn(path, text));
  const modules = sourcesOf('**/*.ts').map(([path, text]) => tokensIn(path, text));
  const provided = new Set(modules.flatMap((module) => module.provided));
  const asked = new Set(modules.flatMap((module) => module.asked));

  it('are provided by a module, each of them', () => {
    expect(declared.length).toBeGreaterThan(50);
    expect(declared.filter((name) => !provided.has(name))).toStrictEqual([]);
  });

  it('are asked for, each of them', () => {
    expect(declared.filter((name) => !asked.has(name) && !FOR_CONNECTORS.has(name))).toStrictEqual([]);
  });
});
