import { ContainerModule } from 'inversify';
import { createIdSource, randomSecrets, sha256, systemClock } from '../../adapters/system/identity.ts';
import { createTracing } from '../../adapters/telemetry/tracing.ts';
import { createEventCodec } from '../../application/event-sourcing/event-codec.ts';
import type { Logger } from '../../application/ports/logger.ts';
import { TOKENS as T } from '../tokens.ts';

/** Time, ids, logs, traces and the event codec. */
export const systemModule = (log: Logger): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(T.Clock).toConstantValue(systemClock);
    bind(T.IdSource).toConstantValue(createIdSource());
    bind(T.Hash).toConstantValue(sha256);
    bind(T.Secrets).toConstantValue(randomSecrets);
    bind(T.EventCodec).toConstantValue(createEventCodec());
    bind(T.Tracing).toConstantValue(createTracing());
    bind(T.Logger).toConstantValue(log);
  });
