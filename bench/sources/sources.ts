import type { Listing, OpenedFor } from '../../application/ingestion/listed/listed-source.ts';
import { follow, type StreamedEvent } from '../../tests/support/event-stream.ts';
import { type Service, startService } from '../../tests/support/service.ts';
import type { Bench, Run } from '../bench.ts';
import { type Child, startChild } from '../measuring/child.ts';
import { sideBySide } from '../measuring/side-by-side.ts';
import { type Host, KINDS, type KindOfSource } from './kinds.ts';

const UNITS = 5_000;
const QUICK = 60;
const TARGET = 0.5;
const FETCHES = 4;

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
  const asked = { first: 0, unchanged: 0, bare: 0 };
  const counted = async (what: keyof typeof asked, act: () => Promise<unknown>): Promise<number> => {
    const before = await requestsOf(standIn);
    const begun = performance.now();
    await act();
    const seconds = (performance.now() - begun) / 1_000;
    asked[what] = (await requestsOf(standIn)) - before;
    return units / seconds;
  };
  const bare = () => counted('bare', async () => readAll(await kind.bare(host, OPENED)));
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
    result: await sideBySide(rounds, first, bare),
  }));
  const met = (ratio: number) => ratio >= TARGET;
  const requests = { requests: asked.first, rival_requests: asked.bare };
  yield {
    bench: `sources ${kind.name} first`,
    ...result,
    ...told,
    met: met(result.ratio),
    ...requests,
    rival_is,
  };
  const again = await sideBySide(rounds, unchanged, bare);
  const since = { requests: asked.unchanged, rival_requests: asked.bare };
  yield {
    bench: `sources ${kind.name} unchanged`,
    ...again,
    ...told,
    met: met(again.ratio),
    ...since,
    rival_is,
  };
  await service.end('SIGTERM');
  await standIn.stop();
}

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

const OPENED: OpenedFor = {
  tenant: 'bench',
  dataSourceId: 'bench',
  mark: null,
  afresh: false,
  known: async () => new Map(),
};

const never = new AbortController().signal;

const readAll = async (listing: Listing): Promise<void> => {
  for (let cursor: string | null = null; ;) {
    const { units, next } = await listing.list(cursor, never);
    await listing.prepare?.(units, never);
    for (let i = 0; i < units.length; i += FETCHES)
      await Promise.all(units.slice(i, i + FETCHES).map((unit) => listing.fetch(unit, never)));
    if (next === null) break;
    cursor = next;
  }
  await listing.close?.();
};
