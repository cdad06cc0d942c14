import { isTerm } from '../shared/term-sign.ts';
import type { TextAtom } from './text-atoms.ts';

/** A term of a text, or several in a row, with what defines them up to the next one, by atoms. */
export type Definition = {
  readonly start: number;
  /** Where the terms end. */
  readonly body: number;
  /** Of all of it. */
  readonly tokens: number;
};

/** The definitions of a text by the atoms that they begin with. */
export type Definitions = {
  readonly startingAt: (atom: number) => Definition | undefined;
  /** The definition that an atom stands in. */
  readonly around: (atom: number) => Definition | undefined;
};

export function definitionsOf(text: string, atoms: readonly TextAtom[]): Definitions {
  const all = text.includes('¶') ? [...found(text, atoms)] : [];
  const starting = new Map(all.map((one) => [one.start, one]));
  return {
    startingAt: (atom) => starting.get(atom),
    around: (atom) => {
      let [low, high] = [0, all.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (all[middle]!.start <= atom) low = middle + 1;
        else high = middle;
      }
      return all[low - 1];
    },
  };
}

function* found(text: string, atoms: readonly TextAtom[]): Generator<Definition> {
  let open = null as { start: number; body: number; tokens: number } | null;
  let paragraph = 0;
  for (let at = 0; at < atoms.length; at = paragraph) {
    paragraph = at + 1;
    while (paragraph < atoms.length && !text.startsWith('\n\n', atoms[paragraph]!.start)) paragraph += 1;
    const { start, paragraphTokens: tokens } = atoms[at]!;
    if (!isTerm(text.slice(start, atoms[paragraph - 1]!.end))) {
      if (open !== null) open.tokens += tokens;
    } else if (open?.body === at) [open.body, open.tokens] = [paragraph, open.tokens + tokens];
    else {
      if (open !== null) yield open;
      open = { start: at, body: paragraph, tokens };
    }
  }
  if (open !== null) yield open;
}
