import { COMMON_TERMS } from './common-words.ts';
import type { Asked } from './asked.ts';
import { termsOf } from './terms.ts';

/**
 * Of the neighbouring terms of a question that both are of its subject and no common words, the share that stands next to each other in one of
 * these pieces too, in the same order: 0 to 1. Null where it has no such neighbours, as with a single term.
 *
 * @param pieces the terms of each sentence and of each title, in order
 */
export function neighboursHeld(
  question: string,
  { subject }: Pick<Asked, 'subject'>,
  pieces: readonly (readonly string[])[],
): number | null {
  const asked = termsOf(question);
  const telling = subject.difference(COMMON_TERMS);
  const wanted = new Map<string, Set<string>>();
  let count = 0;
  for (const [i, next] of asked.entries()) {
    const one = asked[i - 1];
    if (one === undefined || one === next || !telling.has(one) || !telling.has(next)) continue;
    const known = wanted.get(one) ?? new Set();
    if (!known.has(next)) count += 1;
    wanted.set(one, known.add(next));
  }
  if (count === 0) return null;
  let held = 0;
  for (const piece of pieces)
    for (let i = 1; i < piece.length && held < count; i += 1)
      if (wanted.get(piece[i - 1]!)?.delete(piece[i]!) === true) held += 1;
  return held / count;
}
