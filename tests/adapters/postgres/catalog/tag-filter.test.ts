import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tagProjection } from '../../../../adapters/postgres/projections/tags.ts';
import { createVersion, schemaOf } from '../../../../adapters/postgres/projections/versions.ts';
import { createTagView } from '../../../../adapters/postgres/views/tag-view.ts';
import type { DomainEvent, ProjectedEvent } from '../../../../application/event-sourcing/aggregates.ts';
import type { ContentFilter, TagFilter } from '../../../../application/ports/catalog.ts';
import type { TagView } from '../../../../application/ports/source-group-view.ts';
import { type CatalogFixture, createHistory, idOf, openCatalog, scope } from './catalog-fixture.ts';

let fixture: CatalogFixture;
let view: TagView;
const schema = schemaOf('tag', 1);

beforeAll(async () => {
  fixture = await openCatalog();
  await createVersion(fixture.db, tagProjection, true);
  view = createTagView(fixture.db);
});
afterAll(() => fixture.close());

const apply = (...events: readonly ProjectedEvent[]) =>
  fixture.db.transaction().execute((trx) => tagProjection.apply(trx, schema, events));

/** Histories of the tags of tenants: tags and groups by name. */
const revisions = new Map<string, bigint>();
const ofTag = (tenant: string, event: DomainEvent): ProjectedEvent => {
  const revision = (revisions.get(tenant) ?? -1n) + 1n;
  revisions.set(tenant, revision);
  const metadata = { tenant, actor: { kind: 'system', id: '' }, correlationId: '', causationId: '' } as const;
  const place = {
    stream: `tag-${tenant}`,
    streamId: tenant,
    revision,
    position: String(revision),
    recordedAt: 0,
  };
  return { id: `${tenant} ${revision}`, ...place, event, metadata: { ...metadata, schemaVersion: 1 } };
};
const created = (tenant: string, name: string) =>
  ofTag(tenant, { type: 'TagCreated', tagId: idOf(`${tenant} ${name}`), name, description: '', at: 1 });
const deleted = (tenant: string, name: string) =>
  ofTag(tenant, { type: 'TagDeleted', tagId: idOf(`${tenant} ${name}`), at: 1 });
const pair = (tenant: string, name: string, group: string) => ({
  bindingId: idOf(`${tenant} ${name} on ${group}`),
  tagId: idOf(`${tenant} ${name}`),
  sourceGroupId: idOf(group),
  at: 1,
});
const bound = (tenant: string, name: string, group: string) =>
  ofTag(tenant, { type: 'TagBound', ...pair(tenant, name, group) });
const TAGS = ['a', 'A', 'ab', "it's", '%', '\u{1F600}'];
const GROUPS = ['g1', 'g2', 'g3', 'g4', 'g5'];
const TENANT = 'property';

/** Which tags each group carries: what the plain evaluation looks at. */
const carried = new Map<string, Set<string>>();

beforeAll(async () => {
  const history = createHistory(fixture.files);
  for (const group of GROUPS) {
    carried.set(group, new Set());
    for (const [i, fileType] of ['html', 'pdf'].entries()) {
      const page = {
        title: `${group} ${i}`,
        fileType,
        at: 100 + i,
        chunks: [`falcon ${group} ${fileType}`],
      };
      await fixture.apply(history.of(TENANT, group).indexed(`${group} ${i}`, page));
    }
  }
  await apply(...TAGS.map((name) => created(TENANT, name)), created('other', 'a'), created('other', 'b'));
  await apply(bound('other', 'a', 'g1'), bound('other', 'b', 'g1'));
});

const step = fc.record({
  name: fc.constantFrom(...TAGS),
  group: fc.constantFrom(...GROUPS),
});
/** Ids of the bindings: each is another. */
const bindings = new Map<string, string>();

/** Binds what is not bound and unbinds what is, in the view and in the plain model. */
const toggle = async (steps: readonly { readonly name: string; readonly group: string }[]): Promise<void> => {
  for (const { name, group } of steps) {
    const tags = carried.get(group)!;
    if (tags.delete(name)) {
      const bindingId = bindings.get(`${name} ${group}`) ?? '';
      await apply(ofTag(TENANT, { type: 'TagUnbound', ...pair(TENANT, name, group), bindingId }));
    } else {
      tags.add(name);
      const bindingId = idOf(`binding ${revisions.get(TENANT)}`);
      bindings.set(`${name} ${group}`, bindingId);
      await apply(ofTag(TENANT, { type: 'TagBound', ...pair(TENANT, name, group), bindingId }));
    }
  }
};
const names = fc.array(fc.constantFrom(...TAGS, 'nobody', 'b', ''), { maxLength: 3 });
const tagFilter: fc.Arbitrary<TagFilter> = fc
  .record({ names, ids: names, logic: fc.constantFrom('AND', 'OR') })
  .filter((filter) => filter.names.length + filter.ids.length > 0);
const filters = fc.record(
  {
    tags: tagFilter,
    fileTypes: fc.subarray(['html', 'pdf'], { minLength: 1 }),
    sourceGroupIds: fc.subarray(GROUPS, { minLength: 2 }),
    dateFrom: fc.constantFrom(100, 101),
  },
  { requiredKeys: ['tags'] },
);
type Filters = typeof filters extends fc.Arbitrary<infer Value> ? Value : never;
const only = fc.option(fc.subarray(GROUPS, { minLength: 2 }));

/** The plain meaning of a filter. */
const matches = (filter: Filters, within: readonly string[] | null): readonly string[] =>
  GROUPS.flatMap((group) =>
    [0, 1].flatMap((i) => {
      const fileType = i === 0 ? 'html' : 'pdf';
      const wanted = [...filter.tags.names, ...filter.tags.ids];
      const hasTags = (name: string): boolean => carried.get(group)!.has(name);
      const tagged = filter.tags.logic === 'AND' ? wanted.every(hasTags) : wanted.some(hasTags);
      const rest =
        (filter.fileTypes?.includes(fileType) ?? true) &&
        (filter.sourceGroupIds?.includes(group) ?? true) &&
        (filter.dateFrom ?? 0) <= 100 + i &&
        (within?.includes(group) ?? true);
      return tagged && rest ? [`falcon ${group} ${fileType}`] : [];
    }),
  );

describe('a filter by tags', () => {
  it('selects what a plain evaluation of bindings and filters selects, for searches, lists and totals', async () => {
    const seen = { AND: 0, OR: 0, none: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 6 }),
        filters,
        only,
        fc.boolean(),
        async (steps, filter, within, usePostfilter) => {
          await toggle(steps);
          const expected = matches(filter, within).toSorted();
          const of = scope(TENANT, within);
          const ids = filter.tags.ids.map((name) => idOf(`${TENANT} ${name}`));
          const groups = filter.sourceGroupIds;
          const asked: ContentFilter = {
            ...filter,
            tags: { ...filter.tags, ids },
            ...(groups !== undefined && { sourceGroupIds: groups.map(idOf) }),
          };
          const page = { limit: 100 };
          const listed = await fixture.catalog.query(of, { filter: asked, sort: 'title', page });
          expect(listed.rows.map(({ text }) => text).toSorted()).toEqual(expected);
          expect(listed.total).toBe(expected.length);
          const request = { query: 'falcon', filter: asked, limit: 100, usePostfilter };
          const { results } = await fixture.catalog.search(of, request);
          expect(results.map(({ content }) => content.text).toSorted()).toEqual(expected);
          seen[expected.length === 0 ? 'none' : filter.tags.logic] += 1;
        },
      ),
      { numRuns: 150 },
    );
    expect(seen.AND).toBeGreaterThan(5);
    expect(seen.OR).toBeGreaterThan(20);
  });

  const texts = async (tags: TagFilter, tenant = TENANT) => {
    const query = { filter: { tags }, sort: 'title', page: { limit: 100 } } as const;
    return (await fixture.catalog.query(scope(tenant), query)).rows.length;
  };

  it('matches nothing where a tag is unknown, no id, or of another tenant', async () => {
    expect(await texts({ names: ['b'], ids: [], logic: 'OR' })).toBe(0);
    expect(await texts({ names: [], ids: [idOf('other a')], logic: 'OR' })).toBe(0);
    for (const id of ['no uuid', "'", '']) {
      expect(await texts({ names: [], ids: [id], logic: 'OR' })).toBe(0);
      expect(await texts({ names: TAGS, ids: [id], logic: 'AND' })).toBe(0);
    }
    expect(await texts({ names: ['nul \0'], ids: [], logic: 'AND' })).toBe(0);
  });

  it('ends with the tag, and with the deletion of the data source, whatever is bound later', async () => {
    const of = createHistory(fixture.files).of('ends', 'ends g');
    const deletion = of.deletionRequested();
    await fixture.apply(of.indexed('ends page', { chunks: ['falcon'] }));
    await apply(
      created('ends', 'x'),
      created('ends', 'y'),
      bound('ends', 'x', 'ends g'),
      bound('ends', 'y', 'ends g'),
    );
    const x = { names: ['x'], ids: [], logic: 'OR' } as const;
    const y = { names: [], ids: [idOf('ends y').toUpperCase()], logic: 'AND' } as const;
    expect([await texts(x, 'ends'), await texts(y, 'ends')]).toEqual([1, 1]);
    await apply(deleted('ends', 'x'));
    expect([await texts(x, 'ends'), await texts(y, 'ends')]).toEqual([0, 1]);
    await apply(deletion);
    expect(await texts(y, 'ends')).toBe(0);
    const z = created('ends', 'z');
    await apply(z, bound('ends', 'z', 'ends g'));
    expect(await texts({ names: ['z'], ids: [], logic: 'OR' }, 'ends')).toBe(0);
    expect((await view.listBindings(scope('ends'), { limit: 5 })).total).toBe(0);
    expect(await view.deletedAmong([idOf('ends g'), idOf('g1')])).toEqual(new Set([idOf('ends g')]));
  });
});

describe('the view of tags', () => {
  it('counts and lists what is bound, exactly, and what a restricted scope sees of it', async () => {
    const living = [...carried].flatMap(([group, tags]) => [...tags].map((name) => [name, group] as const));
    const list = await view.list(scope(TENANT), { limit: 100 });
    expect([list.total, list.rows.length]).toEqual([TAGS.length, TAGS.length]);
    for (const { name, sourceGroupCount } of list.rows) {
      expect([name, sourceGroupCount]).toEqual([name, living.filter(([tag]) => tag === name).length]);
    }
    const all = await view.listBindings(scope(TENANT), { limit: 100 });
    expect([all.total, all.rows.length]).toEqual([living.length, living.length]);
    for (const group of GROUPS) {
      const own = living.filter(([, of]) => of === group);
      const restricted = scope(TENANT, [group]);
      const tags = await view.list(restricted, { limit: 100 });
      expect(tags.rows.map(({ name }) => name).toSorted()).toEqual(own.map(([name]) => name).toSorted());
      expect(tags.rows.map(({ sourceGroupCount }) => sourceGroupCount)).toEqual(own.map(() => 1));
      const bindingsOf = await view.listBindings(restricted, { limit: 100 });
      const totals = [tags.total, bindingsOf.total, bindingsOf.rows.length];
      expect(totals).toEqual([own.length, own.length, own.length]);
    }
  });

  it('is read page by page, also behind a record that is gone', async () => {
    await apply(...['1', '2', '3', '4'].map((name) => created('paged', name)));
    const ids = (await view.list(scope('paged'), { limit: 100 })).rows.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted().toReversed());
    const first = await view.list(scope('paged'), { limit: 2 });
    expect([first.rows.map(({ id }) => id), first.hasMore, first.total]).toEqual([ids.slice(0, 2), true, 4]);
    const name = (await view.get(scope('paged'), ids[1]!))!.name;
    await apply(deleted('paged', name));
    const second = await view.list(scope('paged'), { limit: 2, after: ids[1]! });
    expect([second.rows.map(({ id }) => id), second.hasMore, second.total]).toEqual([ids.slice(2), false, 3]);
    for (const [of, after] of [
      [scope('other'), ids[0]!],
      [scope('paged', []), ids[0]!],
      [scope('paged'), idOf('none')],
    ] as const) {
      await expect(view.list(of, { limit: 2, after })).rejects.toMatchObject({ code: 'invalid_cursor' });
      await expect(view.listBindings(of, { limit: 2, after })).rejects.toMatchObject({
        code: 'invalid_cursor',
      });
    }
  });

  it('is the same when events come twice', async () => {
    const dump = async () => {
      const tables = ['tag', 'tag_binding', 'tag_count', 'tag_gone_group'];
      const rows = await Promise.all(
        tables.map((table) =>
          sql<{ row: object }>`select to_jsonb(r) as row from ${sql.id('read', table)} r order by 1`.execute(
            fixture.db,
          ),
        ),
      );
      return rows.map((found) => found.rows.map(({ row }) => row));
    };
    const events = [
      created('twice', 'x'),
      bound('twice', 'x', 'g1'),
      created('twice', 'y'),
      bound('twice', 'y', 'g1'),
    ];
    const group = createHistory(fixture.files).of('twice', 'g1').deletionRequested();
    await apply(...events, group, deleted('twice', 'x'));
    const before = await dump();
    await apply(...events, group);
    expect(await dump()).toEqual(before);
  });
});
