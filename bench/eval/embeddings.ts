import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { createOpenAiCompatibleEmbedder } from '../../adapters/models/embedding/openai-compatible/embedder.ts';
import type { Embedder } from '../../application/ports/embedder.ts';
import type { VectorQuery } from '../../application/ports/search-engine.ts';
import { EvalUsageError } from './questions.ts';

/** A model on the processor may take long for the 96 texts of a request. */
const TIMEOUT_MS = 3_600_000;

export const EMBEDDINGS_OPTIONS = {
  embeddings: { type: 'string' },
  'embeddings-model': { type: 'string' },
} as const;

/** A model behind OpenAI's interface, and what ends its connections. */
export interface NamedEmbedder extends AsyncDisposable {
  /** Absent where none was named. */
  readonly embedder: Embedder | undefined;
}

/**
 * The model that the options name.
 *
 * @throws EvalUsageError
 */
export const embedderNamed = (values: {
  readonly embeddings?: string | undefined;
  readonly 'embeddings-model'?: string | undefined;
}): NamedEmbedder => {
  const { embeddings: url, 'embeddings-model': model } = values;
  if (url === undefined && model === undefined)
    return { embedder: undefined, [Symbol.asyncDispose]: async () => {} };
  if (url === undefined || model === undefined)
    throw new EvalUsageError('--embeddings takes the base URL, --embeddings-model the name: give both');
  // No request is given up while the model works.
  const dispatcher = new Agent({ headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });
  const wait = (ms: number, signal: AbortSignal): Promise<void> => sleep(ms, undefined, { signal });
  const embedder = createOpenAiCompatibleEmbedder({
    dispatcher,
    url,
    model,
    sleep: wait,
    timeoutMs: TIMEOUT_MS,
  });
  return { embedder, [Symbol.asyncDispose]: () => dispatcher.close() };
};

export const questionVector = async (embedder: Embedder, text: string): Promise<VectorQuery | null> => {
  const [vector] = await embedder.embed([text], 'query', new AbortController().signal);
  return vector === undefined ? null : { model: embedder.model, vector };
};
