import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type Files, violations } from './layer-rules.ts';
import { parseModule } from './module-source.ts';

const ROOT = new URL('../../', import.meta.url);
const LAYERS = ['domain', 'application', 'adapters', 'composition'];
type Packages = Readonly<Record<string, string>>;
const manifest = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as {
  readonly dependencies: Packages;
  readonly optionalDependencies: Packages;
};
/** Loaded only where an operator chooses what needs them, or a bundle is made: users install them by name. */
const BY_NAME = [
  '@ai-sdk/amazon-bedrock',
  '@ai-sdk/anthropic',
  '@ai-sdk/google',
  '@aws-sdk/client-bedrock-agentcore',
  '@aws-sdk/client-kms',
  '@huggingface/tokenizers',
  '@sparticuz/chromium',
  'onnxruntime-common',
  'onnxruntime-node',
  'rolldown',
];
const PACKAGES = new Set([
  ...Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }),
  ...BY_NAME,
]);

const filesOf = (sources: Readonly<Record<string, string>>): Files =>
  new Map(Object.entries(sources).map(([path, text]) => [path, parseModule(path, text)]));

const project = (): Files => {
  const paths = globSync(
    [...LAYERS, 'clients/typescript/src'].map((layer) => `${layer}/**/*.{ts,mts,cts,js,mjs,cjs}`),
    { cwd: fileURLToPath(ROOT) },
  );
  const sources = paths.map((path) => [
    path.replaceAll('\\', '/'),
    readFileSync(new URL(path, ROOT), 'utf8'),
  ]);
  return filesOf(Object.fromEntries(sources) as Record<string, string>);
};

/** What is found in one planted file, with others that it may import. */
const foundIn = (path: string, text: string): readonly string[] =>
  violations(
    filesOf({
      'domain/a.ts': 'export const a = 1;',
      'application/event-sourcing/b.ts': 'export const b = 1;',
      'adapters/postgres/c.ts': 'export const c = 1;',
      'adapters/http-client/e.ts': 'export const e = 1;',
      'adapters/event-feed/f.ts': 'export const f = 1;',
      'composition/d.ts': 'export const d = 1;',
      'domain/shared/g.ts': 'export const g = 1;',
      'domain/data-source/h.ts': 'export const h = 1;',
      'application/ports/i.ts': 'export const i = 1;',
      'application/sources/ingestion/j.ts': 'export const j = 1;',
      'application/sources/crawl/k.ts': 'export const k = 1;',
      'application/read-models/k.ts': 'export const k = 1;',
      [path]: text,
    }),
    PACKAGES,
  );

describe('the layers of the project', () => {
  const files = project();

  it('are there to be checked', () => {
    expect(
      LAYERS.filter((layer) => ![...files.keys()].some((path) => path.startsWith(`${layer}/`))),
    ).toStrictEqual([]);
    expect([...files.values()].flatMap(({ imports }) => imports).length).toBeGreaterThan(files.size);
  });

  it('know only those below them', () => {
    expect(violations(files, PACKAGES)).toStrictEqual([]);
  });
});

describe('the rules find a planted breach', () => {
  it.each([
    ['domain/x.ts', "import '../application/event-sourcing/b.ts';", 'application'],
    ['domain/x.ts', "export type B = import('../application/event-sourcing/b.ts').B;", 'application'],
    ['domain/x.ts', "import { createHash } from 'node:crypto';", 'node:'],
    ['domain/x.ts', "import type { Kysely } from 'kysely';", 'package'],
    ['domain/x.ts', "import { a } from './a';", 'no such file'],
    ['application/ports/x.ts', "import '../../adapters/postgres/c.ts';", 'adapters'],
    ['application/ports/x.ts', 'export const x = (name: string) => import(name);', 'computed'],
    ['application/jobs/x.ts', "import '../sources/ingestion/j.ts';", 'jobs lies below sources'],
    ['application/sources/local-files/x.ts', "import '../crawl/k.ts';", 'none knows another'],
    ['application/elsewhere/x.ts', "import '../ports/i.ts';", 'from no room'],
    ['adapters/http/x.ts', "import '../postgres/c.ts';", 'each other'],
    ['adapters/http/x.ts', "import left from 'left-pad';", 'dependencies'],
    ['adapters/http/x.ts', "export const port = process['env']['PORT'];", 'process.env'],
    ['composition/x.ts', "import '../tests/y.ts';", 'may not know tests'],
    ['domain/x.ts', 'export const now = new Date();', 'Date'],
    ['domain/x.ts', 'export const die = Math.random() * 6;', 'Math'],
  ])('%s: %s', (path, text, reason) => {
    expect(foundIn(path, text)).toEqual([expect.stringContaining(reason)]);
  });

  it.each([
    ['domain/x.ts', "// import 'kysely'\nexport const x = \"import('kysely') from 'pg'\";"],
    ['domain/x.ts', 'export const x = new Date(0).getTime() + Date.UTC(2025, 0);'],
    ['application/sources/ingestion/x.ts', "import '../../../domain/data-source/h.ts';"],
    ['adapters/http/x.ts', "import '../http-client/e.ts';"],
  ])('and nothing where there is none, in %s: %s', (path, text) => {
    expect(foundIn(path, text)).toStrictEqual([]);
  });
});
