import type { Expected, Sent, Stored } from './log.ts';

/** What a leader makes of an append. */
export type Verdict =
  /** To be confirmed once it is replicated. */
  | { readonly kind: 'appended'; readonly last: Stored; readonly replicated: Promise<void> }
  /** Confirmed again. `isShown`: reads show its events; else it is confirmed without their position. */
  | { readonly kind: 'repeated'; readonly last: Stored; readonly isShown: boolean }
  /** The first one is not replicated yet: it is dropped without an answer. */
  | { readonly kind: 'dropped' }
  | { readonly kind: 'conflict'; readonly actual: bigint | null }
  | { readonly kind: 'deleted' };

export interface Written {
  readonly recorded: readonly Stored[];
  /** How many of them are shown to anybody. */
  readonly replicated: number;
  readonly isSoftDeleted: boolean;
  readonly shownFrom: bigint;
}

/** Null: it may be written. At an exact revision the ids at its very place decide, else those of the whole stream. */
export const judge = (of: Written, expected: Expected, events: readonly Sent[]): Verdict | null => {
  const { recorded } = of;
  const actual = recorded.at(-1)?.revision ?? null;
  const conflict = { kind: 'conflict', actual } as const;
  if (expected === 'any' || expected === 'streamExists') {
    if (expected === 'streamExists' && actual === null) return conflict;
    const known = events.map(({ id }) => recorded.find((event) => event.id === id));
    if (known.every((event) => event === undefined)) return null;
    return known.every((event) => event !== undefined) ? repeated(of, known) : conflict;
  }
  const after = expected === 'noStream' ? -1n : expected;
  if (after === (actual ?? -1n)) return null;
  if (after > (actual ?? -1n)) return conflict;
  const there = recorded.slice(Number(after) + 1, Number(after) + 1 + events.length);
  const same = there.length === events.length && there.every((event, at) => event.id === events[at]?.id);
  if (same) return repeated(of, there);
  return expected === 'noStream' && of.isSoftDeleted ? null : conflict;
};

const repeated = (of: Written, there: readonly Stored[]): Verdict => {
  const last = there.at(-1)!;
  if (last.revision >= BigInt(of.replicated)) return { kind: 'dropped' };
  return { kind: 'repeated', last, isShown: !of.isSoftDeleted && last.revision >= of.shownFrom };
};
