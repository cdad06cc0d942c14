import { Agent } from 'undici';
import { createCollectorProjection } from '../../adapters/postgres/log-collector/projection.ts';
import { createCheckpointMoves } from '../../adapters/postgres/projections/checkpoint-moves.ts';
import { runProjector } from '../../adapters/postgres/projections/projector.ts';
import { prepareViews } from '../../adapters/postgres/projections/rebuild.ts';
import { sleep } from '../../adapters/system/timing.ts';
import { createOtlpCollector } from '../../adapters/telemetry/otlp-logs.ts';
import { createExported } from '../../application/audit/export-log.ts';
import { programVersion } from '../process.ts';
import { type Given, provide, token } from '../wiring.ts';
import { AUDIT } from './audit.ts';
import { CORE } from './core.ts';
import { REDACTION } from './redaction.ts';

const NEEDS = { core: CORE, redaction: REDACTION, audit: AUDIT };
const CONNECT_MS = 5_000;
const TRY_AGAIN_MS = 5_000;

/** The events as log records for a collector outside of this program. */
const openCollector = ({ core, redaction: { redactTextFor }, audit }: Given<typeof NEEDS>) => {
  const { collector: address, telemetry } = core.config;
  // The operator chooses this address, so a plain agent connects to it.
  const dispatcher = new Agent({ connect: { timeout: CONNECT_MS } });
  const resource = {
    'service.name': telemetry.serviceName ?? 'knowledger',
    'service.version': programVersion(),
  };
  const projection =
    address &&
    createCollectorProjection({
      collector: createOtlpCollector({ ...core, ...address, dispatcher, resource }),
      exported: createExported({ ...audit.proving, redactTextFor }),
      gate: core.viewGate,
    });
  return {
    /** The view that sends them; undefined without a collector. */
    projection,
    /** Part of the role `projector`: runs until `signal` aborts. */
    run: async (signal: AbortSignal): Promise<void> => {
      if (projection === undefined) return;
      const deps = { ...core, moves: createCheckpointMoves(core.db), sleep };
      while (!signal.aborted) {
        try {
          await prepareViews(deps, [projection], signal, () => {});
          await runProjector(deps, projection, signal);
        } catch (error) {
          if (signal.aborted) return;
          core.log.warn('events cannot be sent yet', { error: (error as Error).message });
          await sleep(TRY_AGAIN_MS, signal);
        }
      }
    },
    close: () => dispatcher.destroy(),
  };
};

export const COLLECTOR = token<ReturnType<typeof openCollector>>('collector');
export const collectorModule = provide(COLLECTOR, NEEDS, openCollector);
