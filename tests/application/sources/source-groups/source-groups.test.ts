import { describe, expect, it } from 'vitest';
import type { CatalogScope } from '../../../../application/ports/catalog.ts';
import type { SourceGroupRecord } from '../../../../application/ports/source-group-view.ts';
import { createSourceGroupOperations } from '../../../../application/sources/source-groups/operations.ts';
import { sourceTypeOf } from '../../../../application/sources/source-groups/source-type.ts';
import { callerOf } from '../../../support/conversations.ts';
import { AT_WORK, DELETING, GONE, idOf, memoryParts, THERE } from '../../../support/memory-parts.ts';

const caller = callerOf('acme');
const NO_GROUP = { code: 'not_found', message: 'there is no such source group' };
const ACCESS = { tenant: 'acme', only: null, access: { sources: { parts: [] }, chunks: { parts: [] } } };
const SEEN = {
  id: idOf(1),
  name: 'before',
  kind: 'crawl',
  status: 'started',
  sourceCount: 2,
  contentCount: 3,
  tagIds: [idOf(9)],
  ingestionSettingId: 'setting-1',
  createdAt: 5,
  startedAt: 6,
  endedAt: null,
  syncedAt: null,
  error: null,
} as const satisfies SourceGroupRecord;

const setUp = (rows: readonly SourceGroupRecord[] = [SEEN]) => {
  const parts = memoryParts();
  const asked: unknown[] = [];
  const operations = createSourceGroupOperations({
    ...parts,
    view: {
      get: async (scope, id) => {
        asked.push(['get', scope, id]);
        return rows.find((row) => row.id === id) ?? null;
      },
      list: async (scope, page, filter) => {
        asked.push(['list', scope, page, filter]);
        return { rows, hasMore: false, total: rows.length };
      },
      holdings: async (scope) => {
        asked.push(['holdings', scope]);
        return [];
      },
      failedItems: async (scope, page, filter) => {
        asked.push(['failedItems', scope, page, filter]);
        return { rows: [], total: 0 };
      },
    },
    accessTo: async (_, onBehalfOf) => {
      asked.push(onBehalfOf);
      return ACCESS as unknown as CatalogScope;
    },
    settings: {
      change: async (_, kind, id, change) => {
        asked.push(['change', kind, id, change]);
        const record = { name: `${change.name} indeed` } as never;
        return { record, position: 'p1', changed: true };
      },
    },
  });
  return { ...parts, ...operations, asked };
};

describe('a source group', () => {
  it('is read as the policy allows whom the request names', async () => {
    const { get, list, asked } = setUp();
    expect(await get(caller, idOf(1), { principalId: 'jo' })).toEqual(SEEN);
    expect((await list(caller, { limit: 3 })).rows).toEqual([SEEN]);
    await list(caller, { limit: 3 }, { authzPolicy: 'strict' }, { statuses: ['failure'] });
    expect(asked).toEqual([
      { principalId: 'jo' },
      ['get', ACCESS, idOf(1)],
      {},
      ['list', ACCESS, { limit: 3 }, {}],
      { authzPolicy: 'strict' },
      ['list', ACCESS, { limit: 3 }, { statuses: ['failure'] }],
    ]);
    await expect(get(caller, idOf(2))).rejects.toMatchObject(NO_GROUP);
  });

  it('has the name of its setting, and is renamed there', async () => {
    const { rename, dataSource, asked, time } = setUp();
    const createdAt = time.now + 100_000;
    await dataSource(idOf(1), AT_WORK);
    expect(await rename(caller, idOf(1), 'after')).toEqual({
      record: { ...SEEN, name: 'after indeed', createdAt, startedAt: expect.any(Number) },
      position: 'p1',
      changed: true,
    });
    expect(asked).toEqual([
      ['change', 'crawl', 'setting-1', { name: 'after' }],
      ['get', { tenant: 'acme', only: null, access: null }, idOf(1)],
    ]);
  });

  it('that no view has seen yet is renamed too, and holds nothing', async () => {
    const { rename, dataSource } = setUp([]);
    await dataSource(idOf(1), THERE);
    expect((await rename(caller, idOf(1), 'x')).record).toMatchObject({
      status: 'queued',
      sourceCount: 0,
      contentCount: 0,
      tagIds: [],
    });
  });

  it('is renamed by nobody who may not see it, nor once it is gone', async () => {
    const { rename, dataSource, asked } = setUp();
    await dataSource(idOf(1), THERE);
    await dataSource(idOf(2), GONE);
    for (const [by, id] of [
      [callerOf('acme', [idOf(2)]), idOf(1)],
      [callerOf('other'), idOf(1)],
      [caller, idOf(2)],
      [caller, idOf(99)],
    ] as const)
      await expect(rename(by, id, 'x')).rejects.toMatchObject(NO_GROUP);
    expect(asked).toEqual([]);
    await dataSource(idOf(3), DELETING);
    expect((await rename(caller, idOf(3), 'x')).record.status).toBe('deleting');
  });
});

it('documents came by the kind of their data source, where files are one kind each', () => {
  expect(['local_file_group', 'crawl', 'push'].map((kind) => sourceTypeOf(kind as 'crawl'))).toEqual([
    'local_file',
    'crawl',
    'push',
  ]);
});
