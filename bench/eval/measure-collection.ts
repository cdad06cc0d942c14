import { parseArgs } from 'node:util';
import { EMBEDDINGS_OPTIONS, embedderNamed } from './embeddings.ts';
import { evaluate, RANKINGS } from './evaluate.ts';
import { OPENSEARCH_OPTION } from './outside-engine.ts';
import { EvalUsageError } from './questions.ts';

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
      ...EMBEDDINGS_OPTIONS,
      ...OPENSEARCH_OPTION,
      modes: { type: 'string' },
    },
  });
  const [folder = ''] = positionals;
  await using named = embedderNamed(values);
  const { embedder } = named;
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
  for (const result of await evaluate(folder, rankings, embedder, values.opensearch))
    print(JSON.stringify(result));
};
