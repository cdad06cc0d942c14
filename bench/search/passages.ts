import { hash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, globSync } from 'node:fs';
import { rename, stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createDocumentReader } from '../../adapters/extraction/document-reader.ts';
import { type ChunkSet, parseChunkSet, serialiseChunkSet } from '../../domain/chunking/chunk-set.ts';

const DATA = fileURLToPath(new URL('../data/', import.meta.url));
const TEXTS = `${DATA}texts`;
const READER = new URL('../../composition/document-reader.ts', import.meta.url).href;
/** Files that are read together. */
const TOGETHER = 64;

/**
 * Real documents, cut into passages by the program's own reader: a file with a chunk set on each line. Made once, from the
 * HTML below bench/data/texts; delete it to have it made again. @throws where there are no texts
 */
export const passagesFile = async (): Promise<string> => {
  const file = `${DATA}passages.jsonl`;
  if (existsSync(file)) return file;
  // In an order that mixes their origins, the same each time.
  const pages = globSync('**/*.html', { cwd: TEXTS }).toSorted((a, b) =>
    compare(hash('sha256', a), hash('sha256', b)),
  );
  if (pages.length === 0) throw new Error(`there is no HTML in ${TEXTS}: run "npm run bench:setup"`);
  const reader = createDocumentReader({ processes: 2, module: READER });
  const out = createWriteStream(`${file}.part`);
  for (let i = 0; i < pages.length; i += TOGETHER) {
    const requests = pages.slice(i, i + TOGETHER).map(async (page) => ({
      file: `${TEXTS}/${page}`,
      bytes: (await stat(`${TEXTS}/${page}`)).size,
      fileName: page,
      url: `https://texts.example/${page}`,
    }));
    for (const outcome of await reader.extractBatch(await Promise.all(requests)))
      if (outcome.kind === 'document') out.write(`${serialiseChunkSet(outcome.chunkSet)}\n`);
  }
  await new Promise((resolve) => out.end(resolve));
  await reader.close();
  await rename(`${file}.part`, file);
  return file;
};

/** The documents of a passages file in its order, over and over again. */
export const documentsOf = async (file: string): Promise<Iterator<ChunkSet>> => {
  const lines: string[] = [];
  for await (const line of createInterface({ input: createReadStream(file) })) lines.push(line);
  const endless = function* (): Generator<ChunkSet> {
    for (;;) for (const line of lines) yield parseChunkSet(line);
  };
  return endless();
};

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
