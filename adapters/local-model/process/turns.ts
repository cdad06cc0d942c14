import type { Tokens } from './tokens.ts';

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
export interface Turns {
  add(request: Request): void;
  drop(id: number): void;
  /** Of at most so many tokens, padding included, but one text at least; null where nothing waits. */
  take(mostTokens: number): Batch | null;
}

export const createTurns = (): Turns => {
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
    take: (mostTokens) => {
      const next = waiting.find(({ request }) => request.urgent) ?? waiting[0];
      if (next === undefined) return null;
      const { request, places } = next;
      const longest = request.tokens[places[0]!]!.ids.length;
      const count = Math.max(1, Math.floor(mostTokens / Math.max(1, longest)));
      next.places = places.slice(count);
      if (next.places.length === 0) waiting.splice(waiting.indexOf(next), 1);
      return { request, places: places.slice(0, count) };
    },
  };
};
