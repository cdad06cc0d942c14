import { follow, type StreamedEvent } from '../../tests/support/event-stream.ts';
import { type Service, startService } from '../../tests/support/service.ts';
import type { Bench, Run } from '../bench.ts';
import { type Child, startChild } from '../measuring/child.ts';
import { type SideBySide, median, sideBySide } from '../measuring/side-by-side.ts';
import { processorTimeOfTree } from '../measuring/processor-time.ts';
import { OPENED, readAll } from './bare-loop.ts';
import { openKeeper } from './keeper.ts';
import { type Host, KINDS, type KindOfSource } from './kinds.ts';

const UNITS = 5_000;
const QUICK = 60;
const TARGET = 0.5;

/**
 * The first import of a source and a sync of it while nothing has changed, until its job is told to have succeeded, beside
 * the same client in a loop that lists and fetches all of it and keeps nothing.
 */
export const sourcesBench: Bench = {
  name: 'sources',
  needs: [],
  measure: async function* measure(run) {
    for (const kind of KINDS) yield* measureKind(kind, run);
  },
};

async function* measureKind(kind: KindOfSource, { quick, cleanup, profiling }: Run) {
  const units = quick ? QUICK : UNITS;
  const standIn = startChild('sources/stand-in.mjs', [kind.name, String(units)]);
  cleanup.defer(standIn.stop);
  const host = (await standIn.ask()) as Host;
  const service = await startService({
    KNOWLEDGER_LOG_LEVEL: 'warn',
    KNOWLEDGER_MASTER_KEY: `${'A'.repeat(43)}=`,
    ...profiling.env,
    ...kind.env(host),
  });
  cleanup.defer(() => service.dispose());
  const { body: secret } =
    kind.secret === undefined ? { body: {} } : await service.api('POST', '/secrets', kind.secret);
  const ids: string[] = [];
  const spent = { first: nothing(), unchanged: nothing(), bare: nothing(), keeping: nothing() };
  const counted = async (what: keyof typeof spent, act: () => Promise<unknown>): Promise<number> => {
    const processor = () =>
      what in OF_SERVICE ? processorTimeOfTree(service.child.pid!) : ownProcessorTime();
    const before = { requests: await requestsOf(standIn), seconds: processor() };
    const begun = performance.now();
    await act();
    const seconds = (performance.now() - begun) / 1_000;
    spent[what].requests = (await requestsOf(standIn)) - before.requests;
    spent[what].processorMs.push((1_000 * ((processor() ?? 0) - (before.seconds ?? 0))) / units);
    return units / seconds;
  };
  const bare = () => counted('bare', async () => readAll(await kind.bare(host, OPENED), async () => {}));
  const limits: number[] = [];
  const keeping = () =>
    counted('keeping', async () => {
      const keeper = await openKeeper();
      await readAll(await kind.bare(host, OPENED), keeper.keep);
      const kept = await keeper.close();
      if (kept !== units) throw new Error(`${kept} of ${units} documents were kept`);
    });
  const rival = async (): Promise<number> => {
    const rate = await bare();
    limits.push(await keeping());
    return rate;
  };
  const first = () =>
    counted('first', async () => {
      const body = { ...kind.body, name: 'Bench', ...(secret.id !== undefined && { secret_id: secret.id }) };
      const made = await service.api('POST', kind.path, body);
      ids.push(made.body.id);
      await succeeded(service, kind, made.body.id, 'indexed', units);
    });
  const unchanged = () =>
    counted('unchanged', async () => {
      const id = ids.at(-1)!;
      const after = await newest(service, kind, id);
      await service.api('POST', `${kind.path}/${id}/sync`);
      await succeeded(service, kind, id, 'unchanged', units, after);
    });
  const rounds = quick ? 1 : 3;
  const told = { measured: 'over HTTP', unit: 'units/s', target: `>= ${TARGET}`, units } as const;
  const rival_is = 'the same client listing and fetching all, in this process, keeping nothing';
  const { result } = await profiling.profiledIn(service, async () => ({
    result: await sideBySide(rounds, first, rival),
  }));
  const line = (what: 'first' | 'unchanged', measured: SideBySide) => ({
    bench: `sources ${kind.name} ${what}`,
    ...measured,
    ...told,
    met: measured.ratio >= TARGET,
    requests: spent[what].requests,
    rival_requests: spent.bare.requests,
    processor_ms_per_unit: hundredths(median(spent[what].processorMs)),
    rival_processor_ms_per_unit: hundredths(median(spent.bare.processorMs)),
    rival_is,
  });
  yield {
    ...line('first', result),
    limit: Math.round(median(limits)),
    limit_is: 'the same client, which also keeps each document in a synced file, and its text in SQLite FTS5',
    limit_processor_ms_per_unit: hundredths(median(spent.keeping.processorMs)),
  };
  yield line('unchanged', await sideBySide(rounds, unchanged, bare));
  await service.end('SIGTERM');
  await standIn.stop();
}

const OF_SERVICE = { first: true, unchanged: true };

/** Of one side: requests of its last round, and processor time for each unit in each round. */
const nothing = () => ({ requests: 0, processorMs: [] as number[] });

/** In seconds. The stand-in and the service, which are below this process, are not counted. */
const ownProcessorTime = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

const hundredths = (value: number): number => Math.round(value * 100) / 100;

const requestsOf = async (standIn: Child): Promise<number> =>
  ((await standIn.ask({})) as { readonly requests: number }).requests;

const newest = async (service: Service, { path }: KindOfSource, id: string): Promise<number> =>
  (await service.api('GET', `${path}/${id}/events?limit=100`)).body.events.at(-1).revision;

const succeeded = async (
  service: Service,
  { path }: KindOfSource,
  id: string,
  count: 'indexed' | 'unchanged',
  units: number,
  after = -1,
): Promise<void> => {
  const over = ({ data }: StreamedEvent): boolean =>
    data.revision > after && ['JobSucceeded', 'JobFailed', 'JobCanceled'].includes(data.type);
  const last = (await follow(service, `${path}/${id}/events`, over)).at(-1)?.data;
  if (last?.type !== 'JobSucceeded' || last.data.counts[count] !== units)
    throw new Error(`a job ended otherwise: ${JSON.stringify(last)}`);
};
