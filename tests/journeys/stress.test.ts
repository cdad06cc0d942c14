import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { noFaults } from '../../stress/faults.ts';
import { storeOn } from '../../stress/store.ts';
import { stress } from '../../stress/stress.ts';
import { openBacking, STORE } from '../support/backing.ts';

/** Processes that share the work need a server, whatever the rest of the run is on. */
const NAME = STORE === 'embedded' ? 'postgres' : STORE;

describe('a service whose processes are killed while clients write', { timeout: 400_000 }, () => {
  it('loses and doubles nothing, leaves no job behind, and shows what its log says', async () => {
    await using cleanup = new AsyncDisposableStack();
    // Of its own at each try: what is random comes again with the seed, ids and idempotency keys too.
    const backing = await openBacking(NAME);
    cleanup.defer(() => backing.close());
    const dataDir = await mkdtemp(join(tmpdir(), 'knowledger-stress-test-'));
    cleanup.defer(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));
    const result = await stress({
      store: storeOn(NAME, backing),
      dataDir,
      seed: 1,
      seconds: 12,
      clients: 4,
      maxCrawls: 8,
      everyMs: [2_000, 4_000],
      freezes: 0,
      restMs: 200_000,
      tell: () => {},
      cleanup,
    });
    expect(result.found).toEqual(noFaults());
    expect(result.kills).toBeGreaterThan(0);
    expect(result.acknowledged).toBeGreaterThan(0);
    expect(result.successes).toBeGreaterThan(0);
  });
});
