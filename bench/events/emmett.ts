import type { NewEvent } from '../../application/ports/event-store.ts';
import { EVENTS, history } from './append.ts';

/** What is used of the package, which only the benchmarks install. */
interface Emmett {
  readonly getPostgreSQLEventStore: (connectionString: string) => EmmettStore;
}
export interface EmmettStore {
  readonly appendToStream: (
    stream: string,
    events: readonly object[],
    options: { readonly expectedStreamVersion: bigint | 'STREAM_DOES_NOT_EXIST' },
  ) => Promise<unknown>;
  readonly schema: { readonly migrate: () => Promise<unknown> };
  readonly close: () => Promise<void>;
}
export const EMMETT = '@event-driven-io/emmett-postgresql';

/** Streams stay as short as ours. */
const EVENTS_OF_A_STREAM = 30;

/** Emmett's store on a database of its own, with its schema made. */
export const openEmmett = async (
  connectionString: string,
  cleanup: AsyncDisposableStack,
): Promise<EmmettStore> => {
  const { getPostgreSQLEventStore } = (await import(EMMETT)) as Emmett;
  const store = getPostgreSQLEventStore(connectionString);
  cleanup.defer(() => store.close());
  await store.schema.migrate();
  return store;
};

/** The same appends as ours, each at the version that the stream has: each lane has a stream of its own. */
export const emmettAppends = (store: EmmettStore): ((lane: number) => Promise<void>) => {
  const events = history().map(asEmmett);
  const begin = () => ({ stream: `dataSource-${crypto.randomUUID()}`, next: 0 });
  const lanes: ReturnType<typeof begin>[] = [];
  return async (lane) => {
    const at = (lanes[lane] ??= begin());
    await store.appendToStream(at.stream, events.slice(at.next, at.next + EVENTS), {
      expectedStreamVersion: at.next === 0 ? 'STREAM_DOES_NOT_EXIST' : BigInt(at.next),
    });
    at.next += EVENTS;
    if (at.next === EVENTS_OF_A_STREAM) lanes[lane] = begin();
  };
};

const asEmmett = ({ type, data, metadata }: NewEvent): object => ({ type, data, metadata });
