import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { searchRecord } from '../../adapters/http/routes/search.ts';
import { textPatterns } from '../../adapters/system/patterns/text-patterns.ts';
import { createCatalog } from '../../adapters/postgres/catalog/catalog.ts';
import { createVectorIndex } from '../../adapters/postgres/vectors/vector-index.ts';
import { createSearchThreads, type SearchThreads } from '../../adapters/search-workers/search-threads.ts';
import { createThreadPool, type ThreadPool } from '../../adapters/search-workers/thread-pool.ts';
import type { CatalogScope, ContentFilter } from '../../application/ports/catalog.ts';
import { createRedactedContents } from '../../application/redaction/redacted-catalog.ts';
import { compileRules } from '../../application/redaction/redactor.ts';
import { depthOf } from '../../application/search/arrange.ts';
import { createRetrieve } from '../../application/search/retrieve.ts';
import {
  createRetrieveSerialised,
  createSerialiseResults,
} from '../../application/search/serialised-search.ts';
import { compiledPlace, type SearchThreadData } from '../../composition/search-threads.ts';
import { EVERYTHING } from '../../domain/filter/filter.ts';
import { parseFilter } from '../../domain/filter/parse-filter.ts';
import { parseQuery } from '../../domain/ranking/asked-terms.ts';
import type { RedactionRule } from '../../domain/redaction/index.ts';
import {
  type CatalogFixture,
  catalogMigrations,
  createHistory,
  idOf,
  openCatalog,
  scope,
} from '../adapters/postgres/catalog/catalog-fixture.ts';
import { silent } from '../support/world.ts';
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts';

const RULES: readonly RedactionRule[] = [
  { name: 'mail', kind: 'email' },
  { name: 'codes', kind: 'pattern', pattern: 'turbine[0-9]+' },
];
const WORDS = 'turbine blade rotor shaft pump valve pressure steam cooling bearing oil filter'.split(' ');

let database: FreshDatabase;
let fixture: CatalogFixture;
let pool: ThreadPool;
let rules: readonly RedactionRule[] | Error = [];

const rulesNow = async (): Promise<readonly RedactionRule[]> => {
  if (rules instanceof Error) throw rules;
  return rules;
};

beforeAll(async () => {
  database = await freshDatabase(catalogMigrations);
  fixture = await openCatalog(database);
  const data: SearchThreadData = {
    address: database.address,
    connections: 2,
    memoryBytes: 64 * 1024 ** 2,
    openSearch: undefined,
    compiled: compiledPlace(),
  };
  const script = new URL('../../composition/search-thread.ts', import.meta.url);
  pool = createThreadPool({ script, data, threads: 2, log: silent });
  const history = createHistory(fixture.files);
  const [open, closed] = [history.of('t1', 'open'), history.of('t1', 'closed')];
  for (let i = 0; i < 60; i++) {
    const of = i % 3 === 0 ? closed : open;
    const word = (n: number): string => WORDS[(i * 7 + n * n) % WORDS.length]!;
    const text = (n: number): string =>
      `The ${word(n)} of ${word(n + 1)} turns the ${word(n + 2)} “${i}.${n}” of turbine${i}. Write to a${i}@example.com, 東京.`;
    await fixture.apply(
      of.indexed(`page ${i}`, {
        title: `${word(0)} and ${word(5)}`,
        chunks: Array.from({ length: 1 + (i % 4) }, (_, n) => text(n)),
        fileType: i % 2 === 0 ? 'html' : 'pdf',
      }),
      of.metadata(`page ${i}`, [['level', String(i % 5), 'integer']]),
    );
  }
});

afterAll(async () => {
  await pool?.close();
  await fixture?.close();
});

/** As without threads. */
const here = (): SearchThreads => {
  const contents = createRedactedContents(createCatalog(fixture.db), async () =>
    compileRules(await rulesNow(), textPatterns),
  );
  const { searchIndex } = fixture;
  const retrieve = createRetrieve({ words: searchIndex, vectors: createVectorIndex(fixture.db), contents });
  const serialise = createSerialiseResults(searchIndex.terms, searchRecord);
  return { retrieve, retrieveSerialised: createRetrieveSerialised({ retrieve, serialise }) };
};
const inThreads = (): SearchThreads => createSearchThreads(pool, rulesNow);

const level = (operator: string, val: number) =>
  parseFilter(
    { logic: 'AND', filters: [{ key: 'level', operator, val }] },
    new Map([['level', 'integer' as const]]),
    'metadata',
  );
const SCOPES: readonly CatalogScope[] = [
  scope(),
  scope('t1', ['open']),
  { ...scope(), access: { sources: level('lt', 3), chunks: EVERYTHING } },
];
const FILTERS: readonly ContentFilter[] = [{}, { fileTypes: ['pdf'] }, { sourceMetadata: [level('eq', 1)] }];
const QUERIES = [
  ...WORDS.slice(0, 4).map((word, i) => `how does the ${word} of the ${WORDS[i + 3]} turn`),
  '"of pump" -oil',
  'trubine presure',
  'the',
  '東京 steam',
  'turbine7',
];

/** One after the other, in one order. */
const answersOf = async (
  { retrieveSerialised }: SearchThreads,
  scopes: readonly CatalogScope[],
): Promise<readonly string[]> => {
  const answers: string[] = [];
  for (const of of scopes)
    for (const filter of FILTERS)
      for (const [i, query] of QUERIES.entries()) {
        const typed = parseQuery(query);
        const as = { typed, collapse: i % 2 === 0 ? 'source' : 'none', limit: 20 } as const;
        const request = { query: typed.ranked, limit: depthOf(as), usePostfilter: i % 3 === 0, filter };
        const told = { query, queryId: idOf(query), mode: 'keyword' } as const;
        answers.push(
          Buffer.from(await retrieveSerialised({ scope: { ...of }, request, as }, told)).toString(),
        );
      }
  return answers;
};

describe('a thread that searches', { timeout: 60_000 }, () => {
  it.each([
    ['as they are', [], SCOPES],
    ['redacted', RULES, SCOPES.slice(0, 1)],
  ])('answers to the byte what is answered without it, contents %s', async (_, inForce, scopes) => {
    rules = inForce;
    const [expected, found] = [await answersOf(here(), scopes), await answersOf(inThreads(), scopes)];
    expect(found).toEqual(expected);
    expect(found.filter((answer) => answer.includes('@example.com')).length > 0).toBe(inForce.length === 0);
    expect(found.filter((answer) => answer.includes('"content"')).length).toBeGreaterThan(20);
  });

  it('finds what was written a moment before, and no more of what was deleted', async () => {
    rules = [];
    const { retrieve } = inThreads();
    const find = async () => {
      const { results } = await retrieve(scope('t3'), { query: 'gearbox', limit: 5, filter: {} });
      return results.map(({ content }) => content.text);
    };
    const of = createHistory(fixture.files).of('t3', 'late');
    expect(await find()).toEqual([]);
    await fixture.apply(of.indexed('one', { chunks: ['a gearbox'] }));
    expect(await find()).toEqual(['a gearbox']);
    await fixture.apply(of.removed('one'));
    expect(await find()).toEqual([]);
  });

  it('shows nothing while the rules cannot be read, and hides by those that have just come into force', async () => {
    const { retrieve } = inThreads();
    const request = { query: 'turbine7', limit: 1, filter: {} };
    rules = new Error('the policies do not answer');
    await expect(retrieve(scope(), request)).rejects.toThrow('the policies do not answer');
    rules = [];
    expect((await retrieve(scope(), request)).results[0]?.content.text).toContain('turbine7.');
    rules = RULES;
    expect((await retrieve(scope(), request)).results[0]?.content.text).not.toContain('turbine7');
  });

  it('passes on what Postgres refuses, with its code', async () => {
    rules = [];
    const { retrieve } = inThreads();
    const [expected, found] = await Promise.all(
      [here(), inThreads()].map((of) =>
        of.retrieve(scope('\0'), { query: 'pump', limit: 1, filter: {} }).catch((error: unknown) => error),
      ),
    );
    expect(found).toMatchObject({ code: '22021', message: (expected as Error).message });
    expect((await retrieve(scope(), { query: 'pump', limit: 1, filter: {} })).results).toHaveLength(1);
  });
});
