import type { Decider, StreamOf } from '../../domain/shared/decider.ts';
import type { DomainEvent } from './domain-event.ts';
import type { EventCodec } from './event-codec.ts';
import type { CommandContext } from '../ports/event-metadata.ts';
import { createKeptStates, type KeptStates } from './kept-states.ts';
import type { AnyTask } from './company.ts';
import { createEncode } from './encode.ts';
import { createHistory, type ReadHistory } from './history.ts';
import { createLines } from './lines.ts';
import { createLoad, type Load } from './load.ts';
import { createWaiting, type Patience, waitedTooLong, withoutTime } from './patience.ts';
import { settled } from './settled.ts';
import type { Executed, ExecuteOptions } from './task.ts';
import type { EventStore, RetryingEventStore } from '../ports/event-store.ts';
import type { IdSource } from '../ports/identity.ts';

export interface Run {
  /**
   * Load, fold, decide, append at the exact revision: one append at a time per stream, first come, first served. Commands
   * that wait for the same stream may share one, which writes all their events or none: then all get its failure. Where
   * somebody else has written to the stream meanwhile (another process, or another `Execute`) it decides again on what
   * they wrote, with growing pauses; a lost answer is asked for again with the same event ids, which the store recognises.
   * What a conflict says is there is waited for: a store may know of it before it shows it.
   *
   * What it costs does not grow with the stream: states are kept, and only what is newer is read and folded;
   * nothing where this process alone has written of late. A refusal, or that nothing changes, always rests on a read.
   *
   * A stream of another tenant is refused as one that does not exist.
   *
   * @throws DomainError when the command is refused; WaitedTooLong when nothing was written because its turn did not come
   * before the limit, or before `context.signal` aborted; EventStoreUnavailable or OutcomeUnknown from the store
   */
  <Command, Event extends DomainEvent, State, Category extends string>(
    decider: Decider<Command, Event, State, Category>,
    stream: StreamOf<NoInfer<Category>>,
    command: Command,
    context: CommandContext,
    options?: ExecuteOptions<State>,
  ): Promise<Executed<Event, State>>;
}
interface RunAndLoad extends Run {
  /** Reads what it decides on, by the same way. */
  readonly load: Load;
  readonly history: ReadHistory;
}
/** Fails as soon as the event store is known to be away. */
export interface Execute extends RunAndLoad {
  readonly retrying?: false;
}
/** Waits for an event store that is away: see `RetryingEventStore`. */
export interface RetryingExecute extends RunAndLoad {
  readonly retrying: true;
}

export interface ExecuteDeps {
  readonly store: EventStore | RetryingEventStore;
  readonly codec: EventCodec;
  readonly ids: IdSource;
  /** May be shared by all of a process. Default: states of its own, without snapshots. */
  readonly kept?: KeptStates;
  readonly patience?: Patience;
}

export function createExecute(deps: ExecuteDeps & { readonly store: EventStore }): Execute;
export function createExecute(deps: ExecuteDeps & { readonly store: RetryingEventStore }): RetryingExecute;
export function createExecute({
  store,
  codec,
  ids,
  kept = createKeptStates(),
  patience = withoutTime,
}: ExecuteDeps): Execute | RetryingExecute {
  const load = createLoad({ store, codec, kept });
  const history = createHistory({ store, codec });
  const lines = createLines<AnyTask, Executed<unknown, unknown>>();
  const run: Run = async (decider, stream, command, context, options = {}) => {
    const encode = createEncode({ codec, ids }, context);
    const task = { decider, stream, command, context, options, encode };
    const { over, pause } = createWaiting(patience, context.signal);
    const served = await lines.join(stream, task as unknown as AnyTask, over).catch(() => {
      throw waitedTooLong();
    });
    if ('answer' in served) return served.answer() as Executed<never, never>;
    const { behind, end } = served.turn;
    try {
      return await settled({ store, kept, load }, task, pause, behind);
    } finally {
      end();
    }
  };
  return store.retrying === true
    ? Object.assign(run, { load, history, retrying: true as const })
    : Object.assign(run, { load, history });
}
