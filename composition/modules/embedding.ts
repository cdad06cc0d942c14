import { ContainerModule } from 'inversify';
import { Agent } from 'undici';
import { createOpenAiCompatibleEmbedder } from '../../adapters/embedding/openai-compatible/embedder.ts';
import { createVectorIndex } from '../../adapters/postgres/vectors/vector-index.ts';
import { createVectorStore } from '../../adapters/postgres/vectors/vector-store.ts';
import { createNudge } from '../../adapters/system/nudge.ts';
import { sleep } from '../../adapters/system/timing.ts';
import { measuredEmbedder } from '../../adapters/telemetry/measured-embedder.ts';
import { embedOwed } from '../../application/embedding/embed-owed.ts';
import type { Embedder, Embedders } from '../../application/ports/embedder.ts';
import { createQuestionVector } from '../../application/search/question-vector.ts';
import type { EmbeddingsConfig } from '../embeddings-config.ts';
import { TOKENS as T } from '../tokens.ts';
import { vectorGraphs } from '../vector-graphs.ts';

const CONNECT_MS = 5_000;

/** Vectors: made by the provider that is configured, if any, kept and searched in the database of the views. */
export const embeddingModule = (config: EmbeddingsConfig | undefined): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(T.VectorGraphs).toResolvedValue(vectorGraphs, [T.Extensions, T.Logger]).inSingletonScope();
    bind(T.VectorStore)
      .toResolvedValue(({ db }, graphs) => createVectorStore(db, graphs), [T.Database, T.VectorGraphs])
      .inSingletonScope();
    bind(T.VectorIndex)
      .toResolvedValue(({ db }, graphs) => createVectorIndex(db, { graphs }), [T.Database, T.VectorGraphs])
      .inSingletonScope();
    bind(T.CatalogNews).toConstantValue(createNudge());
    const dispatcher = new Agent({ connect: { timeout: CONNECT_MS }, connections: 8 });
    bind(T.Embedders)
      .toResolvedValue(() => (config === undefined ? null : embeddersOf(config, dispatcher)))
      .inSingletonScope()
      .onDeactivation(() => dispatcher.destroy());
    bind(T.QuestionVector)
      .toResolvedValue(
        (embedders, vectors, clock, log) =>
          embedders &&
          createQuestionVector({ vectors, embedders, clock, log, timeout: (ms) => AbortSignal.timeout(ms) }),
        [T.Embedders, T.VectorIndex, T.Clock, T.Logger],
      )
      .inSingletonScope();
    bind(T.Embedding).toResolvedValue(
      (embedders, store, hash, clock, log, leadership, news) => ({
        name: 'worker',
        run: async (signal) => {
          if (embedders === null) return;
          const deps = { store, embedder: embedders.current, hash, clock, log, sleep, idle: news.wait };
          while (!signal.aborted) await leadership.lead('embedding', signal, (held) => embedOwed(deps, held));
        },
      }),
      [T.Embedders, T.VectorStore, T.Hash, T.Clock, T.Logger, T.Leadership, T.CatalogNews],
    );
  });

const embeddersOf = ({ url, model, key }: EmbeddingsConfig, dispatcher: Agent): Embedders => {
  const named = (of: string): Embedder =>
    measuredEmbedder(createOpenAiCompatibleEmbedder({ dispatcher, url, model: of, key, sleep }));
  return { current: named(model), named };
};
