import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Access, CatalogScope, ContentFilter } from '../../../application/ports/catalog.ts';
import { chunkMetadata } from '../../../application/read-models/source-contents.ts';
import { resolve } from '../../../domain/authz/policy-filter.ts';
import { EVERYTHING } from '../../../domain/filter/filter.ts';
import { matches } from '../../../domain/filter/matches.ts';
import { parseFilter } from '../../../domain/filter/parse-filter.ts';
import type { MetadataRecord } from '../../../domain/source/events.ts';
import { documentSets, policySets } from '../postgres/catalog/access-arbitraries.ts';
import { METADATA_TYPES, metadataFilters, metadataRecords } from './metadata-arbitraries.ts';
import { idOf, type OpenedEngine, sourceOf, tenantOf } from './search-index-world.ts';

const LEVEL = new Map([['level', 'integer' as const]]);
const PAGE = new Map([['page_number', 'integer' as const]]);
const department = (val: string): MetadataRecord => ({ key: 'department', val, type: 'string' });
const level = (val: number): MetadataRecord => ({ key: 'level', val: String(val), type: 'integer' });
const filterOn = (key: string, operator: string, val: unknown) =>
  parseFilter({ filters: [{ key, operator, val }] }, new Map([...LEVEL, ...PAGE]));

export const filtersContract = (world: () => OpenedEngine): void => {
  describe('a filter', () => {
    /** Names of the documents that the filter lets through, by either way to filter. */
    const worldOfDocuments = async () => {
      const of = tenantOf(world());
      const texts = (name: string) => [`falcon ${name}`];
      const names = new Map<string, string>();
      const write = async (name: string, document: Omit<Parameters<typeof of.write>[1], 'texts'>) => {
        const [id = ''] = await of.write(name, { ...document, texts: texts(name) });
        names.set(id, name);
      };
      await write('web', { group: 'a', url: 'https://docs.example.com/x', at: 100, metadata: [level(1)] });
      await write('pdf', { group: 'a', fileType: 'pdf', url: 'https://example.com/y', at: 200 });
      await write('far', { group: 'b', url: 'https://notexample.com/', at: 300, metadata: [level(3)] });
      const found = async (filter: ContentFilter) => {
        const [before, after] = await Promise.all(
          [false, true].map((usePostfilter) => of.found('falcon', { filter, usePostfilter })),
        );
        expect(after?.toSorted()).toEqual(before?.toSorted());
        return before?.map((id) => names.get(id)).toSorted();
      };
      return { ...of, found };
    };

    it('lets through what has all that it asks, before and after the ranking', async () => {
      const { found, group } = await worldOfDocuments();
      expect(await found({})).toEqual(['far', 'pdf', 'web']);
      expect(await found({ sourceGroupIds: [group('a')] })).toEqual(['pdf', 'web']);
      expect(await found({ sourceTypes: ['crawl'] })).toEqual(['far', 'pdf', 'web']);
      expect(await found({ sourceTypes: ['other'] })).toEqual([]);
      expect(await found({ fileTypes: ['pdf', 'docx'] })).toEqual(['pdf']);
      expect(await found({ sourceGroupIds: [group('a')], fileTypes: ['html'] })).toEqual(['web']);
      expect(await found({ sourceMetadata: [filterOn('level', 'gte', 2)] })).toEqual(['far']);
    });

    it('lets nothing through where it lists nothing, or what is no id', async () => {
      const { found, group } = await worldOfDocuments();
      for (const filter of [
        { sourceGroupIds: [] },
        { sourceTypes: [] },
        { fileTypes: [] },
        { domains: [] },
        { sourceGroupIds: ['no uuid', "'"] },
        { sourceGroupIds: [group('a')], fileTypes: [] },
        { fileTypes: ['\0'] },
      ])
        expect(await found(filter)).toEqual([]);
    });

    it('lets nothing through that has gone since it was asked before, and lets new things through', async () => {
      const { found, group, remove, write } = await worldOfDocuments();
      const filter = { sourceGroupIds: [group('a').toUpperCase()] };
      expect(await found(filter)).toEqual(['pdf', 'web']);
      await remove('pdf');
      expect(await found(filter)).toEqual(['web']);
      await write('new', { group: 'a', texts: ['falcon new'] });
      expect(await found(filter)).toHaveLength(2);
    });

    it('takes both bounds of time as allowed', async () => {
      const { found } = await worldOfDocuments();
      expect(await found({ dateFrom: 200 })).toEqual(['far', 'pdf']);
      expect(await found({ dateTo: 200 })).toEqual(['pdf', 'web']);
      expect(await found({ dateFrom: 200, dateTo: 200 })).toEqual(['pdf']);
      expect(await found({ dateFrom: 201, dateTo: 299 })).toEqual([]);
    });

    it('takes a domain as its host and the hosts under it, however it is written', async () => {
      const { found } = await worldOfDocuments();
      expect(await found({ domains: ['example.com'] })).toEqual(['pdf', 'web']);
      expect(await found({ domains: ['.EXAMPLE.com.'] })).toEqual(['pdf', 'web']);
      expect(await found({ domains: ['docs.example.com'] })).toEqual(['web']);
      expect(await found({ domains: ['com', 'x.example.com'] })).toEqual(['far', 'pdf', 'web']);
      expect(await found({ domains: ['%.com'] })).toEqual([]);
    });

    it('by tags is one of the tags, or all of them, by name and by id', async () => {
      const { found, tenant, group } = await worldOfDocuments();
      const { tag } = world();
      await tag(tenant, 'x', group('a'));
      await tag(tenant, 'x', group('b'));
      await tag(tenant, 'y', group('b'));
      const of = (logic: 'AND' | 'OR', names: readonly string[], ids: readonly string[] = []) =>
        found({ tags: { logic, names, ids } });
      const y = idOf(`${tenant} tag y`);
      expect(await of('OR', ['y', 'nobody'])).toEqual(['far']);
      expect(await of('OR', ['x'], [y])).toEqual(['far', 'pdf', 'web']);
      expect(await of('AND', ['x'], [y])).toEqual(['far']);
      expect(await of('AND', ['x', 'nobody'])).toEqual([]);
      expect(await of('OR', ['X'])).toEqual([]);
    });

    it('lets through what an evaluation in memory does, whatever it asks, also as a policy', async () => {
      const { group, tenant, scope, rank } = tenantOf(world());
      const described = fc.record({
        metadata: metadataRecords,
        group: fc.constantFrom('a', 'b'),
        fileType: fc.constantFrom('html', 'pdf'),
        url: fc.constantFrom(
          'https://docs.example.com/x',
          'https://example.com/y',
          'https://notexample.com/',
        ),
        at: fc.constantFrom(100, 200, 300),
      });
      const documents = fc.sample(described, { numRuns: 30, seed: 7 });
      const sources = documents.map((document, i) =>
        sourceOf(tenant, `${i}`, { ...document, texts: [`falcon ${i}`] }),
      );
      await world().writer.replace(sources);
      const asked = fc.record(
        {
          metadata: metadataFilters,
          group: fc.constantFrom('a', 'b'),
          fileType: fc.constantFrom('html', 'pdf'),
          domain: fc.constantFrom('example.com', 'docs.example.com', 'com'),
          dateFrom: fc.constantFrom(100, 150, 200),
          dateTo: fc.constantFrom(200, 250, 300),
        },
        { requiredKeys: ['metadata'] },
      );
      const seen = { some: 0, none: 0, all: 0 };
      const judged = fc.asyncProperty(asked, async ({ metadata, domain, dateFrom, dateTo, ...of }) => {
        const onSources = parseFilter(metadata, METADATA_TYPES);
        const filter: ContentFilter = {
          ...(of.group !== undefined && { sourceGroupIds: [group(of.group)] }),
          ...(of.fileType !== undefined && { fileTypes: [of.fileType] }),
          ...(domain !== undefined && { domains: [domain] }),
          ...(dateFrom !== undefined && { dateFrom }),
          ...(dateTo !== undefined && { dateTo }),
        };
        const expected = sources.flatMap(({ contents }, i) => {
          const document = documents[i]!;
          const isUnder = (host: string) => host === domain || host.endsWith(`.${domain}`);
          const passes =
            matches(onSources, document.metadata) &&
            (of.group ?? document.group) === document.group &&
            (of.fileType ?? document.fileType) === document.fileType &&
            (domain === undefined || isUnder(new URL(document.url).hostname)) &&
            document.at >= (dateFrom ?? 0) &&
            document.at <= (dateTo ?? 1_000);
          return passes ? [contents[0]!.id] : [];
        });
        const access = { sources: onSources, chunks: EVERYTHING };
        for (const ranking of await Promise.all([
          rank('falcon', { filter: { ...filter, sourceMetadata: [onSources] } }),
          rank('falcon', { filter }, { ...scope(), access }),
        ])) {
          expect(ranking.ranked.map(({ contentId }) => contentId).toSorted()).toEqual(expected.toSorted());
          expect(ranking.totalCandidates).toBe(expected.length);
        }
        seen[expected.length === 0 ? 'none' : expected.length === 30 ? 'all' : 'some'] += 1;
      });
      await fc.assert(judged, { numRuns: 100 });
      expect(seen.some).toBeGreaterThan(20);
    });

    it('on chunks asks each content for itself', async () => {
      const { write, found } = tenantOf(world());
      const texts = [
        [['Open'], 'falcon a'],
        [['Open', 'Inner'], 'falcon b'],
        [['Secret'], 'falcon c'],
      ] as const;
      const [a, b, c] = await write('doc', { texts, pages: true });
      const by = async (key: string, operator: string, val: unknown) =>
        (await found('falcon', { filter: { chunkMetadata: [filterOn(key, operator, val)] } })).toSorted();
      expect(await by('heading', 'eq', 'Open')).toEqual([a!, b!].toSorted());
      expect(await by('heading', 'eq', 'Inner')).toEqual([b]);
      expect(await by('page_number', 'gte', 3)).toEqual([c]);
    });

    it('on chunks asks the declared keys of their rows too', async () => {
      const { write, found } = tenantOf(world());
      const rows = [[level(1), department('sales')], [level(3)]];
      const [, second] = await write('table', { texts: ['falcon a', 'falcon b'], rows });
      const filter = { chunkMetadata: [filterOn('level', 'gte', 2)] };
      expect(await found('falcon', { filter })).toEqual([second]);
    });

    it('follows the metadata of a source', async () => {
      const { write, found } = tenantOf(world());
      const filter = { sourceMetadata: [filterOn('department', 'eq', 'sales')] };
      const ids = await write('doc', { texts: ['falcon'], metadata: [department('sales')] });
      expect(await found('falcon', { filter })).toEqual(ids);
      await write('doc', { texts: ['falcon'], metadata: [department('legal')] });
      expect(await found('falcon', { filter })).toEqual([]);
      await write('doc', { texts: ['falcon'], metadata: [department('legal'), department('sales')] });
      expect(await found('falcon', { filter })).toEqual(ids);
    });
  });

  describe('a policy', () => {
    it('decides what is ranked and counted, content by content', async () => {
      const reached = { something: 0, nothing: 0, parts: 0 };
      const judged = fc.asyncProperty(documentSets, policySets(4), async (raw, policies) => {
        const { tenant, scope, rank } = tenantOf(world());
        const sources = raw.map(({ departments, level: at, headings, fileType }, i) =>
          sourceOf(tenant, `doc ${i}`, {
            fileType,
            metadata: [...departments.map(department), ...(at === null ? [] : [level(at)])],
            texts: headings.map((heading, j) => [[heading], `turbine ${i} ${'x'.repeat(j)}`] as const),
          }),
        );
        await world().writer.replace(sources);
        for (const { onSources, onChunks, attributes } of policies) {
          const access: Access = {
            sources: resolve(onSources, LEVEL, attributes),
            chunks: resolve(onChunks, new Map(), attributes),
          };
          const allowed = sources
            .filter(({ metadata }) => matches(access.sources, metadata))
            .map(({ contents }) => contents.filter((of) => matches(access.chunks, chunkMetadata(of))));
          const ids = allowed.flatMap((contents) => contents.map(({ id }) => id)).toSorted();
          reached[ids.length > 0 ? 'something' : 'nothing'] += 1;
          const whole = sources.flatMap(({ contents }) => contents).length;
          if (ids.length > 0 && ids.length < whole) reached.parts += 1;
          const of: CatalogScope = { ...scope(), access };
          for (const usePostfilter of [false, true]) {
            const { ranked, totalCandidates } = await rank('turbine', { usePostfilter }, of);
            expect(ranked.map(({ contentId }) => contentId).toSorted()).toEqual(ids);
            expect(totalCandidates).toBe(ids.length);
          }
        }
      });
      await fc.assert(judged, { numRuns: 20 });
      expect(Math.min(reached.something, reached.nothing, reached.parts)).toBeGreaterThan(5);
    });
  });
};
