import { hash } from 'node:crypto';
import { existsSync, globSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const DATA = join(ROOT, 'bench/data/refusals');

/** A digest of files of the program, and of what else decides. Where it changes, what was kept is made again. */
export const digestOf = async (
  patterns: readonly string[],
  without: readonly string[],
  ...more: readonly unknown[]
): Promise<string> => {
  const files = patterns
    .flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
    .map((file) => file.replaceAll('\\', '/'));
  const those = [...new Set(files)].filter((file) => !without.includes(file)).toSorted();
  const texts = await Promise.all(those.map((file) => readFile(join(ROOT, file), 'utf8')));
  return hash('sha256', JSON.stringify([those, texts, more], asText)).slice(0, 12);
};

const asText = (_: string, value: unknown): unknown => (value instanceof RegExp ? value.source : value);

/** What was kept under this name and digest, else what `make` makes, which is kept instead of what has another digest. */
export const kept = async <T>(name: string, digest: string, make: () => Promise<T>): Promise<T> => {
  const file = join(DATA, `${name}-${digest}.json`);
  if (existsSync(file)) return JSON.parse(await readFile(file, 'utf8')) as T;
  const made = await make();
  await mkdir(DATA, { recursive: true });
  await writeFile(`${file}.part`, JSON.stringify(made));
  for (const old of globSync(`${name}-${'[0-9a-f]'.repeat(12)}.json`, { cwd: DATA }))
    await rm(join(DATA, old));
  await rename(`${file}.part`, file);
  return made;
};
