import type { Tokens } from './graph.ts';

/** A question that comes while texts are computed waits for about as long. */
const RUN_MS = 400;
const MIN_TOKENS = 64;
/** What is kept of a run at once grows with them: a bound for memory. */
const MAX_TOKENS = 4_096;

/** How many tokens are computed in one run: as many as take about 400 ms, by how long earlier runs took. */
interface Pace {
  readonly tokens: () => number;
  readonly took: (tokens: number, ms: number) => void;
}

export const createPace = (): Pace => {
  let tokens = 512;
  return {
    tokens: () => tokens,
    took: (done, ms) => {
      const aim = (done * RUN_MS) / Math.max(1, ms);
      // Half-way: one run that had to wait for the processor says little.
      tokens = Math.round(Math.min(MAX_TOKENS, Math.max(MIN_TOKENS, (tokens + aim) / 2)));
    },
  };
};

/** Texts that came together. */
export interface Request {
  readonly id: number;
  readonly urgent: boolean;
  readonly tokens: readonly Tokens[];
}

export interface Batch {
  readonly request: Request;
  /** Of the request's texts: alike in length, so that little is padded. */
  readonly places: readonly number[];
}

/** What waits to be computed: urgent requests first, else in the order in which they came. */
export interface Queue {
  add(request: Request): void;
  drop(id: number): void;
  /** Of at most so many tokens, padding included, but one text at least; null where nothing waits. */
  take(maxTokens: number): Batch | null;
}

export const createQueue = (): Queue => {
  /** With the places that are still to be computed, the longest texts first. */
  const waiting: { readonly request: Request; places: readonly number[] }[] = [];
  return {
    add: (request) => {
      const lengthAt = (place: number): number => request.tokens[place]!.ids.length;
      const places = [...request.tokens.keys()].toSorted((a, b) => lengthAt(b) - lengthAt(a));
      waiting.push({ request, places });
    },
    drop: (id) => {
      const at = waiting.findIndex(({ request }) => request.id === id);
      if (at >= 0) waiting.splice(at, 1);
    },
    take: (maxTokens) => {
      const next = waiting.find(({ request }) => request.urgent) ?? waiting[0];
      if (next === undefined) return null;
      const { request, places } = next;
      const longest = request.tokens[places[0]!]!.ids.length;
      const count = Math.max(1, Math.floor(maxTokens / Math.max(1, longest)));
      next.places = places.slice(count);
      if (next.places.length === 0) waiting.splice(waiting.indexOf(next), 1);
      return { request, places: places.slice(0, count) };
    },
  };
};
