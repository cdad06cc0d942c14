import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VIEWS, type ViewName } from '../../../application/ports/read-gate.ts';
import { tagStream } from '../../../application/streams.ts';
import { tag } from '../../../domain/tag/index.ts';
import { PROJECTIONS } from '../../support/views.ts';
import { openWorld, type World } from '../../support/world.ts';
import { CASES } from './every-operation.ts';
import { runApp, stopServersAfterAll } from './running-app.ts';

/** The categories of the streams that the writes below a path append to. */
const FACTS_OF: { readonly [path: string]: readonly string[] } = {
  crawls: ['dataSource', 'ingestionSetting'],
  'crawl-settings': ['ingestionSetting'],
  sources: ['source'],
  'source-groups': ['ingestionSetting'],
  tags: ['tag'],
  'tag-source-groups': ['tag'],
  'redaction-policies': ['redactionPolicy'],
  'authz-policies': ['authzPolicy'],
  'authz-subject-attributes': ['authzSubject'],
  'api-keys': ['apiKey'],
  conversations: ['conversation'],
};
const kindOf = (path: string): string => /^\/api\/v1\/([^/?]+)/.exec(path)?.[1] ?? '';

/** The views to which the facts of such a write come. */
const viewsOf = (path: string): readonly ViewName[] =>
  PROJECTIONS.filter(({ filter }) =>
    filter.categories?.some((category) => FACTS_OF[kindOf(path)]?.includes(category)),
  ).map(({ view }) => view);

/** Writes to data sources change much, and wait for all views. */
const WAITS_FOR_ALL = /\/crawl/;

stopServersAfterAll();

describe('the answer to a write', () => {
  it('waits for the views that its facts come to, whatever is written', async () => {
    let waited: (readonly ViewName[])[] = [];
    const app = await runApp(() => ({ gate: { reached: async (views) => (waited.push(views), true) } }));
    const found = [];
    for (const { method, path, ask } of CASES) {
      waited = [];
      const { headers } = await app.ask(method, path, ask);
      if (headers.has('x-position')) found.push({ write: `${method} ${path}`, path, waited });
    }
    expect(new Set(found.map(({ path }) => kindOf(path)))).toEqual(new Set(Object.keys(FACTS_OF)));
    expect(found.map((of) => [of.write, of.waited[0]?.toSorted()])).toStrictEqual(
      found.map(({ write, path }) => [write, (WAITS_FOR_ALL.test(path) ? VIEWS : viewsOf(path)).toSorted()]),
    );
  });
});

describe('a view that stands still', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(PROJECTIONS);
    for (const projection of PROJECTIONS) if (projection.view !== 'catalog') world.project(projection);
  });
  afterAll(() => world.close());

  it('does not hold the answer to a write that it does not need', async () => {
    const caught: boolean[] = [];
    const app = await runApp(({ tags }) => ({
      tags: {
        ...tags,
        create: async (caller, request, key) => {
          const made = await tags.create(caller, request, key);
          const tag_id = world.ids.newId();
          const command = { type: 'create', tag_id, name: request.name, description: '', at: 1 } as const;
          const { tenant } = caller;
          const { position } = await world.execute(tag, tagStream(tenant), command, {
            ...caller.context,
            tenant,
          });
          return { ...made, position };
        },
      },
      gate: {
        reached: async (views, position, ms) => {
          // As long as the tests may take: it is not time that decides.
          const there = await world.gate.reached(views, position, ms * 40);
          caught.push(there);
          return there;
        },
      },
    }));
    expect((await app.ask('POST', '/api/v1/tags', { body: { name: 'manuals' } })).status).toBe(201);
    expect(caught).toStrictEqual([true]);
  });
});
