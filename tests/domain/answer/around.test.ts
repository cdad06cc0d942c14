import { describe, expect, it } from 'vitest';
import { withNeighbours } from '../../../domain/answer/belonging.ts';
import { askedBy } from '../../../domain/answer/asked.ts';
import type { RankedSentence, Ranking } from '../../../domain/answer/rank-sentences.ts';

const NONE: ReadonlySet<string> = new Set();
type Given = Partial<RankedSentence> & { readonly text: string };

const rankingOf = (...passages: readonly (readonly Given[])[]): Ranking => {
  const judged = { defines: false, isDefinition: false, isOfKind: false, score: 0, level: 0 };
  const plain = { terms: () => NONE, matched: NONE, section: 0, isStatement: true, ...judged };
  const texts = passages.map((given, passage) =>
    given.map((one, place) => ({ ...plain, passage, place, ...one })),
  );
  return {
    asked: askedBy('relays'),
    sentences: [],
    texts,
    missing: NONE,
    coverage: () => 1,
    neighbours: null,
  };
};
/** With what stands around those that have a level; the one that has 10 is the best. */
const around = (...passages: readonly (readonly Given[])[]): string => {
  const ranking = rankingOf(...passages);
  const chosen = ranking.texts.flat().filter(({ level }) => level > 0);
  const best = chosen.find(({ level }) => level === 10)!;
  return withNeighbours(ranking, best, chosen)
    .map(({ text }) => text)
    .join(' ');
};
const says = (...texts: readonly string[]): Given[] => texts.map((text) => ({ text }));
const BEST = { text: 'Best.', level: 10 };

describe('what stands around the sentences of an answer', () => {
  it('is the one behind and the one before, within the section', () => {
    expect(around([...says('A.', 'B.'), BEST, ...says('C.', 'D.')])).toBe('B. Best. C.');
    const elsewhere = { section: 1 };
    expect(around([...says('A.'), { text: 'B.', ...elsewhere }, { ...BEST, section: 2 }])).toBe('Best.');
    expect(around([...says('A.'), BEST, { text: 'C.', ...elsewhere }])).toBe('A. Best.');
  });

  it('is said of the best sentences, once', () => {
    expect(around([...says('A.', 'B.'), { text: 'Good.', level: 7 }], [BEST])).toBe('B. Good. Best.');
    expect(around([...says('A.', 'B.'), { text: 'Fair.', level: 6.9 }], [BEST])).toBe('Fair. Best.');
    expect(around([BEST, ...says('A.'), { text: 'Good.', level: 8 }])).toBe('Best. A. Good.');
  });

  it('is nothing before a definition', () => {
    expect(around([...says('A.', 'B.'), { ...BEST, isDefinition: true }, ...says('C.')])).toBe('Best. C.');
  });

  it('is no heading, but a line between statements', () => {
    const line = { text: 'relay -q', isStatement: false };
    expect(around([line, BEST])).toBe('Best.');
    expect(around([...says('A.'), line, BEST])).toBe('relay -q Best.');
    expect(around([...says('A.'), BEST, line])).toBe('A. Best. relay -q');
  });

  it('fills an answer to 1,350 characters, with what has 220, the best first', () => {
    const long = (length: number): Given => ({ text: 'x'.repeat(length) });
    expect(around([BEST, long(220)])).toHaveLength(226);
    expect(around([BEST, long(221)])).toBe('Best.');
    const full = { text: 'f'.repeat(1_340), level: 1 };
    expect(around([BEST, ...says('A---.')], [full])).toContain('A---.');
    expect(around([BEST, ...says('A----.')], [full])).not.toContain('A----.');
    expect(around([{ text: 'G', level: 8 }, ...says('A---')], [full], [BEST, ...says('B--.')])).toMatch(
      /^G f+ Best\. B--\.$/,
    );
  });
});
