import { Unusable } from '../../http-client/ask.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * One number per text, in their order, of `{results: [{index, relevance_score}]}` or `[{index, score}]`, which come in
 * any order.
 *
 * @throws Unusable where a text has none or two
 */
export const numbersOf = (answer: unknown, texts: number): readonly number[] => {
  const results = Array.isArray(answer) ? answer : ((answer ?? {}) as Fields)['results'];
  if (!Array.isArray(results)) throw new Unusable('sent JSON that holds no scores');
  const numbers = Array.from<number | undefined>({ length: texts });
  for (const result of results as readonly unknown[]) {
    const { index, relevance_score: relevanceScore, score = relevanceScore } = (result ?? {}) as Fields;
    const isPlace = typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < texts;
    if (!isPlace || numbers[index] !== undefined || typeof score !== 'number' || !Number.isFinite(score))
      throw new Unusable('sent scores that cannot be told apart');
    numbers[index] = score;
  }
  return numbers.map((number) => {
    if (number === undefined) throw new Unusable(`sent ${results.length} scores for ${texts} texts`);
    return number;
  });
};

/** What arithmetic may put a probability beside 0 and 1. */
const SLACK = 1e-6;

/**
 * Scores from 0 to 1 of what a model answers: probabilities as they are, and logits, which some servers pass on, through
 * the logistic function, which keeps their order. Logits are known by numbers outside of 0 and 1. A model that has
 * answered one is taken to answer logits from then on, so that its scores can be compared from search to search.
 */
export const createScale = (): ((numbers: readonly number[]) => readonly number[]) => {
  let areLogits = false;
  return (numbers) => {
    areLogits ||= numbers.some((number) => number < -SLACK || number > 1 + SLACK);
    return numbers.map((number) =>
      areLogits ? 1 / (1 + Math.exp(-number)) : Math.min(1, Math.max(0, number)),
    );
  };
};
