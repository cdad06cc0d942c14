import { MARK, queryNames, titleNames } from '../../../domain/ranking/names.ts';

/** BM25, names, title and Bo1 feedback once more, as plainly as possible and over all documents: what the statements must agree with. */
export interface ReferenceDocument {
  readonly id: string;
  readonly title: readonly string[];
  readonly text: readonly string[];
}

export const referenceRanking = (
  documents: readonly ReferenceDocument[],
  query: readonly string[],
  allowed: (id: string) => boolean = () => true,
): readonly { readonly id: string; readonly score: number }[] => {
  const full = documents.map(({ id, title, text }) => ({
    id,
    terms: [...title, ...text],
    names: titleNames(title.join(' ')),
  }));
  const titles = documents.map(({ id, title }) => ({ id, terms: title, names: [] }));
  const counts = new Map([...countOf(query), ...queryNames(query.join(' '))]);
  const text = bm25(full, counts);
  const inTitle = bm25(titles, counts);
  const matching = full.filter(({ id }) => allowed(id) && (text.get(id) ?? 0) > 0);
  const byText = order(matching.map(({ id }) => ({ id, score: text.get(id) ?? 0 })));
  const feedback = sharedCounts(full, byText.slice(0, 5), new Set(query).size);
  const widened = bm25(full, widen(counts, feedback, full));
  const scores = full
    .filter(({ id }) => allowed(id) && (widened.get(id) ?? 0) > 0)
    .map(({ id }) => ({
      id,
      base: (text.get(id) ?? 0) + 0.3 * (inTitle.get(id) ?? 0),
      feedback: widened.get(id) ?? 0,
    }));
  const top = (name: 'base' | 'feedback') => Math.max(...scores.map((score) => score[name]));
  return order(
    scores.map(({ id, base, feedback: f }) => ({
      id,
      score: (base / top('base') + f / top('feedback')) / 2,
    })),
  );
};

type Counts = ReadonlyMap<string, number>;
type Field = readonly {
  readonly id: string;
  readonly terms: readonly string[];
  /** They are found as terms are, but do not make it longer. */
  readonly names: readonly string[];
}[];

const countOf = (terms: readonly string[]): Counts => {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
};

/** Of the best, each by what it scores beside the first: not at all for up to four words, in full from six on. */
const sharedCounts = (
  field: Field,
  best: readonly { readonly id: string; readonly score: number }[],
  words: number,
): Counts => {
  const power = Math.max(0, Math.min(1, (words - 4) / 2));
  const counts = new Map<string, number>();
  for (const { id, score } of best)
    for (const term of field.find((of) => of.id === id)?.terms ?? [])
      counts.set(term, (counts.get(term) ?? 0) + (score / (best[0]?.score ?? score)) ** power);
  return counts;
};

const bm25 = (field: Field, query: Counts): Counts => {
  const average =
    Math.max(
      1,
      field.reduce((sum, { terms }) => sum + terms.length, 0),
    ) / field.length;
  return new Map(
    field.map(({ id, terms, names }) => {
      const counts = countOf([...terms, ...names]);
      const weights = [...query].map(([term, weight]) => {
        const tf = counts.get(term) ?? 0;
        const df = field.filter((of) => [...of.terms, ...of.names].includes(term)).length;
        const idf = Math.log(1 + (field.length - df + 0.5) / (df + 0.5));
        return (weight * idf * tf * 2.2) / (tf + 1.2 * (0.25 + (0.75 * terms.length) / average));
      });
      return [id, weights.reduce((sum, weight) => sum + weight, 0)];
    }),
  );
};

const widen = (query: Counts, feedback: Counts, field: Field): Counts => {
  const weights = [...feedback].map(([term, n]) => {
    const cf = field.reduce((sum, { terms }) => sum + terms.filter((other) => other === term).length, 0);
    const p = cf / field.length;
    return { term, weight: n * Math.log2((1 + p) / p) + Math.log2(1 + p) };
  });
  const chosen = weights.toSorted((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1)).slice(0, 20);
  const words = [...query].filter(([term]) => !term.startsWith(MARK));
  const greatest = Math.max(1, ...words.map(([, n]) => n));
  const widened = new Map([...query].map(([term, n]) => [term, n / greatest]));
  for (const { term, weight } of chosen) {
    widened.set(term, (widened.get(term) ?? 0) + weight / (chosen[0]?.weight ?? 1));
  }
  return widened;
};

const order = (scores: readonly { readonly id: string; readonly score: number }[]) =>
  scores.toSorted((a, b) => round(b.score) - round(a.score) || (a.id < b.id ? -1 : 1));

const round = (score: number): number => Math.floor(score * 1e9 + 0.5) / 1e9;
