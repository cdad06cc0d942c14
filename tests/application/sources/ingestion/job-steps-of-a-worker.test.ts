import { describe, expect, it } from 'vitest';
import { claim } from '../../../../application/sources/ingestion/claim-job.ts';
import { type Ended, endJob } from '../../../../application/sources/ingestion/job-handler.ts';
import { loadDataSource } from '../../../../application/sources/ingestion/job.ts';
import { NO_COUNTS } from '../../../../domain/data-source/index.ts';
import { begun, claimed, created, type Step } from '../../../domain/data-source/job-steps.ts';
import { idOf, memoryParts } from '../../../support/memory-parts.ts';
import { retryingExecute } from '../../../support/retrying-execute.ts';

const ID = idOf(1);
const COUNTS = { ...NO_COUNTS, seen: 2, indexed: 2 };
const ERROR = { title: 'Provider not reachable', message: 'it is away' } as const;
const LEASE = { id: ID, tenant: 'acme' };

/** A data source after these steps, and what its worker tells the log. */
const setUp = async (...steps: readonly Step[]) => {
  const parts = memoryParts();
  await parts.dataSource(ID, steps);
  const { execute } = parts;
  const infos: unknown[] = [];
  const log = { info: (...told: unknown[]) => void infos.push(told), warn: () => {}, error: () => {} };
  const deps = { execute: retryingExecute(execute, execute), clock: parts.clock, owner: 'worker-1', log };
  const found = (await loadDataSource(execute, ID))!;
  return {
    ...parts,
    deps,
    infos,
    found,
    claim: () => claim(deps, LEASE, found, undefined),
    types: async () => (await parts.stored(`dataSource-${ID}`)).map(({ type }) => type),
  };
};

/** What is reported of work that ended so, in a data source after these steps; each report ends as the test says. */
const reportsOf = async (
  ended: Ended,
  steps: readonly Step[] = [created, claimed, begun],
  answer: (nth: number) => Promise<void> = async () => {},
) => {
  const { deps, infos } = await setUp(...steps);
  const reports: unknown[] = [];
  await endJob(deps, ID, (command) => answer(reports.push(command)), ended);
  return { reports, infos };
};
const DONE = { kind: 'completed', counts: COUNTS } as const;

describe('the end of the work on a job', () => {
  it.each<[string, Ended, object]>([
    ['done', { outcome: DONE, stopReason: null }, { type: 'complete', counts: COUNTS }],
    [
      'done before it could stop',
      { outcome: DONE, stopReason: 'canceled' },
      { type: 'complete', counts: COUNTS },
    ],
    [
      'canceled',
      { outcome: null, stopReason: 'canceled', counts: COUNTS },
      { type: 'cancel_done', by: 'worker', counts: COUNTS },
    ],
    [
      'canceled before anything',
      { outcome: null, stopReason: 'canceled' },
      { type: 'cancel_done', by: 'worker' },
    ],
    [
      'stopped with its process',
      { outcome: null, stopReason: 'shutdown', counts: COUNTS },
      { type: 'retry', reason: 'worker_stopped', counts: COUNTS },
    ],
    [
      'failed',
      { outcome: { kind: 'failed', code: 'robots', error: ERROR }, stopReason: null, counts: COUNTS },
      { type: 'fail', code: 'robots', error: ERROR, counts: COUNTS },
    ],
    [
      'put off',
      { outcome: { kind: 'transient', error: ERROR, notBefore: 9 }, stopReason: null, counts: COUNTS },
      { type: 'retry', reason: 'transient_error', error: ERROR, notBefore: 9, counts: COUNTS },
    ],
  ])('is reported once: %s', async (_, ended, report) => {
    expect(await reportsOf(ended)).toEqual({ reports: [report], infos: [] });
  });

  it.each(['fenced', 'lease_lost', 'deleted', 'outdated'] as const)(
    'is for somebody else to report, whatever it came to: %s',
    async (stopReason) => {
      expect(await reportsOf({ outcome: DONE, stopReason })).toEqual({ reports: [], infos: [] });
    },
  );
});
