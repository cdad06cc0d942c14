import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filtersChunks, type CatalogScope } from '../../../../application/ports/catalog.ts';
import { resolve } from '../../../../domain/authz/policy-filter.ts';
import type { Filter } from '../../../../domain/filter/filter.ts';
import { documentSets, policySets } from './access-arbitraries.ts';
import { accessOf, type Document, documentsOf, textsOf, TYPES } from './access-documents.ts';
import { type CatalogFixture, idOf, openCatalog, scope, sha256 } from './catalog-fixture.ts';

let fixture: CatalogFixture;
beforeAll(async () => {
  fixture = await openCatalog();
});
afterAll(() => fixture.close());

const EVERY = { limit: 100 };
const sorted = (texts: Iterable<string>) => [...texts].toSorted();

const readsOf = async (of: CatalogScope, documents: readonly Document[], ids: readonly string[]) => {
  const { catalog } = fixture;
  const listed = await catalog.listSources(of, {}, EVERY);
  const queried = await catalog.query(of, { filter: {}, sort: 'timestamp', page: EVERY });
  const titled = await catalog.query(of, { filter: {}, sort: 'title', page: EVERY });
  const found = await catalog.search(of, { query: 'turbine', filter: {}, limit: 100 });
  const post = await catalog.search(of, { query: 'turbine', filter: {}, limit: 100, usePostfilter: true });
  const single = await Promise.all(documents.map(({ name }) => catalog.getSource(of, idOf(name))));
  const within = await Promise.all(
    documents.map(({ name }) => catalog.contentsOfSource(of, idOf(name), EVERY)),
  );
  const byId = await Promise.all(ids.map((id) => catalog.getContent(of, id)));
  return {
    listed,
    queried,
    titled,
    found,
    post,
    single,
    within,
    byId,
  };
};

describe('what a policy allows', { timeout: 120_000 }, () => {
  it('is all that any read answers, and nothing of it is missing', async () => {
    const reached = { something: 0, nothing: 0, parts: 0 };
    await fc.assert(
      fc.asyncProperty(documentSets, policySets(5), async (raw, policies) => {
        const { tenant, documents, write } = documentsOf(fixture, raw);
        await write(documents);
        const all = await fixture.catalog.query(scope(tenant), {
          filter: {},
          sort: 'timestamp',
          page: EVERY,
        });
        const ids = all.rows.map(({ id }) => id);
        for (const policy of policies) {
          const { of, allowed } = accessOf(tenant, documents, policy);
          const texts = sorted(allowed.flatMap(({ seen }) => seen.map(({ text }) => text)));
          const names = sorted(allowed.map(({ name }) => idOf(name)));
          reached[texts.length > 0 ? 'something' : 'nothing'] += 1;
          if (allowed.some(({ seen, chunks: whole }) => seen.length < whole.length)) reached.parts += 1;

          const reads = await readsOf(of, documents, ids);
          expect(sorted(reads.listed.rows.map(({ id }) => id))).toEqual(names);
          expect(reads.listed.total).toBe(names.length);
          for (const page of [reads.queried, reads.titled]) {
            expect(textsOf(page.rows)).toEqual(texts);
            expect(page.total).toBe(texts.length);
          }
          for (const result of [reads.found, reads.post]) {
            expect(textsOf(result.results.map(({ content }) => content))).toEqual(texts);
            expect(result.totalCandidates).toBe(texts.length);
          }
          expect(textsOf(reads.byId)).toEqual(texts);
          for (const row of reads.queried.rows)
            expect(row.keywords).toEqual(filtersChunks(of) ? [] : ['word']);
          documents.forEach(({ name, chunks: whole }, i) => {
            const mine = allowed.find((one) => one.name === name);
            const [source, contents] = [reads.single[i] ?? null, reads.within[i] ?? null];
            expect(source?.contentCount).toBe(mine?.seen.length);
            expect(source?.deniedCount ?? 0).toBe(mine === undefined ? 0 : whole.length - mine.seen.length);
            const isWhole = mine?.seen.length === whole.length;
            for (const record of [source, reads.listed.rows.find(({ id }) => id === idOf(name))]) {
              expect(record?.sha256 ?? null).toBe(isWhole ? sha256(name) : null);
              expect(record?.size ?? null).toBe(isWhole ? 100 : null);
            }
            expect(contents?.total).toBe(mine?.seen.length);
            expect(contents?.rows.map(({ text }) => text)).toEqual(mine?.seen.map(({ text }) => text));
          });
        }
      }),
      { numRuns: 25 },
    );
    expect(Math.min(reached.something, reached.nothing, reached.parts)).toBeGreaterThan(5);
  });

  it('is no cursor, no type of a key and no part of a ranking for what it denies', async () => {
    const { tenant, documents, write } = documentsOf(fixture, [
      { departments: ['sales'], level: 1, headings: ['Open'], fileType: 'html' },
      { departments: ['legal'], level: null, headings: ['Secret', 'Open'], fileType: 'html' },
    ]);
    await write(documents);
    const legal = resolve({ filters: [{ key: 'department', operator: 'eq', val: 'legal' }] }, TYPES, {});
    const nothing: Filter = { kind: 'group', logic: 'AND', parts: [] };
    const of: CatalogScope = { ...scope(tenant), access: { sources: legal, chunks: nothing } };
    const { catalog } = fixture;
    const [denied] = (await catalog.contentsOfSource(scope(tenant), idOf(documents[0]!.name), EVERY))!.rows;
    const after = { limit: 5, after: denied!.id };
    await expect(catalog.query(of, { filter: {}, sort: 'title', page: after })).rejects.toMatchObject({
      code: 'invalid_cursor',
    });
    await expect(
      catalog.listSources(of, {}, { limit: 5, after: idOf(documents[0]!.name) }),
    ).rejects.toMatchObject({ code: 'invalid_cursor' });
    expect([...(await catalog.metadataTypes(of, 'source', ['department', 'level'])).keys()]).toEqual([
      'department',
    ]);
  });
});
