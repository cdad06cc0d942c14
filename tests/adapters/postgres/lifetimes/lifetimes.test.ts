import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLifetimes } from '../../../../adapters/postgres/lifetimes/lifetimes.ts';
import { lifetimeProjection } from '../../../../adapters/postgres/lifetimes/projection.ts';
import type { DomainEvent, ProjectedEvent } from '../../../../application/event-sourcing/aggregates.ts';
import { openWorld, type World } from '../../../support/world.ts';

const TENANT = 'acme';
const context = {
  tenant: TENANT,
  actor: { kind: 'system', id: '' },
  correlationId: 'c',
  causationId: 'c',
} as const;

/** Events at positions 01, 02, … and at so many seconds. */
const logOf = (...events: readonly (readonly [id: string, event: object])[]): readonly ProjectedEvent[] =>
  events.map(([streamId, event], i) => ({
    id: `${i}`,
    stream: `any-${streamId}`,
    streamId,
    revision: BigInt(i),
    position: String(i + 1).padStart(2, '0'),
    recordedAt: (i + 1) * 1000,
    event: event as DomainEvent,
    metadata: { ...context, schemaVersion: 1 },
  }));

const LOG = logOf(
  ['a', { type: 'SecretCreated' }],
  ['b', { type: 'SecretCreated' }],
  ['a', { type: 'SecretDeleted' }],
  ['s1', { type: 'SourceIndexed', dataSourceId: 'g' }],
  ['s2', { type: 'SourceFailed', dataSourceId: 'g' }],
  ['s1', { type: 'SourceIndexed', dataSourceId: 'g' }],
  ['s1', { type: 'SourceRemoved', dataSourceId: 'g' }],
  ['s1', { type: 'SourceIndexed', dataSourceId: 'g' }],
  ['g', { type: 'DataSourceDeletionRequested' }],
  ['p', { type: 'AuthzPolicyCreated', name: 'x' }],
  ['p', { type: 'AuthzPolicyDeleted' }],
  ['p', { type: 'AuthzPolicyCreated', name: 'x' }],
);

let world: World;
beforeAll(async () => {
  world = await openWorld([lifetimeProjection]);
});
afterAll(() => world.close());

const at = async (list: string, moment: number, page = { limit: 10 }) => {
  const { alive } = createLifetimes(world.db);
  const byPosition = await alive(
    { tenant: TENANT, list },
    { position: String(moment).padStart(2, '0') },
    page,
  );
  expect(await alive({ tenant: TENANT, list }, { at: moment * 1000 }, page)).toEqual(byPosition);
  return byPosition.ids;
};

describe.each([1, 3, LOG.length])('the index of lifetimes, fed %i events at a time', (size) => {
  beforeAll(async () => {
    for (let from = 0; from < LOG.length; from += size)
      await world.transact((trx) =>
        lifetimeProjection.apply(trx, 'lifetime_v1', LOG.slice(from, from + size)),
      );
  });

  it('tells who was there at any moment, also of what ended and began again', async () => {
    expect([await at('secret', 1), await at('secret', 2), await at('secret', 3)]).toEqual([
      ['a'],
      ['b', 'a'],
      ['b'],
    ]);
    const sources = await Promise.all([4, 5, 6, 7, 8, 9].map((moment) => at('source', moment)));
    expect(sources).toEqual([['s1'], ['s2', 's1'], ['s2', 's1'], ['s2'], ['s2', 's1'], []]);
    const policies = await Promise.all([9, 10, 11, 12].map((moment) => at('authz_policy', moment)));
    expect(policies).toEqual([[], ['x'], [], ['x']]);
  });
});
