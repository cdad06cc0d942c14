import { ContainerModule } from 'inversify';
import { Agent } from 'undici';
import { createOpenAiCompatibleEmbedder } from '../../adapters/models/embedding/openai-compatible/embedder.ts';
import { createVectorIndex } from '../../adapters/postgres/vectors/vector-index.ts';
import { createVectorStore } from '../../adapters/postgres/vectors/vector-store.ts';
import { sleep } from '../../adapters/system/timing.ts';
import { measuredEmbedder } from '../../adapters/telemetry/measured-embedder.ts';
import { embedOwed } from '../../application/search/embedding/embed-owed.ts';
import type { Embedder, Embedders } from '../../application/ports/embedder.ts';
import { createQuestionVector } from '../../application/search/question-vector.ts';
import type { Config } from '../config.ts';
import type { EmbeddingsProvider } from '../embeddings-config.ts';
import { type Closable, localEmbedders } from '../local-models.ts';
import { TOKENS as T } from '../tokens.ts';
import { vectorGraphs } from '../vector-graphs.ts';
import { providing } from '../wiring.ts';

const CONNECT_MS = 5_000;

/** Vectors: made by the provider that is configured, if any, kept and searched in the database of the views. */
export const embeddingModule = (
  config: Pick<Config, 'embeddings' | 'dataDir' | 'modelThreads'>,
): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const provide = providing(bind);
    provide(T.VectorGraphs, ({ extensions, log }) => vectorGraphs(extensions, log), {
      extensions: T.Extensions,
      log: T.Logger,
    });
    const kept = { db: T.Db, graphs: T.VectorGraphs } as const;
    provide(T.VectorStore, ({ db, graphs }) => createVectorStore(db, graphs), kept);
    provide(T.VectorIndex, ({ db, graphs }) => createVectorIndex(db, { graphs }), kept);
    let opened: Closable<Embedders> | null = null;
    provide(
      T.Embedders,
      () => {
        opened = embeddersOf(config);
        return opened?.service ?? null;
      },
      {},
    ).onDeactivation(async () => {
      await opened?.close();
    });
    provide(
      T.QuestionVector,
      ({ embedders, ...deps }) => embedders && createQuestionVector({ ...deps, embedders }),
      { embedders: T.Embedders, vectors: T.VectorIndex, clock: T.Clock, log: T.Logger },
      { timeout: (ms: number) => AbortSignal.timeout(ms) },
    );
    provide(
      T.Embedding,
      ({ embedders, leadership, wakeUp, ...deps }) => ({
        name: 'worker',
        run: async (signal) => {
          if (embedders === null) return;
          const embedding = { ...deps, embedder: embedders.current, idle: wakeUp.wait };
          while (!signal.aborted)
            await leadership.lead('embedding', signal, (held) => embedOwed(embedding, held));
        },
      }),
      {
        embedders: T.Embedders,
        store: T.VectorStore,
        hash: T.Hash,
        clock: T.Clock,
        log: T.Logger,
        leadership: T.Leadership,
        wakeUp: T.CatalogWakeUp,
      },
      { sleep },
    );
  });

const embeddersOf = (config: Parameters<typeof embeddingModule>[0]): Closable<Embedders> | null => {
  const { embeddings } = config;
  if (embeddings === undefined) return null;
  return 'local' in embeddings ? ofThisMachine(config, embeddings.local) : ofProvider(embeddings);
};

const ofThisMachine = (
  config: Pick<Config, 'dataDir' | 'modelThreads'>,
  name: string,
): Closable<Embedders> => {
  const { service, close } = localEmbedders(config, name);
  return {
    service: {
      current: measuredEmbedder(service.current),
      named: (label) => measuredEmbedder(service.named(label)),
    },
    close,
  };
};

const ofProvider = ({ url, model, key }: EmbeddingsProvider): Closable<Embedders> => {
  const dispatcher = new Agent({ connect: { timeout: CONNECT_MS }, connections: 8 });
  const named = (of: string): Embedder =>
    measuredEmbedder(createOpenAiCompatibleEmbedder({ dispatcher, url, model: of, key, sleep }));
  return { service: { current: named(model), named }, close: () => dispatcher.destroy() };
};
