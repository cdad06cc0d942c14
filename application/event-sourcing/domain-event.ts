import type { AGGREGATES } from './aggregates.ts';

/** Every event that this program writes, in its newest shape. */
export type DomainEvent = ReturnType<(typeof AGGREGATES)[number]['decide']>[number];
