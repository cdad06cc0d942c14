import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as binaries from '../../adapters/embedded-postgres/binaries.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** No engine builds images here; what is often forgotten when files move or are renamed is compared. */
describe('the Dockerfile', () => {
  it('copies what is there, and nothing that stays out of the context', () => {
    const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.*) \S+$/gm)];
    const sources = copied.flatMap(([, names]) => names!.split(' '));
    expect(sources.length).toBeGreaterThan(10);
    expect(sources.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    const ignored = read('.dockerignore').trim().split('\n');
    expect(sources.filter((path) => ignored.some((out) => `${path}/`.startsWith(`${out}/`)))).toEqual([]);
  });

  it('copies every file of the program that another one imports', () => {
    const [, stage] = /^FROM \S+ AS program\n(.*?)^FROM /ms.exec(read('Dockerfile'))!;
    const copied = [...stage!.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, names]) =>
      names!.split(' '),
    );
    const files = copied.flatMap((path) => globSync(`${path}/**/*.{ts,mjs}`, { cwd: ROOT }));
    expect(files.length).toBeGreaterThan(500);
    const lacking = files.flatMap((path) =>
      [...read(path).matchAll(/\b(?:from |import\()'(\.[^']*)'/g)].flatMap(([, name]) => {
        const imported = join(dirname(path), name!);
        return copied.some((one) => imported.startsWith(`${one}/`)) ? [] : [imported];
      }),
    );
    expect(lacking.toSorted()).toEqual([]);
  });

  it('copies from stages that it has', () => {
    const stages = [...read('Dockerfile').matchAll(/^FROM \S+ AS (\S+)$/gm)].map(([, name]) => name);
    const used = [...read('Dockerfile').matchAll(/--from=(\S+)/g)].map(([, name]) => name);
    expect(stages).toEqual(expect.arrayContaining([...used, 'slim', 'full']));
  });

  it('makes the embedded Postgres runnable by functions that there are', () => {
    const [, names] = /import \{ (.*) \} from '\.\/adapters\/embedded-postgres\/binaries\.ts'/.exec(
      read('deploy/install-packages'),
    )!;
    expect(names!.split(', ').filter((name) => !(name in binaries))).toEqual([]);
  });
});
