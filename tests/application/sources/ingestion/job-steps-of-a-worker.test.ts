import { describe, expect, it } from 'vitest';
import { claim } from '../../../../application/sources/ingestion/claim-job.ts';
import { type Ended, endJob } from '../../../../application/sources/ingestion/job-handler.ts';
import { loadDataSource } from '../../../../application/sources/ingestion/job.ts';
import { WorkLost } from '../../../../application/jobs/work-handler.ts';
import { NO_COUNTS } from '../../../../domain/data-source/index.ts';
import { DomainError } from '../../../../domain/shared/domain-error.ts';
import { begun, canceled, claimed, created, type Step } from '../../../domain/data-source/job-steps.ts';
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
const lost = (): void => {
  throw new WorkLost('frozen');
};

describe('claiming a job', () => {
  it('answers the job, and the fencing token and revision of the claim', async () => {
    const world = await setUp(created);
    const claimedNow = await world.claim();
    expect(claimedNow).toMatchObject({
      epoch: 1,
      revision: 2n,
      job: {
        dataSourceId: ID,
        tenant: 'acme',
        subject: { kind: 'crawl' },
        ingestionSettingId: 'setting-1',
        state: { attempt: 1, generation: 1 },
        context: { tenant: 'acme', actor: { kind: 'worker', id: 'worker-1' } },
      },
    });
    expect(claimedNow!.counted()).toBeUndefined();
  });

  it('finds nothing where the job is claimed already, and tells the log why', async () => {
    const { claim: claimNow, infos } = await setUp(created, claimed);
    expect(await claimNow()).toBeNull();
    expect(infos).toEqual([
      ['nothing to claim', { dataSourceId: ID, reason: expect.stringContaining('claim') as string }],
    ]);
  });

  it('fails where the store does, as that says nothing of the job', async () => {
    const { deps, found, execute } = await setUp(created);
    const away = retryingExecute(() => Promise.reject(new Error('the store is away')), execute);
    const claiming = claim({ ...deps, execute: away }, LEASE, found, undefined);
    await expect(claiming).rejects.toThrow('the store is away');
  });

  it('records progress two seconds after the last, unless the job is lost by then, and knows the newest counts', async () => {
    const world = await setUp(created);
    const { job, progress, counted } = (await world.claim())!;
    await job.begin();
    world.time.now += 2_000;
    await progress({ ...COUNTS, indexed: 1 }, () => {});
    world.time.now += 1_999;
    await progress({ ...COUNTS, indexed: 3 }, lost);
    expect(counted()).toEqual({ ...COUNTS, indexed: 3 });
    world.time.now += 1;
    await expect(progress(COUNTS, lost)).rejects.toThrow(WorkLost);
    expect(counted()).toEqual(COUNTS);
    expect((await world.types()).slice(2)).toEqual(['JobClaimed', 'JobStarted', 'JobProgressed']);
    world.time.now += 2_000;
    await progress(COUNTS, () => {});
    expect((await world.types()).at(-1)).toBe('JobProgressed');
    expect(await world.types()).toHaveLength(6);
  });

  it('takes a refusal for the loss of the job, and another failure for what it is', async () => {
    const world = await setUp(created);
    const { job } = (await world.claim())!;
    await world.dataSource(ID, [(_, at) => ({ type: 'delete', at })]);
    await expect(job.begin()).rejects.toThrow(WorkLost);
    const { deps, execute, found, time } = await setUp(created);
    let away = false;
    const broken = retryingExecute(
      (...call) => (away ? Promise.reject(new Error('the store is away')) : execute(...call)),
      execute,
    );
    const held = (await claim({ ...deps, execute: broken }, LEASE, found, undefined))!;
    away = true;
    time.now += 9_000;
    await expect(held.job.begin()).rejects.toThrow('the store is away');
    await expect(held.job.begin()).rejects.not.toThrow(WorkLost);
  });
});

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
const refuse = async (): Promise<never> => {
  throw new DomainError('conflict', 'it is not yours');
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

  it('leaves no cancel unanswered: where nothing is to be reported, or that is refused', async () => {
    const steps = [created, claimed, begun, canceled];
    const answer = { type: 'cancel_done', by: 'worker' };
    expect(await reportsOf({ outcome: null, stopReason: null }, steps)).toEqual({
      reports: [answer],
      infos: [],
    });
    const ended: Ended = { outcome: DONE, stopReason: null, counts: COUNTS };
    const told = ['a late write was dropped', { command: 'complete', reason: 'it is not yours' }];
    const first = (nth: number) => (nth === 1 ? refuse() : Promise.resolve());
    expect(await reportsOf(ended, steps, first)).toEqual({
      reports: [
        { type: 'complete', counts: COUNTS },
        { ...answer, counts: COUNTS },
      ],
      infos: [told],
    });
    // Of the claim of another worker: that one will answer.
    expect((await reportsOf(ended, steps, refuse)).infos).toEqual([
      told,
      ['a late write was dropped', { command: 'cancel_done', reason: 'it is not yours' }],
    ]);
  });

  it('leaves a newer version alone even where it has canceled the job', async () => {
    const ended: Ended = { outcome: null, stopReason: 'outdated' };
    expect((await reportsOf(ended, [created, claimed, begun, canceled])).reports).toEqual([]);
  });

  it('is not known where the store fails, and nothing where there is no data source', async () => {
    const away = () => Promise.reject(new Error('the store is away'));
    await expect(reportsOf({ outcome: DONE, stopReason: null }, undefined, away)).rejects.toThrow('away');
    const { deps, infos } = await setUp(created);
    await endJob(deps, idOf(9), refuse, { outcome: null, stopReason: null });
    expect(infos).toEqual([]);
  });
});
