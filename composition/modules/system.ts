import { ContainerModule } from 'inversify';
import { createIdSource, randomSecrets, sha256, systemClock } from '../../adapters/system/identity.ts';
import { createTracing } from '../../adapters/telemetry/tracing.ts';
import { createEventCodec } from '../../application/event-codec.ts';
import type { Logger } from '../../application/ports/logger.ts';
import type { Config } from '../config.ts';
import { TOKENS } from '../tokens.ts';

/** Time, ids, logs, traces and the event codec. */
export const systemModule = (config: Config, log: Logger): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(TOKENS.Config).toConstantValue(config);
    bind(TOKENS.Clock).toConstantValue(systemClock);
    bind(TOKENS.IdSource).toConstantValue(createIdSource());
    bind(TOKENS.Hash).toConstantValue(sha256);
    bind(TOKENS.Secrets).toConstantValue(randomSecrets);
    bind(TOKENS.EventCodec).toConstantValue(createEventCodec());
    bind(TOKENS.Tracing).toConstantValue(createTracing());
    bind(TOKENS.Logger).toConstantValue(log);
  });
