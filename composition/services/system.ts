import type { EventCodec } from '../../application/event-sourcing/event-codec.ts';
import type { Clock, Hash, IdSource, Secrets } from '../../application/ports/identity.ts';
import type { Logger, Tracing } from '../../application/ports/logger.ts';

export interface SystemServices {
  Clock: Clock;
  IdSource: IdSource;
  Hash: Hash;
  Secrets: Secrets;
  Logger: Logger;
  Tracing: Tracing;
  EventCodec: EventCodec;
  /** Aborts when the roles are to stop. */
  Stopping: AbortSignal;
}
