import { createLifetimes } from '../../adapters/postgres/lifetimes/lifetimes.ts';
import { createReadGate } from '../../adapters/postgres/projections/read-gate.ts';
import { sha256 as hash, systemClock } from '../../adapters/system/identity.ts';
import { createCheckpointMaker } from '../../application/audit/checkpoints.ts';
import { createProofOperations } from '../../application/audit/proof-operations.ts';
import { createEventCodec } from '../../application/event-sourcing/event-codec.ts';
import { dataSourceStream } from '../../application/event-sourcing/streams.ts';
import { createOpenPast } from '../../application/history/open-past.ts';
import type { Result, Run } from '../bench.ts';
import { CONTEXT } from '../events/job-histories.ts';
import { median, percentile } from '../measuring/side-by-side.ts';
import { type GeneratedLog, LONG_STREAM } from './generated-log.ts';
import { proving, type World } from './world.ts';

/** Milliseconds. */
const AIMS = { record: 30, list: 100, proof: 5 };

/** Single looks into the past of a log, and a proof. */
export async function* looks(
  { quick }: Run,
  world: World,
  { long, short, tenants }: GeneratedLog,
): AsyncGenerator<Result> {
  const {
    feed,
    store,
    views: { db },
  } = world;
  const tenant = tenants[0]!;
  const past = createOpenPast({
    store,
    feed,
    codec: createEventCodec(),
    hash,
    clock: systemClock,
    lifetimes: createLifetimes(db),
    gate: createReadGate(db),
  });
  const moment = await feed.head();
  const dataSources = async () => (await past(moment)).dataSources;
  const whole = async (id: string, least: number): Promise<void> => {
    if ((await store.readStream(dataSourceStream(id), 0n)).length < least)
      throw new Error('the stream is shorter than it should be');
  };
  const record = async (id: string): Promise<void> => {
    if ((await (await dataSources()).get(tenant, 'crawl', id)) === null) throw new Error('no record');
  };
  const page = async (limit: number, filter = {}, least = limit): Promise<void> => {
    const { rows } = await (await dataSources()).list(tenant, 'crawl', { limit }, null, filter);
    if (rows.length < least) throw new Error(`a page has ${rows.length} records`);
  };
  const deps = proving(world);
  const proofs = createProofOperations({
    ...deps,
    makeCheckpoint: createCheckpointMaker(deps),
    store,
    feed,
    redactTextFor: async () => (text) => text,
  });
  const caller = {
    id: 'bench',
    tenant,
    grant: { scopes: [], sourceGroupIds: null },
    context: { ...CONTEXT, tenant },
  } as unknown as Parameters<typeof proofs.inclusion>[0];
  const listed = quick ? 20 : 100;
  const all: readonly (readonly [string, number, () => Promise<void>, string, () => Promise<void>])[] = [
    [
      `as of a position, a record of ${LONG_STREAM} events`,
      AIMS.record,
      () => record(long),
      'a bare read of its stream',
      () => whole(long, LONG_STREAM),
    ],
    [
      `as of a position, a page of ${listed}`,
      AIMS.list,
      () => page(listed),
      'a page of one record',
      () => page(1),
    ],
    [
      'as of a position, a page with a condition that nothing meets',
      AIMS.list,
      () => page(20, { status: 'failure' }, 0),
      'a page of 20 without a condition',
      () => page(20),
    ],
    [
      'proof of inclusion',
      AIMS.proof,
      async () => void (await proofs.inclusion(caller, dataSourceStream(short), 3n)),
      'a bare read of its stream',
      () => whole(short, 8),
    ],
  ];
  for (const [name, aim, ours, rivalIs, rival] of all) {
    const told = { ours: [] as number[], rival: [] as number[] };
    const processor: number[] = [];
    for (let n = -5; n < (quick ? 2 : 50); n++) {
      const before = process.cpuUsage();
      const took = await timed(ours);
      const { user, system } = process.cpuUsage(before);
      const beside = await timed(rival);
      if (n < 0) continue;
      told.ours.push(took);
      told.rival.push(beside);
      processor.push((user + system) / 1_000);
    }
    yield {
      bench: `replay, ${name}`,
      ratio: median(told.ours.map((ms, n) => ms / told.rival[n]!)),
      ours: median(told.ours),
      rival: median(told.rival),
      p95: Math.round(percentile(told.ours, 0.95) * 10) / 10,
      processor_ms: Math.round(median(processor) * 10) / 10,
      measured: 'in process',
      unit: 'ms',
      target: `< ${aim} ms`,
      met: median(told.ours) < aim,
      rival_is: rivalIs,
    };
  }
}

const timed = async (run: () => Promise<void>): Promise<number> => {
  const begun = performance.now();
  await run();
  return performance.now() - begun;
};
