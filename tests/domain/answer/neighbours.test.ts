import { describe, expect, it } from 'vitest';
import { neighboursHeld } from '../../../domain/answer/rank-sentences.ts';

const held = (question: string, subject: string, ...pieces: readonly string[]): number | null =>
  neighboursHeld(
    question,
    { subject: new Set(subject.split(' ')) },
    pieces.map((piece) => piece.split(' ')),
  );

describe('of the neighbouring terms of a question', () => {
  it('those count that stand next to each other in a piece, in their order', () => {
    expect(held('herring barrel', 'her barrel', 'old her barrel')).toBe(1);
    expect(held('herring barrel', 'her barrel', 'barrel her')).toBe(0);
    expect(held('herring barrel', 'her barrel', 'her old barrel')).toBe(0);
    expect(held('herring barrel', 'her barrel', 'her', 'barrel')).toBe(0);
    expect(held('herring barrel of oak', 'her barrel oak', 'her barrel', 'her barrel', 'barrel')).toBe(0.5);
    expect(held('herring barrel of oak', 'her barrel oak', 'her barrel oak')).toBe(1);
  });

  it('those count that are of its subject and no common words, each once', () => {
    expect(held('many herring barrel', 'her barrel', 'her barrel')).toBe(1);
    expect(held('herring barrel, herring barrel', 'her barrel', 'her barrel')).toBe(0.5);
    expect(held('new herring barrel', 'new her barrel', 'her barrel')).toBe(1);
    expect(held('new barrel', 'new barrel', 'new barrel')).toBe(null);
    expect(held('herring many barrel', 'her barrel', 'her barrel')).toBe(null);
    expect(held('herring herring', 'her', 'her her')).toBe(null);
    expect(held('herring', 'her', 'her')).toBe(null);
  });
});
