/** Measures of one ranking, as trec_eval computes them from binary judgements. */
export interface Measures {
  readonly ndcg10: number;
  /** Average precision over the whole ranking. */
  readonly map: number;
  readonly recall100: number;
}

export const measure = (ranking: readonly string[], relevant: ReadonlySet<string>): Measures => {
  const hits = ranking.map((id) => relevant.has(id));
  let found = 0;
  const precisions = hits.map((hit, i) => (hit ? ++found / (i + 1) : 0));
  return {
    ndcg10: gain(hits) / gain(Array.from({ length: relevant.size }, () => true)),
    map: sum(precisions) / relevant.size,
    recall100: hits.slice(0, 100).filter(Boolean).length / relevant.size,
  };
};

const gain = (hits: readonly boolean[]): number =>
  sum(hits.slice(0, 10).map((hit, i) => (hit ? 1 / Math.log2(i + 2) : 0)));

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export const mean = (all: readonly Measures[]): Measures => {
  const of = (name: keyof Measures): number =>
    Number((sum(all.map((one) => one[name])) / all.length).toFixed(4));
  return { ndcg10: of('ndcg10'), map: of('map'), recall100: of('recall100') };
};

export const percentile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1));
};
