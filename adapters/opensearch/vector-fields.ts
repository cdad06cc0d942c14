import { createHash } from 'node:crypto';
import type { SearchableSource } from '../../application/ports/search-engine.ts';

/** A model and the length of its vectors, as one term. */
export interface ModelField {
  readonly model: string;
  readonly dimensions: number;
}
export const modelTerm = ({ model, dimensions }: ModelField): string => `${dimensions} ${model}`;
export const readModelTerm = (term: string): ModelField => {
  const blank = term.indexOf(' ');
  return { dimensions: Number(term.slice(0, blank)), model: term.slice(blank + 1) };
};

/** Each model has a field of its own, and another one where its vectors have another length. */
const nameOf = (of: ModelField): string =>
  `v${createHash('sha256').update(modelTerm(of)).digest('hex').slice(0, 16)}`;
export const vectorField = (of: ModelField): string => `vectors.${nameOf(of)}`;

type Vectors = ReadonlyMap<string, Float32Array>;
const usable = (vectors: Vectors = new Map()): readonly (readonly [ModelField, Float32Array])[] =>
  [...vectors]
    .filter(([, vector]) => vector.some((one) => one !== 0))
    .map(([model, vector]) => [{ model, dimensions: vector.length }, vector]);

export const vectorFields = (vectors: Vectors | undefined): object => {
  const all = usable(vectors);
  if (all.length === 0) return {};
  return {
    models: all.map(([of]) => modelTerm(of)),
    vectors: Object.fromEntries(all.map(([of, vector]) => [nameOf(of), [...vector]])),
  };
};

/** What the mapping of an index must have before these sources are written. */
export const vectorMapping = (sources: readonly SearchableSource[]): ReadonlyMap<string, object> =>
  new Map(
    sources.flatMap(({ contents }) =>
      contents.flatMap(({ vectors }) =>
        usable(vectors).map(([of]) => [
          nameOf(of),
          {
            type: 'knn_vector',
            dimension: of.dimensions,
            method: { name: 'hnsw', engine: 'lucene', space_type: 'cosinesimil' },
          },
        ]),
      ),
    ),
  );
