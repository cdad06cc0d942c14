import { describe, expect, it } from 'vitest';
import { extractiveAnswer } from '../../../domain/answer/extractive-answer.ts';
import { isAbout } from '../../../domain/answer/is-about.ts';
import { type Ranking, neighboursHeld } from '../../../domain/answer/rank-sentences.ts';
import { evidenceOf } from '../../../domain/answer/evidence.ts';
import { askedBy } from '../../../domain/answer/asked.ts';
import { meantBy } from '../../../domain/answer/meant.ts';
import { readText } from '../../../domain/answer/read-text.ts';

const HARBOUR = {
  title: 'The harbour',
  text: `Each province has several harbours, but only one capital. The harbour was dredged twice over.
A permit for the harbour is granted by the harbour master. The permit costs 40 florins. The crane lifts crates.`,
};
const isRefused = (question: string, ...more: { title: string; text: string }[]): boolean =>
  extractiveAnswer(question, [HARBOUR, ...more]).length === 0;

describe('nothing is answered', () => {
  it('but not where only a word that says nothing goes unsaid', () => {
    expect(isRefused('Is a permit granted to people?')).toBe(false);
    expect(isRefused('Is a permit granted to sailors?')).toBe(true);
    expect(isRefused('How do I start a program?')).toBe(true);
  });

  it('where what is called by name stands nowhere, but not where the same word is no name', () => {
    expect(isRefused('Is a harbour permit granted in Zanzibar?')).toBe(true);
    expect(isRefused('Is a harbour permit granted in zanzibar?')).toBe(false);
  });

  it('where the sentence that names somebody holds little else of what is asked', () => {
    const built = { title: 'History', text: 'The old tower was built on rock. Ann Lee owned a tower.' };
    expect(isRefused('Who built the old tower?', built)).toBe(true);
    const by = { title: 'History', text: 'The old tower was built by Ann Lee.' };
    expect(isRefused('Who built the old tower?', by)).toBe(false);
  });

  it('where a time is asked for and none is told', () => {
    expect(isRefused('When was the harbour dredged?')).toBe(true);
    expect(
      isRefused('When was the harbour dredged?', {
        title: 'History',
        text: 'In 1830 the harbour was dredged.',
      }),
    ).toBe(false);
  });
});

describe('a question in another language', () => {
  const holidays = {
    title: 'Urlaub',
    text: 'Jedem Beschäftigten stehen 30 Urlaubstage im Jahr zu. Ein Antrag auf Urlaub wird im Portal gestellt. Der Abteilungsleiter genehmigt den Antrag.',
  };
  const leave = {
    title: 'Congés',
    text: 'Les demandes de congé se font sur le portail. Le responsable valide la demande sous trois jours.',
  };
  it.each([
    ['Wie viele Urlaubstage habe ich im Jahr?', holidays, '30 Urlaubstage'],
    ['Wie stelle ich einen Antrag auf Urlaub?', holidays, 'im Portal'],
    ['Comment faire une demande de conge ?', leave, 'sur le portail'],
  ])('is not judged by the words that only ask: %s', (question, passage, said) => {
    const answer = extractiveAnswer(question, [passage]).map(({ text }) => text);
    expect(answer.join(' ')).toContain(said);
  });
});

describe('mostly held', () => {
  const setOf = (terms: string): ReadonlySet<string> =>
    new Set(terms.split(' ').filter((term) => term !== ''));
  /** Whether sentences that hold these terms are taken for an answer. */
  const answers = (
    subject: string,
    sentences: readonly string[],
    { missing = '', isEnglish = false } = {},
  ): boolean => {
    const asked = { subject: setOf(subject), kind: 'other', isEnglish };
    const held = sentences.map((terms) => ({ matched: setOf(terms), score: 1 }));
    return isAbout({ asked, missing: setOf(missing), sentences: held } as unknown as Ranking);
  };

  describe('a question in another language is answered', () => {
    it('where one of the best five sentences holds more than half of its terms, of a longer one fewer', () => {
      expect(answers('a b c d', ['a b c'])).toBe(true);
      expect(answers('a b c d', ['a b'])).toBe(false);
      expect(answers('a b', ['z', 'z', 'z', 'z', 'a b'])).toBe(true);
      expect(answers('a b', ['z', 'z', 'z', 'z', 'z', 'a b'])).toBe(false);
      expect(answers('a b c d e f g h', ['a b c'])).toBe(true);
      expect(answers('a b c d e f g h', ['a b'])).toBe(false);
    });

    it('where a third of its terms is missing at most, of two or three one', () => {
      expect(answers('a b c', ['a b'], { missing: 'c' })).toBe(true);
      expect(answers('a b c', ['a b'], { missing: 'b c' })).toBe(false);
      expect(answers('a', ['a'], { missing: 'a' })).toBe(false);
      expect(answers('a b c d e f', ['a b c d'], { missing: 'e f' })).toBe(true);
      expect(answers('a b c d e f', ['a b c d'], { missing: 'd e f' })).toBe(false);
    });
  });

  describe('a question in a script without spaces is answered', () => {
    it('but where a word of it stands nowhere, it is not', () => {
      expect(answers('東京 京都 linux', ['東京 京都'], { missing: 'linux', isEnglish: true })).toBe(false);
      expect(answers('東京 京都 linux', ['東京 京都'], { isEnglish: true })).toBe(true);
    });
  });
});

describe('evidence', () => {
  const setOf = (terms: string): ReadonlySet<string> =>
    new Set(terms.split(' ').filter((term) => term !== ''));
  interface Held {
    readonly terms: string;
    readonly isOfKind?: boolean;
    readonly score?: number;
  }
  /** Of passages with one sentence each that hold these terms, and of their sentences, the best first. */
  const found = (
    subject: string,
    passages: readonly string[],
    sentences: readonly Held[] = passages.map((terms) => ({ terms })),
    { kind = 'other', neighbours = null as number | null, sort = '', missing = '', called = '' } = {},
  ): Ranking =>
    ({
      asked: { subject: setOf(subject), sort: setOf(sort), called: setOf(called), kind, isEnglish: true },
      missing: setOf(missing),
      texts: passages.map((terms) => [{ matched: setOf(terms) }]),
      sentences: sentences.map(({ terms, ...more }) => ({
        passage: 0,
        matched: setOf(terms),
        score: 1,
        isOfKind: true,
        ...more,
      })),
      neighbours,
    }) as unknown as Ranking;

  describe('evidence that passages answer a question', () => {
    it('is what the five passages hold that hold most', () => {
      expect(evidenceOf(found('tape reel', ['tape', 'tape reel'])).passages).toBe(0.75);
      const many = ['tape', 'tape reel', 'tape reel', 'tape reel', 'tape reel', 'tape reel', ''];
      expect(evidenceOf(found('tape reel', many)).passages).toBe(1);
    });

    it('is less where no sentence holds all names, or the passage of the best lacks one', () => {
      const lack = (passages: readonly string[], best: string, other: string, called = 'reel crate') =>
        evidenceOf(found('tape reel crate', passages, [{ terms: best }, { terms: other }], { called }))
          .lackOfNames;
      expect(lack(['reel crate', ''], 'tape', 'reel crate')).toBe(0);
      expect(lack(['reel', 'reel crate'], 'tape', 'reel crate')).toBe(0.5);
      expect(lack(['reel crate', ''], 'reel', 'crate')).toBe(0.5);
      expect(lack(['reel', 'crate'], 'reel', 'crate')).toBe(1);
      expect(lack(['', ''], 'tape', 'tape', '')).toBe(0);
    });

    it('is less where a word is in no text at all, and half as much where it is a common one', () => {
      const lack = (...unwritten: readonly (readonly [word: string, isOfLanguage: boolean])[]) =>
        evidenceOf(
          found('tape reel crat', ['tape'], undefined, { missing: 'reel crat' }),
          unwritten.map(([word, isOfLanguage]) => ({ word, isOfLanguage })),
        ).lackOfWords;
      expect([lack(), lack(['crates', true]), lack(['crates', false])]).toEqual([0, 0.5, 1]);
      expect(lack(['reels', false], ['crates', true])).toBe(1);
      // Found on the web, beside the question, or a stop word.
      expect([lack(['tapes', false]), lack(['boxes', false]), lack(['of', true])]).toEqual([0, 0, 0]);
    });
  });

  describe('passages are taken for an answer', () => {
    const isTaken = (
      passages: readonly string[],
      best: Held,
      neighbours: number | null = null,
      kind = 'other',
    ) => isAbout(found('tape reel crate', passages, [best], { neighbours, kind }));
    const [all, two, one] = ['tape reel crate', 'tape reel', 'tape'];

    it('by all evidence together, none of which decides alone', () => {
      expect(isTaken([all, all], { terms: all, score: 2 })).toBe(true);
      expect(isTaken([two, two], { terms: two, score: 4 }, 1)).toBe(true);
      expect(isTaken([two, two], { terms: two, score: 1.5 }, 1)).toBe(true);
      expect(isTaken([two, two], { terms: two, score: 1.5 }, 0)).toBe(false);
      expect(isTaken([two, two], { terms: two, score: 0.5 }, 1)).toBe(false);
      expect(isTaken([one, one], { terms: two, score: 1.5 }, 1)).toBe(false);
      expect(isTaken([one, one], { terms: all, score: 4 }, 1)).toBe(true);
      expect(isTaken([all, all], { terms: one, score: 0.5 })).toBe(false);
    });
  });
});

describe('a word that no passage has', () => {
  const PASSAGE = {
    title: 'Limits',
    text: 'The limit of simultaneous requests is 40. A graceful restart keeps simultaneous requests.',
  };
  const answers = (question: string): string[] =>
    extractiveAnswer(question, [PASSAGE]).map(({ text }) => text);
  const numbered = (count: number): string =>
    Array.from({ length: count }, (_, i) => ` qqqq${'abcdfghk'[i]}${'abcdfghk'[i]}z`).join('');

  it.each([
    'limit of simultanous requests',
    'limit of simultaneos requests',
    'Which limit has gracefull restart?',
  ])('is taken for one that is a letter away: %s', (question) => {
    expect(answers(question)).not.toEqual([]);
  });

  it('is taken for a near word whose stem is not: instal and install', () => {
    const question = 'Where to instal it?';
    const asked = askedBy(question);
    const { subject } = meantBy(question, asked, asked.subject, [readText('Install it there.')]);
    expect([...subject]).toEqual(['install']);
  });

  it('is left alone where eight more are missing, as the question is about something else', () => {
    const texts = [readText('A plugin.')];
    for (const [others, isMeant] of [
      [7, true],
      [8, false],
    ] as const) {
      const question = `plugim${numbered(others)}`;
      const asked = askedBy(question);
      expect(asked.subject.size).toBe(others + 1);
      expect(meantBy(question, asked, asked.subject, texts) !== asked).toBe(isMeant);
    }
  });
});

const held = (question: string, subject: string, ...pieces: readonly string[]): number | null =>
  neighboursHeld(
    question,
    { subject: new Set(subject.split(' ')) },
    pieces.map((piece) => piece.split(' ')),
  );

describe('of the neighbouring terms of a question', () => {
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
