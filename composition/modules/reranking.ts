import { ContainerModule } from 'inversify';
import { Agent } from 'undici';
import { createReranker } from '../../adapters/models/reranker/reranker.ts';
import { sleep } from '../../adapters/system/timing.ts';
import { tracedReranker } from '../../adapters/telemetry/traced-providers.ts';
import { createRerankResults } from '../../application/search/rerank-results.ts';
import type { Reranker } from '../../application/ports/search-index.ts';
import type { Config } from '../config.ts';
import { type Closable, localReranker } from '../local-models.ts';
import type { RerankServer } from '../rerank-config.ts';
import { TOKENS as T } from '../tokens.ts';
import { providing } from '../wiring.ts';

const CONNECT_MS = 2_000;

/** A reranker, where one is configured. */
export const rerankingModule = (
  config: Pick<Config, 'rerank' | 'dataDir' | 'modelThreads'>,
): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const provide = providing(bind);
    let opened: Closable<Reranker> | null = null;
    provide(
      T.Reranker,
      () => {
        opened = rerankerOf(config);
        return opened?.service ?? null;
      },
      {},
    ).onDeactivation(async () => {
      await opened?.close();
    });
    provide(
      T.RerankResults,
      ({ reranker, ...deps }) => reranker && createRerankResults({ ...deps, reranker }),
      { reranker: T.Reranker, clock: T.Clock, log: T.Logger },
      { timeout: (ms: number) => AbortSignal.timeout(ms) },
    );
  });

const rerankerOf = (config: Parameters<typeof rerankingModule>[0]): Closable<Reranker> | null => {
  const { rerank } = config;
  if (rerank === undefined) return null;
  if (!('local' in rerank)) return ofServer(rerank);
  const { service, close } = localReranker(config, rerank.local);
  return { service: tracedReranker(service), close };
};

const ofServer = (server: RerankServer): Closable<Reranker> => {
  const dispatcher = new Agent({ connect: { timeout: CONNECT_MS }, connections: 8 });
  const service = tracedReranker(createReranker({ dispatcher, sleep, ...server }), server.url);
  return { service, close: () => dispatcher.destroy() };
};
