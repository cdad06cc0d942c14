import { EventStoreUnavailable } from '../../ports/event-store.ts';

/**
 * The store answers, and what it holds is not the log that was known: lost, restored from an older backup, or another
 * one. Nothing is written to it. Whoever waits for a store that is away waits for the right log too.
 */
export class EventLogChanged extends EventStoreUnavailable {}
