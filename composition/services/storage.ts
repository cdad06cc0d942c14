import type { Extensions } from '../../adapters/postgres/extensions.ts';
import type { Leadership } from '../../adapters/postgres/projections/leadership.ts';
import type { SqlDatabase } from '../../adapters/postgres/database.ts';
import type { Sql } from '../../adapters/postgres/sql.ts';
import type { Transact } from '../../adapters/postgres/transactions.ts';
import type { Execute } from '../../application/event-sourcing/execute.ts';
import type { StateCache } from '../../application/event-sourcing/state-cache.ts';
import type { EventStore } from '../../application/ports/event-store.ts';
import type { FileAreas } from '../../application/ports/file-store.ts';
import type { UploadsUnderWay } from '../../application/ports/leases.ts';
import type { EventLog, MeasuredEventFeed } from '../event-log.ts';
import type { StoreWatches } from '../store-watches.ts';

export interface StorageServices {
  /** Read models and work under way. */
  Database: SqlDatabase;
  /** Queries of that database. */
  Db: Sql;
  /** Transactions on it. */
  Transact: Transact;
  Extensions: Extensions;
  Leadership: Leadership;
  /** As it is, past the watch: for what must see a log that has changed. */
  EventLog: EventLog;
  StoreWatches: StoreWatches;
  EventStore: EventStore;
  EventFeed: MeasuredEventFeed;
  StateCache: StateCache;
  /** For requests, and for whatever must not wait for a store that is away. */
  Execute: Execute;
  FileAreas: FileAreas;
  UploadsUnderWay: UploadsUnderWay;
}
