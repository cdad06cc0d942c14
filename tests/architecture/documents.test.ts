import { existsSync, globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = new URL('../..', import.meta.url).pathname;
const DOCUMENTS = [
  'README.md',
  'SECURITY.md',
  'CHANGELOG.md',
  ...globSync('{docs,examples}/**/*.md', { cwd: ROOT }),
];
const FOLDERS = [
  'domain',
  'application',
  'adapters',
  'composition',
  'tests',
  'bench',
  'stress',
  'docs',
  'examples',
  '.ci',
];

const read = (path: string): string => readFileSync(posix.join(ROOT, path), 'utf8');
const isThere = (path: string): boolean => existsSync(posix.join(ROOT, path));
const withoutCode = (text: string): string => text.replaceAll(/^```[^]*?^```$/gm, '');

/** As GitHub makes the anchor of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
const anchorsOf = (text: string): readonly string[] =>
  [...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading!));

const isBroken = (from: string, link: string): boolean => {
  const [path, anchor] = link.split('#') as [string, string?];
  const target = path === '' ? from : posix.join(posix.dirname(from), path);
  return !isThere(target) || (anchor !== undefined && !anchorsOf(read(target)).includes(anchor));
};
const linksOf = (text: string): readonly string[] =>
  [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link]) => link!)
    .filter((link) => !/^\w+:/.test(link));

/** Whatever stands in back-ticks and looks like a path; `<…>` and `*` stand for many. */
const pathsOf = (text: string): readonly string[] =>
  [...withoutCode(text).matchAll(/`([@\w./-]+)`/g)].map(([, path]) => path!);

const RECORDS = globSync('docs/adr/0*.md', { cwd: ROOT });

describe('the documents', () => {
  it('link to what is there', () => {
    const links = DOCUMENTS.flatMap((path) => linksOf(read(path)).map((link) => ({ path, link })));
    expect(links.length).toBeGreaterThan(150);
    expect(links.filter(({ path, link }) => isBroken(path, link))).toEqual([]);
  });

  it('name files of the code that are there, where they say how to read and extend it', () => {
    const named = pathsOf(read('docs/reading-and-extending.md')).filter((path) =>
      FOLDERS.includes(path.split('/')[0]!),
    );
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((path) => !isThere(path))).toEqual([]);
  });

  it('name tests that are there, where they say what is held by one', () => {
    const named = pathsOf(read('docs/complaints.md')).filter((path) => path.endsWith('.test.ts'));
    expect(named.length).toBeGreaterThan(25);
    expect(named.filter((path) => !isThere(`tests/${path}`))).toEqual([]);
  });

  it('say of every package what it is for, and of no other', () => {
    const manifest = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;
    const kinds = [
      'dependencies',
      'devDependencies',
      'optionalDependencies',
      'peerDependencies',
      'overrides',
    ];
    const used = new Set(kinds.flatMap((kind) => Object.keys(manifest[kind] ?? {})));
    const text = read('docs/packages.md');
    expect([...used].filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
    const listed = [...text.matchAll(/^\| (`[^|]+`) +\|/gm)].flatMap(([, cell]) => pathsOf(cell!));
    expect(listed.length).toBeGreaterThan(40);
    expect(listed.filter((name) => !used.has(name))).toEqual([]);
  });

  it('name packages to install in the versions of package.json, as messages of the program do', () => {
    const manifest = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;
    const { dependencies, devDependencies, optionalDependencies, peerDependencies, scripts } = manifest;
    const versions = { ...dependencies, ...devDependencies, ...optionalDependencies, ...peerDependencies };
    const sources = globSync('{adapters/**/*.ts,docs/*.md,README.md}', { cwd: ROOT }).map(read);
    const named = [...sources, Object.values(scripts!).join()].flatMap((text) => [
      ...text.matchAll(/(?<=['"\s`])(@?[a-z][\w./-]*)(?:@|': ')(\d+\.\d+\.\d+(?:-[\w.]+)?)/g),
    ]);
    const known = named.filter(([, name]) => versions[name!] !== undefined);
    expect(known.length).toBeGreaterThan(8);
    expect(known.filter(([, name, version]) => versions[name!] !== version).map(([all]) => all)).toEqual([]);
  });

  it('name log lines and metrics that the program writes, where they say what to watch', () => {
    const sources = globSync('{domain,application,adapters,composition}/**/*.{ts,mjs}', { cwd: ROOT });
    const program = sources.map(read).join('\n');
    const watched = read('docs/operations.md').split('## What to watch')[1]!.split('\n## ')[0]!;
    const lines = [...watched.split('**Log lines**')[1]!.matchAll(/`([a-z]+(?: [a-z]+)+)`/gi)];
    const metrics = [...watched.matchAll(/^\| `(\w+)/gm)];
    expect([lines.length > 20, metrics.length > 4]).toEqual([true, true]);
    expect([...lines, ...metrics].map(([, name]) => name!).filter((name) => !program.includes(name))).toEqual(
      [],
    );
  });

  it('list every record of a decision once', () => {
    const records = RECORDS.map((path) => posix.basename(path));
    const index = read('docs/adr/README.md');
    const listed = [...index.matchAll(/^- \[[^\]]+\]\((\d{4}-[^)]+\.md)\)/gm)].map(([, name]) => name!);
    expect(listed.toSorted()).toEqual(records.toSorted());
  });

  it('cite no record in the code that is not there', () => {
    const sources = globSync('{domain,application,adapters,composition,bench,stress}/**/*.{ts,mjs}', {
      cwd: ROOT,
    });
    const cited = sources.flatMap((path) =>
      [...read(path).matchAll(/\bADR (\d{4})\b|\bdocs\/((?:adr|research)\/[\w.-]+\.md)/g)].map(
        ([, number, file]) => ({ path, number, file }),
      ),
    );
    const numbers = new Set(RECORDS.map((path) => posix.basename(path).slice(0, 4)));
    expect(
      cited.filter(({ number, file }) =>
        number === undefined ? !isThere(`docs/${file}`) : !numbers.has(number),
      ),
    ).toEqual([]);
  });
});
