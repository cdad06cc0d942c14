import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Agent } from 'undici';
import { createOpenAiCompatibleEmbedder } from '../../adapters/embedding/openai-compatible/embedder.ts';
import type { Embedder } from '../../application/ports/embedder.ts';
import { createHashedEmbedder } from '../../tests/support/embedding/hashed-embedder.ts';
import { evaluate, RANKINGS } from './evaluate.ts';

/** Options that do not fit. The message says what to write instead. */
export class EvalUsageError extends Error {
  override readonly name = 'EvalUsageError';
}

/** A model on the processor may take long for the 96 texts of a request. */
const TIMEOUT_MS = 3_600_000;

/**
 * Measures a test collection and prints a line of JSON for each way of ranking.
 *
 * @throws EvalUsageError
 */
export const measureCollection = async (
  args: readonly string[],
  print: (line: string) => void,
): Promise<void> => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      embeddings: { type: 'string' },
      'embeddings-model': { type: 'string' },
      'hashed-vectors': { type: 'boolean', default: false },
      modes: { type: 'string' },
    },
  });
  const [folder = ''] = positionals;
  const dispatcher = patientDispatcher();
  const embedder = values['hashed-vectors']
    ? createHashedEmbedder('hashed', 384)
    : providerOf(values.embeddings, values['embeddings-model'], dispatcher);
  const names = values.modes?.split(',') ?? [embedder === undefined ? 'keyword' : 'hybrid'];
  const rankings = names.map((name) => {
    const ranking = RANKINGS.find((one) => one === name);
    if (ranking === undefined) throw new EvalUsageError(`--modes: ${name} is none of ${RANKINGS.join(', ')}`);
    if (ranking !== 'keyword' && embedder === undefined)
      throw new EvalUsageError(
        `--modes: ${name} needs vectors: --embeddings and --embeddings-model name a model`,
      );
    return ranking;
  });
  try {
    for (const result of await evaluate(folder, rankings, embedder)) print(JSON.stringify(result));
  } finally {
    await dispatcher.close();
  }
};

/** A model behind OpenAI's interface. */
const embedderAt = (url: string, model: string, dispatcher: Agent): Embedder => {
  const wait = (ms: number, signal: AbortSignal): Promise<void> => sleep(ms, undefined, { signal });
  return createOpenAiCompatibleEmbedder({ dispatcher, url, model, sleep: wait, timeoutMs: TIMEOUT_MS });
};

/** No request of this dispatcher is given up while the model works. */
const patientDispatcher = (): Agent => new Agent({ headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });

const providerOf = (
  url: string | undefined,
  model: string | undefined,
  dispatcher: Agent,
): Embedder | undefined => {
  if (url === undefined && model === undefined) return undefined;
  if (url === undefined || model === undefined)
    throw new EvalUsageError('--embeddings takes the base URL, --embeddings-model the name: give both');
  return embedderAt(url, model, dispatcher);
};
