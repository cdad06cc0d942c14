import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseModule } from './module-source.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
/** Rooms that could be published alone: what each may import of the project besides itself. */
const STANDALONE: Readonly<Record<string, readonly string[]>> = {
  'adapters/crawler/': [
    'application/ports/compilers.ts',
    'application/ports/page-fetcher.ts',
    'application/ports/text-decoding.ts',
    'domain/crawl/crawl-scope.ts',
    'domain/crawl/fetch-failure.ts',
    'domain/shared/domain-error.ts',
  ],
  'adapters/embedded-postgres/': [],
  'adapters/extraction/': [
    'application/ports/document-reader.ts',
    'application/ports/text-decoding.ts',
    'application/ports/transcriber.ts',
    'domain/chunking/chunk.ts',
    'domain/crawl/crawl-scope.ts',
    'domain/filter/value.ts',
    'domain/shared/words.ts',
    'domain/source/events.ts',
  ],
  'adapters/local-model/': ['application/ports/embedder.ts', 'application/ports/reranker.ts'],
  'adapters/recurrence/': [
    'application/ports/recurrence.ts',
    'domain/recurrence/',
    'domain/shared/civil-time.ts',
  ],
};

const strangers = (room: string, path: string, text: string): readonly string[] =>
  parseModule(path, text)
    .imports.filter((specifier) => specifier?.startsWith('.') === true)
    .map((specifier) => posix.join(posix.dirname(path), specifier!))
    .filter((target) => ![room, ...STANDALONE[room]!].some((allowed) => target.startsWith(allowed)));

describe.each(Object.keys(STANDALONE))('%s', (room) => {
  const paths = globSync(`${room}**/*.ts`, { cwd: ROOT });

  it('imports nothing of the project but its ports', () => {
    expect(paths.length).toBeGreaterThan(5);
    expect(
      paths.flatMap((path) => strangers(room, path, readFileSync(posix.join(ROOT, path), 'utf8'))),
    ).toEqual([]);
    expect(strangers(room, `${room}x.ts`, "import { a } from '../provider/transient.ts';")).toHaveLength(1);
  });
});
