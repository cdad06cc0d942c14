import { setImmediate } from 'node:timers/promises';
import { createMemoryEventStore } from '../../../support/memory/event-store.ts';
import { createEventCodec } from '../../../../application/event-sourcing/event-codec.ts';
import type { CommandContext } from '../../../../application/ports/event-metadata.ts';
import { createExecute, type Run } from '../../../../application/event-sourcing/execute.ts';
import { FileStoreUnavailable } from '../../../../application/ports/file-store.ts';
import type { RetryingEventStore } from '../../../../application/ports/event-store.ts';
import type { Lease } from '../../../../application/ports/leases.ts';
import { dataSourceStream } from '../../../../application/event-sourcing/streams.ts';
import type { Job, JobOutcome } from '../../../../application/sources/ingestion/job.ts';
import {
  createJobHandler,
  type JobHandlerDeps,
} from '../../../../application/sources/ingestion/job-handler.ts';
import { runWithLease } from '../../../../application/jobs/worker.ts';
import { dataSource, type DataSourceCommand, NO_COUNTS } from '../../../../domain/data-source/index.ts';
import { created, START, type Step, STEP_MS } from '../../../domain/data-source/job-steps.ts';
import { countingIds } from '../../../support/ids.ts';
import { writeAsNewer } from '../../../support/newer-version.ts';
import { retryingExecute } from '../../../support/retrying-execute.ts';

export const ID = '01a1fb75-64cc-71f4-80d9-5adbfbf54f87';
const STREAM = dataSourceStream(ID);
const LEASE: Lease = {
  kind: 'ingestion_job',
  id: ID,
  tenant: 'acme',
  token: 1n,
  attempt: 1,
  lasting: 0,
};
export const CALLER: CommandContext = {
  tenant: 'acme',
  actor: { kind: 'api_key', id: 'k' },
  correlationId: 'request-1',
  causationId: 'request-1',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
};
export const COUNTS = { ...NO_COUNTS, seen: 1, indexed: 1 };
export const DONE: JobOutcome = { kind: 'completed', counts: COUNTS };

/** A worker on a queued job, after these steps. Its look-outs run when the test calls them, its work ends when the test says so. */
export const setUp = async (
  before: readonly Step[] = [],
  ingest?: JobHandlerDeps['ingest'],
  /** Calls of the worker wait for the store until the test says that it is back. */
  away = false,
) => {
  const store = createMemoryEventStore(() => START);
  const codec = createEventCodec();
  const ids = countingIds();
  const execute = createExecute({ store, codec, ids });
  const send = (command: DataSourceCommand, context = CALLER) =>
    execute(dataSource, STREAM, command, context);
  let { state: then } = await send(created(dataSource.initial, START));
  for (const [i, step] of before.entries()) then = (await send(step(then, START + (i + 1) * STEP_MS))).state;
  const lookOuts = new Set<() => Promise<void>>();
  const state = {
    // Any back-off has passed.
    now: START + (before.length + 1) * STEP_MS,
    lease: 'held' as 'held' | 'refused' | 'unanswered',
    /** How long the answer to a renewal takes. */
    renewalMs: 0,
    renewals: 0,
  };
  const way = { open: Promise.resolve(), back: () => {} };
  const leave = (): void => {
    const { promise, resolve } = Promise.withResolvers<void>();
    Object.assign(way, { open: promise, back: resolve });
  };
  if (away) leave();
  const waiting: RetryingEventStore = {
    retrying: true,
    append: (...call) => way.open.then(() => store.append(...call)),
    readStream: (...call) => way.open.then(() => store.readStream(...call)),
  };
  const retrying = createExecute({ store: waiting, codec, ids });
  const sent: DataSourceCommand['type'][] = [];
  const infos: unknown[] = [];
  const shutdown = new AbortController();
  let wake = (): void => {};
  let finish: (outcome: JobOutcome) => void = () => {};
  let fail: (error: Error) => void = () => {};
  const work = Promise.withResolvers<{ job: Job; signal: AbortSignal }>();
  const reporting = Promise.withResolvers<void>();
  const noted: Run = (decider, stream, command, ...rest) => {
    sent.push((command as DataSourceCommand).type);
    if (sent.at(-1) === 'complete') reporting.resolve();
    return retrying(decider, stream, command, ...rest);
  };
  const deps = {
    leases: {
      renew: async () => {
        state.renewals += 1;
        state.now += state.renewalMs;
        if (state.lease === 'unanswered') throw new Error('the database does not answer');
        return state.lease === 'held';
      },
    } as never,
    store,
    codec,
    execute: retryingExecute(noted, retrying),
    executeAtOnce: execute,
    itemStore: { lastHeartbeat: async () => 0 },
    ids: countingIds(),
    lostJobs: { failed: async () => [] },
    isTransient: (error: unknown) => error instanceof FileStoreUnavailable,
    owner: 'worker-1',
    leaseMs: 60_000,
    clock: { now: () => state.now },
    sleep: (_: number, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        wake = resolve;
        signal.addEventListener('abort', () => resolve());
      }),
    log: { info: (...told: unknown[]) => void infos.push(told), warn: () => {}, error: () => {} },
    tracing: {
      inSpan: <T>(_: string, __: object, ___: object, run: (t: undefined) => Promise<T>) => run(undefined),
    },
    every: (_: number, run: () => Promise<void>) => {
      lookOuts.add(run);
      return { stop: () => void lookOuts.delete(run) };
    },
    ingest:
      ingest ??
      ((job: Job, signal: AbortSignal) =>
        new Promise<JobOutcome>((resolve, reject) => {
          finish = resolve;
          fail = reject;
          signal.addEventListener('abort', () => reject(signal.reason));
          work.resolve({ job, signal });
        })),
  };
  const running = runWithLease(deps, createJobHandler(deps), LEASE, shutdown.signal);
  return {
    send,
    state,
    shutdown,
    running,
    /** Commands of the worker, in order, whether or not they led to anything. */
    sent,
    /** What the log was told by the way. */
    infos,
    started: work.promise,
    leave,
    back: () => way.back(),
    reporting: reporting.promise,
    finish: (outcome: JobOutcome) => finish(outcome),
    fail: (error: Error) => fail(error),
    lookOut: async () => {
      for (const look of lookOuts) await look().catch(() => {});
    },
    /** Lets `ms` go by, and the sleep that is under way. */
    pass: async (ms: number) => {
      state.now += ms;
      wake();
      await setImmediate();
    },
    writeAsNewer: () => writeAsNewer(store, STREAM),
    trail: async () => (await store.readStream(STREAM)).map(({ type }) => type),
    recorded: () => store.readStream(STREAM),
  };
};
