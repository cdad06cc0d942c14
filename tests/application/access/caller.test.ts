import { mustBeKnown } from '../../../application/access/api-keys/operations.ts';
import {
  mustBeUnrestricted,
  ownIdempotencyKey,
  scopeOf,
  sees,
  seesKey,
} from '../../../application/access/caller.ts';
import { createEventCodec } from '../../../application/event-sourcing/event-codec.ts';
import { createExecute } from '../../../application/event-sourcing/execute.ts';
import { dataSourceStream } from '../../../application/event-sourcing/streams.ts';
import { readDataSource } from '../../../application/sources/data-sources/read-data-source.ts';
import { dataSource } from '../../../domain/data-source/index.ts';
import { START, created } from '../../domain/data-source/job-steps.ts';
import { callerOf } from '../../support/conversations.ts';
import { countingIds } from '../../support/ids.ts';
import { createMemoryEventStore } from '../../support/memory/event-store.ts';
import { CALLER } from '../sources/ingestion/worker-on-a-job.ts';
import { describe, expect, it } from 'vitest';

const everywhere = callerOf('acme');

const within = callerOf('acme', ['g1', 'g2']);

describe('a key that is not restricted', () => {
  it('sees every source group and every key, and may ask for what spans them', () => {
    expect(sees(everywhere, 'g9')).toBe(true);
    expect(seesKey(everywhere, { sourceGroupIds: null })).toBe(true);
    expect(seesKey(everywhere, { sourceGroupIds: ['g9'] })).toBe(true);
    expect(() => mustBeUnrestricted(everywhere, 'the audit log')).not.toThrow();
    expect(scopeOf(everywhere)).toEqual({ tenant: 'acme', only: null });
  });

  it('shares its idempotency keys with the others of its tenant', () => {
    expect(ownIdempotencyKey(everywhere, 'k')).toBe('k');
  });
});

describe('a key that is restricted to source groups', () => {
  it('sees no other group, and asks for nothing that spans groups', () => {
    expect(['g1', 'g2', 'g9'].map((group) => sees(within, group))).toEqual([true, true, false]);
    expect(scopeOf(within)).toEqual({ tenant: 'acme', only: ['g1', 'g2'] });
    expect(() => mustBeUnrestricted(within, 'the audit log')).toThrow(
      expect.objectContaining({
        code: 'key_restricted',
        message: 'the audit log needs a key that is not restricted to source groups',
      }),
    );
  });

  it('knows of those keys that reach no further', () => {
    const reaches = [['g1'], ['g2', 'g1'], [], ['g1', 'g9'], null];
    expect(reaches.map((sourceGroupIds) => seesKey(within, { sourceGroupIds }))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it('repeats only its own requests', () => {
    expect(ownIdempotencyKey(within, 'k')).toBe('key-1 k');
    expect(ownIdempotencyKey(within, undefined)).toBeUndefined();
  });
});

const idOf = (n: number): string => `01a1fb75-64cc-71f4-80d9-${String(n).padStart(12, '0')}`;

/** Data sources 1 to `count` of the tenant acme. */
const setUp = async (count: number) => {
  const store = createMemoryEventStore(() => START);
  const execute = createExecute({ store, codec: createEventCodec(), ids: countingIds() });
  for (let n = 1; n <= count; n += 1)
    await execute(dataSource, dataSourceStream(idOf(n)), created(dataSource.initial, START), CALLER);
  return { store, execute };
};

describe('data sources that are named', () => {
  it('are known from their creation on, to their tenant, however many there are', async () => {
    const { store } = await setUp(40);
    const ids = Array.from({ length: 40 }, (_, i) => idOf(i + 1));
    let [under, most, asked] = [0, 0, 0];
    const counting: Pick<typeof store, 'readStream'> = {
      readStream: async (...of) => {
        under += 1;
        asked += 1;
        most = Math.max(most, under);
        const read = await store.readStream(...of);
        await new Promise(setImmediate);
        under -= 1;
        return read;
      },
    };
    await expect(mustBeKnown(counting, 'acme', ids)).resolves.toBeUndefined();
    expect([most, asked]).toEqual([16, 40]);
    await expect(mustBeKnown(store, 'acme', [])).resolves.toBeUndefined();
    for (const unknown of [
      [...ids.slice(0, 20), idOf(99), idOf(98)],
      [idOf(99), ...ids],
      [...ids, idOf(99)],
    ])
      await expect(mustBeKnown(store, 'acme', unknown)).rejects.toMatchObject({
        code: 'not_found',
        message: `there is no source group ${idOf(99)}`,
      });
    await expect(mustBeKnown(store, 'other', ids.slice(0, 1))).rejects.toMatchObject({ code: 'not_found' });
  });

  it('are read as of their streams', async () => {
    const deps = await setUp(1);
    expect(await readDataSource(deps, 'acme', idOf(1))).toMatchObject({
      id: idOf(1),
      tenant: 'acme',
      status: 'queued',
      revision: 1n,
    });
    expect(await readDataSource(deps, 'acme', idOf(2))).toBeNull();
  });
});
