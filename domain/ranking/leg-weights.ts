import { identifiersOf } from './identifiers.ts';

/** The ways of searching that are fused. */
export type LegName = 'keyword' | 'vector';
/** How much each leg counts beside the others: above 0. */
export type LegWeights = { readonly [name in LegName]: number };

/** Both the same: measured with three models, see docs/research/search-ranking.md. */
export const EVEN: LegWeights = { keyword: 1, vector: 1 };

/**
 * Whoever types nothing but identifiers looks for what bears them, and words find exactly that; vectors find what looks
 * like them. They only say then in which order the rest comes: from 0.2 on they pushed names down, below 0.1 nothing
 * changed.
 */
const FOR_IDENTIFIERS: LegWeights = { ...EVEN, vector: 0.1 };

export const legWeights = (query: string): LegWeights =>
  isNothingButIdentifiers(query) ? FOR_IDENTIFIERS : EVEN;

/** Whether every word that is typed is an identifier: `max_wal_size`, `std::move`, `HTTPServer`. */
export const isNothingButIdentifiers = (query: string): boolean =>
  query
    .trim()
    .split(/\s+/)
    .every((word) => identifiersOf(word).length > 0);
