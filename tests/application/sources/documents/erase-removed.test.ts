import { describe, expect, it } from 'vitest';
import type { PendingErasure } from '../../../../application/ports/read-your-writes.ts';
import {
  eraseRemoved,
  type EraseRemovedDeps,
} from '../../../../application/sources/documents/erase-removed.ts';
import type { UnsweptDataSource } from '../../../../application/ports/unswept-files.ts';
import { idOf } from '../../../support/memory-parts.ts';

const [GROUP, SOURCE] = [idOf(1), idOf(2)];
const OWED: PendingErasure = {
  dataSourceId: GROUP,
  tenant: 'acme',
  sources: [
    { sourceId: SOURCE, revision: 3n, generation: 2, position: 'p', files: ['raw', 'shared', 'chunks'] },
  ],
};
interface Other {
  readonly pending?: readonly (readonly PendingErasure[] | Error)[];
  readonly leased?: boolean;
  readonly follows?: boolean;
  /** Files that a connector keeps. */
  readonly kept?: readonly string[];
  /** What each look at the clock adds. */
  readonly tick?: number;
  /** The service stops when the first lease is given back. */
  readonly stops?: boolean;
  readonly unswept?: readonly UnsweptDataSource[];
}

/** Looks as often as `pending` has entries; answers what was done, in order. */
const erased = async ({
  pending = [[OWED]],
  leased = true,
  follows = true,
  kept = [],
  tick = 0,
  stops = false,
  unswept = [],
}: Other = {}) => {
  const did: unknown[] = [];
  const noted =
    (name: string) =>
    async (...of: readonly unknown[]): Promise<void> =>
      void did.push([name, ...of]);
  const over = new AbortController();
  const looks = [...pending];
  let now = 0;
  const lease = { id: 'lease' };
  const deps = {
    tombstones: {
      pendingErasures: async (most: number) => {
        did.push(['pending', most]);
        const next = looks.shift() ?? [];
        if (next instanceof Error) throw next;
        return next;
      },
      removeSources: noted('shown again'),
    },
    unswept: { due: async () => unswept, swept: noted('swept') },
    leases: {
      claimOne: async (...of: readonly unknown[]) => {
        did.push(['claim', ...of]);
        return leased ? lease : null;
      },
      release: async (...of: readonly unknown[]) => {
        did.push(['release', ...of]);
        if (stops) over.abort();
      },
    },
    catalog: { filesOf: async () => new Set(['shared']) },
    connectors: {
      crawl: {
        retainedFiles: async (...of: readonly unknown[]) => {
          did.push(['keeps', ...of]);
          return new Set(kept);
        },
        forgetDocument: noted('forget'),
      },
    },
    files: { area: async () => ({ delete: noted('delete') }), sweep: noted('sweep') },
    gate: {
      reached: async (...of: readonly unknown[]) => {
        did.push(['reached', ...of]);
        return follows;
      },
    },
    feed: { head: async () => 'head' },
    clock: { now: () => (now += tick) },
    log: { info: noted('info'), warn: noted('warn'), error: noted('error') },
    owner: 'me',
    leaseMs: 12_000,
    sleep: async (ms: number) => {
      did.push(['sleep', ms]);
      if (looks.length === 0) over.abort();
    },
  };
  await eraseRemoved(deps as unknown as EraseRemovedDeps, over.signal);
  return did;
};
const names = (did: readonly unknown[]) => did.map((one) => (one as readonly string[])[0]);
const WARNED = 'bytes of removed documents not erased';

describe('the bytes of a document that was taken out', () => {
  it('go under a lease, once the catalog has followed, but for what another document refers to', async () => {
    const lease = { id: 'lease' };
    expect(await erased({ kept: ['raw'] })).toEqual([
      ['pending', 20],
      ['claim', 'me', { kind: 'ingestion_erasure', id: GROUP, tenant: 'acme' }, 12_000],
      ['reached', ['catalog'], 'head', 10_000],
      ['keeps', GROUP, new Set([SOURCE])],
      ['delete', 'chunks'],
      // What a connector is about to refer to is younger.
      ['sweep', GROUP, new Set(['raw', 'shared']), -900_000],
      ['forget', { dataSourceId: GROUP, generation: 2 }, SOURCE],
      ['shown again', OWED.sources],
      ['info', 'documents erased', { dataSourceId: GROUP, documents: 1 }],
      ['release', 'me', lease, 'done'],
      ['sleep', 1_000],
    ]);
  });

  it('go whatever their age where no connector keeps any', async () => {
    const did = await erased();
    expect(did).toContainEqual(['sweep', GROUP, new Set(['shared']), 0]);
    expect(did.filter((one) => names([one])[0] === 'delete')).toEqual([
      ['delete', 'raw'],
      ['delete', 'chunks'],
    ]);
  });

  it('stay while another process has the lease', async () => {
    expect(names(await erased({ leased: false }))).toEqual(['pending', 'claim', 'sleep']);
  });

  it('stay while the catalog does not follow, and the lease is given back', async () => {
    const did = await erased({ follows: false });
    expect(names(did)).toEqual(['pending', 'claim', 'reached', 'release', 'warn', 'sleep']);
    expect(did[4]).toEqual(['warn', WARNED, { error: 'the catalog does not catch up' }]);
  });

  it.each([
    ['with the first of them', 11_001, []],
    ['with the second', 11_000, ['delete']],
    ['with the third', 3_667, ['delete']],
    ['before the others are swept', 2_751, ['delete', 'delete']],
    ['before the document may be shown again', 1_834, ['delete', 'delete', 'sweep']],
  ])('stay once most of the lease is over: %s', async (_, tick, done) => {
    const did = await erased({ tick });
    expect(names(did).filter((name) => name === 'delete' || name === 'sweep')).toEqual(done);
    expect(names(did)).not.toContain('shown again');
    expect(did.at(-2)).toEqual(['warn', WARNED, { error: 'the lease has expired' }]);
  });

  it('are left to others once the service stops', async () => {
    expect(names(await erased({ pending: [[OWED, OWED]], stops: true })).slice(-1)).toEqual(['release']);
  });

  it('are looked for again after a failure', async () => {
    const did = await erased({ pending: [new Error('away'), [OWED]] });
    expect(did.slice(0, 4)).toEqual([
      ['pending', 20],
      ['warn', WARNED, { error: 'away' }],
      ['sleep', 1_000],
      ['pending', 20],
    ]);
    expect(names(did)).toContain('shown again');
  });
});

describe('files that no document refers to any more', () => {
  const unswept = (statusSince: number) => ({
    pending: [[]],
    unswept: [{ tenant: 'acme', dataSourceId: GROUP, statusSince }],
  });

  it('go under a lease, once the catalog has followed', async () => {
    expect(await erased(unswept(0))).toEqual([
      ['pending', 20],
      ['claim', 'me', { kind: 'ingestion_erasure', id: GROUP, tenant: 'acme' }, 12_000],
      ['reached', ['catalog'], 'head', 10_000],
      ['keeps', GROUP, undefined],
      ['sweep', GROUP, new Set(['shared']), 0],
      ['swept', GROUP, null],
      ['release', 'me', { id: 'lease' }, 'done'],
      ['sleep', 1_000],
    ]);
  });

  it('go later, where a connector may be about to refer to the youngest of them', async () => {
    const kept = ['raw'];
    expect(await erased({ ...unswept(0), kept })).toContainEqual(['swept', GROUP, 900_000]);
    expect(await erased({ ...unswept(-900_001), kept })).toContainEqual(['swept', GROUP, null]);
  });

  it('stay while another process has the lease, or the catalog does not follow', async () => {
    for (const other of [{ leased: false }, { follows: false }]) {
      const did = names(await erased({ ...unswept(0), ...other }));
      expect(did).not.toContain('sweep');
      expect(did).not.toContain('swept');
    }
  });
});
