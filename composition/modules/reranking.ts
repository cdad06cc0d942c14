import { ContainerModule } from 'inversify';
import { Agent } from 'undici';
import { createReranker } from '../../adapters/reranker/reranker.ts';
import { sleep } from '../../adapters/system/timing.ts';
import { tracedReranker } from '../../adapters/telemetry/traced-providers.ts';
import { createRerankResults } from '../../application/search/rerank-results.ts';
import type { RerankConfig } from '../rerank-config.ts';
import { TOKENS as T } from '../tokens.ts';

const CONNECT_MS = 2_000;

/** A reranker, where one is configured. */
export const rerankingModule = (config: RerankConfig | undefined): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const dispatcher = new Agent({ connect: { timeout: CONNECT_MS }, connections: 8 });
    bind(T.Reranker)
      .toResolvedValue(() =>
        config === undefined
          ? null
          : tracedReranker(createReranker({ dispatcher, sleep, ...config }), config.url),
      )
      .inSingletonScope()
      .onDeactivation(() => dispatcher.destroy());
    bind(T.RerankResults)
      .toResolvedValue(
        (reranker, clock, log) =>
          reranker && createRerankResults({ reranker, clock, log, timeout: (ms) => AbortSignal.timeout(ms) }),
        [T.Reranker, T.Clock, T.Logger],
      )
      .inSingletonScope();
  });
