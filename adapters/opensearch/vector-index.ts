import type { VectorIndex } from '../../application/ports/search-engine.ts';
import { letThrough, ofTenant, seenBy } from './filters.ts';
import type { Query } from './metadata.ts';
import type { SearchIn } from './searching.ts';
import { type ModelField, modelTerm, readModelTerm, vectorField } from './vector-fields.ts';

/** By the graphs of Lucene, filters within them. */
export const createVectorIndex = (searchIn: SearchIn): VectorIndex => ({
  coverage: async (tenant) => {
    const searching = await searchIn(tenant, undefined);
    if (searching === null) return [];
    const of: Query = { bool: { filter: ofTenant(tenant) } };
    const [{ contents }, counts] = await Promise.all([searching.all(), searching.countValues('models', of)]);
    return [...counts].map(([term, count]) => ({ ...readModelTerm(term), share: count / contents }));
  },
  rank: async (scope, { model, vector, filter, limit, usePostfilter = false }) => {
    const searching = await searchIn(scope.tenant, filter.tags);
    if (searching === null) return NOTHING;
    const field = { model, dimensions: vector.length };
    const others = await searching.countValues('models', { bool: { filter: ofTenant(scope.tenant) } });
    const lengths = [...others.keys()].map(readModelTerm).filter((of) => of.model === model);
    if (lengths.length > 0 && !lengths.some(({ dimensions }) => dimensions === vector.length))
      throw new Error(`vectors of ${model} have ${lengths[0]!.dimensions} dimensions, not ${vector.length}`);
    if (lengths.length === 0 || vector.every((one) => one === 0)) return NOTHING;
    const embedded: Query = { term: { models: modelTerm(field) } };
    const seen = [...seenBy(scope, searching.facts), embedded];
    const shown = [...seen, ...letThrough(filter, searching.facts)];
    const ranked = usePostfilter ? seen : shown;
    const [found, [total = 0], background] = await Promise.all([
      searching.find({
        shown: nearest(field, vector, Math.max(limit, 1), shown),
        ranked: usePostfilter ? nearest(field, vector, 1, seen) : null,
        limit,
      }),
      searching.count([ranked]),
      searching.sample(exactly(field, vector, [...ofTenant(scope.tenant), embedded])),
    ]);
    const best = similarity(found.best);
    const hits = found.hits.slice(0, limit).map(({ contentId, score }) => ({
      contentId,
      score: best > 0 ? Math.min(1, similarity(score) / best) : 0,
    }));
    const mean = background.reduce((sum, score) => sum + similarity(score), 0) / background.length;
    return { ranked: hits, floor: best > 0 ? Math.min(1, mean / best) : 0, totalCandidates: total };
  },
});

const NOTHING = { ranked: [], floor: 0, totalCandidates: 0 };

/** The cosine of a score, which is half of 1 + cosine; negative ones count as 0. */
const similarity = (score: number): number => Math.max(0, 2 * score - 1);

const nearest = (of: ModelField, vector: Float32Array, k: number, filter: readonly Query[]): Query => ({
  knn: { [vectorField(of)]: { vector: [...vector], k, filter: { bool: { filter } } } },
});

const exactly = (of: ModelField, vector: Float32Array, filter: readonly Query[]): Query => ({
  script_score: {
    query: { bool: { filter } },
    script: {
      lang: 'knn',
      source: 'knn_score',
      params: { field: vectorField(of), query_value: [...vector], space_type: 'cosinesimil' },
    },
  },
});
