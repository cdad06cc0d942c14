import type { WordTerms } from '../../../application/ports/word-terms.ts';
import type { Sql } from '../sql.ts';
import { createStems } from './stems.ts';

/** By the dictionary that the index is made with; words that were asked for before are remembered. */
export const createWordTerms = (db: Sql): WordTerms => {
  const stems = createStems();
  return (words) => stems(db, words);
};
