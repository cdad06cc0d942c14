import { ContainerModule } from 'inversify';
import { Agent } from 'undici';
import { createReranker } from '../../adapters/reranker/reranker.ts';
import { sleep } from '../../adapters/system/timing.ts';
import { tracedReranker } from '../../adapters/telemetry/traced-providers.ts';
import { createRerankResults } from '../../application/retrieval/rerank-results.ts';
import type { RerankConfig } from '../rerank-config.ts';
import { TOKENS as T } from '../tokens.ts';
import { providing } from '../wiring.ts';

const CONNECT_MS = 2_000;

/** A reranker, where one is configured. */
export const rerankingModule = (config: RerankConfig | undefined): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const dispatcher = new Agent({ connect: { timeout: CONNECT_MS }, connections: 8 });
    const provide = providing(bind);
    provide(
      T.Reranker,
      () =>
        config === undefined
          ? null
          : tracedReranker(createReranker({ dispatcher, sleep, ...config }), config.url),
      {},
    ).onDeactivation(() => dispatcher.destroy());
    provide(
      T.RerankResults,
      ({ reranker, ...deps }) => reranker && createRerankResults({ ...deps, reranker }),
      { reranker: T.Reranker, clock: T.Clock, log: T.Logger },
      { timeout: (ms: number) => AbortSignal.timeout(ms) },
    );
  });
