import type { Embedders } from '../ports/embedder.ts';
import type { Clock } from '../ports/identity.ts';
import type { Logger } from '../ports/logger.ts';
import type { Coverage, VectorIndex, VectorQuery } from '../ports/vector-index.ts';
import { providerFailure } from '../ports/language-model.ts';

export interface QuestionVectorDeps {
  readonly vectors: Pick<VectorIndex, 'coverage'>;
  readonly embedders: Embedders;
  readonly clock: Clock;
  readonly log: Logger;
  /** Aborts after so many milliseconds. */
  readonly timeout: (ms: number) => AbortSignal;
}

/** The question as a vector; null where search must do without: too little is embedded, or the provider fails. */
export type QuestionVector = (tenant: string, query: string) => Promise<VectorQuery | null>;

/** The wanted model answers from this share of the tenant's contents on; below it, the model that has embedded most. */
const ENOUGH = 0.9;
/** A model that has embedded less does not answer: it would pass over most of what is there. */
const LEAST = 0.5;
/** For a question; a search that waits for longer is worse than one without. */
const QUESTION_MS = 3_000;
/** How long a provider that failed is not asked by searches. */
const REST_MS = 10_000;

export const createQuestionVector = ({
  vectors,
  embedders,
  clock,
  log,
  timeout,
}: QuestionVectorDeps): QuestionVector => {
  const restsUntil = new Map<string, number>();
  return async (tenant, query) => {
    const known = modelFor(await vectors.coverage(tenant), embedders.current.model);
    if (known === null || clock.now() < (restsUntil.get(known.model) ?? 0)) return null;
    const { model, dimensions } = known;
    try {
      const embedder = model === embedders.current.model ? embedders.current : embedders.named(model);
      const [vector] = await embedder.embed([query], 'query', timeout(QUESTION_MS));
      if (vector?.length !== dimensions)
        throw new Error(`it has ${vector?.length ?? 0} dimensions, not ${dimensions}`);
      return { model, vector };
    } catch (error) {
      restsUntil.set(model, clock.now() + REST_MS);
      const failure = { ...providerFailure('embeddings', error), error: (error as Error).message };
      log.warn('searching by words alone: the question has no vector', { model, ...failure });
      return null;
    }
  };
};

/** By whose vectors a tenant's questions are answered. */
export const modelFor = (coverage: readonly Coverage[], wanted: string): Coverage | null => {
  const enough = coverage.find(({ model, share }) => model === wanted && share >= ENOUGH);
  if (enough !== undefined) return enough;
  const most = coverage
    .filter(({ share }) => share >= LEAST)
    .toSorted((a, b) => b.share - a.share || Number(b.model === wanted) - Number(a.model === wanted));
  return most[0] ?? null;
};
