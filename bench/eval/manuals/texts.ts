import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, globSync, realpathSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createDocumentReader } from '../../../adapters/extraction/document-reader.ts';
import { type ChunkSet, parseChunkSet, serialiseChunkSet } from '../../../domain/chunking/chunk-set.ts';
import type { Manual } from './manuals.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const DATA = join(ROOT, 'bench/data/manuals');
const READER = new URL('../../../composition/document-reader.ts', import.meta.url).href;
/** What decides how a page is read: where it changes, pages are read again. */
const READING = [
  'adapters/extraction/**/*.ts',
  'domain/chunking/*.ts',
  'domain/shared/*.ts',
  'composition/document-reader.ts',
  'package-lock.json',
];
/** Files that are read together. */
const TOGETHER = 64;

const run = promisify(execFile);

/** The folder of the manual's pages; its package is fetched where it is not here. @throws where that fails */
export const folderOf = async (manual: Manual): Promise<string> => {
  const unpacked = join(DATA, 'unpacked', manual.package);
  if (!existsSync(unpacked)) {
    const packages = join(DATA, `${manual.package}.part`);
    await rm(packages, { recursive: true, force: true });
    await mkdir(packages, { recursive: true });
    try {
      await run('apt-get', ['download', manual.package], { cwd: packages });
      const [file = ''] = await readdir(packages);
      await run('dpkg-deb', ['-x', join(packages, file), join(packages, 'unpacked')]);
    } catch (error) {
      throw new Error(`the package ${manual.package} cannot be fetched: unpack it into ${unpacked}`, {
        cause: error,
      });
    }
    await mkdir(join(DATA, 'unpacked'), { recursive: true });
    await rename(join(packages, 'unpacked'), unpacked);
    await rm(packages, { recursive: true });
  }
  return join(unpacked, manual.folder);
};

/** The pages of a manual as the program reads them, by their paths. They are kept until the program reads otherwise. */
export const documentsOf = async (manual: Manual): Promise<readonly ChunkSet[]> => {
  const folder = await folderOf(manual);
  const file = join(DATA, `${manual.name}-${await digestOfReading()}.jsonl`);
  if (!existsSync(file)) {
    for (const old of globSync(`${manual.name}-*.jsonl`, { cwd: DATA })) await rm(join(DATA, old));
    await readPages(folder, manual.pages ?? /^/, file);
  }
  const sets: ChunkSet[] = [];
  for await (const line of createInterface({ input: createReadStream(file) })) sets.push(parseChunkSet(line));
  return sets;
};

const readPages = async (folder: string, counts: RegExp, file: string): Promise<void> => {
  // A page with two names is one.
  const pages = globSync('**/*.html', { cwd: folder })
    .map((page) => page.replaceAll('\\', '/'))
    .filter(
      (page) => counts.test(page) && realpathSync(join(folder, page)) === join(realpathSync(folder), page),
    )
    .toSorted();
  const reader = createDocumentReader({ processes: 2, module: READER });
  const out = createWriteStream(`${file}.part`);
  try {
    for (let i = 0; i < pages.length; i += TOGETHER) {
      const requests = pages.slice(i, i + TOGETHER).map(async (page) => ({
        file: join(folder, page),
        bytes: (await stat(join(folder, page))).size,
        fileName: page,
        url: `http://manual.example/${page}`,
      }));
      for (const outcome of await reader.extractBatch(await Promise.all(requests)))
        if (outcome.kind === 'document') out.write(`${serialiseChunkSet(outcome.chunkSet)}\n`);
    }
  } finally {
    await new Promise((resolve) => out.end(resolve));
    await reader.close();
  }
  await rename(`${file}.part`, file);
};

const digestOfReading = async (): Promise<string> => {
  const files = READING.flatMap((pattern) => globSync(pattern, { cwd: ROOT })).toSorted();
  const texts = await Promise.all(files.map((file) => readFile(join(ROOT, file), 'utf8')));
  return hash('sha256', texts.join('\0')).slice(0, 12);
};
