import { describe, expect, it } from 'vitest';
import { isAbout } from '../../../domain/answer/is-about.ts';
import type { Ranking } from '../../../domain/answer/rank-sentences.ts';
import { extractiveAnswer } from '../../../domain/answer/extractive-answer.ts';

const HARBOUR = {
  title: 'The harbour',
  text: `Each province has several harbours, but only one capital. The harbour was dredged twice over.
A permit for the harbour is granted by the harbour master. The permit costs 40 florins. The crane lifts crates.`,
};
const isRefused = (question: string, ...more: { title: string; text: string }[]): boolean =>
  extractiveAnswer(question, [HARBOUR, ...more]).length === 0;

describe('nothing is answered', () => {
  it('where a word of a short question stands in none of the passages', () => {
    expect(isRefused('What is the capital of Australia?')).toBe(true);
    expect(isRefused('What is the capital of each province?')).toBe(false);
  });

  it('but not where only the sort of thing that is asked for goes unsaid', () => {
    expect(isRefused('Which machine lifts crates?')).toBe(false);
    expect(isRefused('Which machine lifts harpoons?')).toBe(true);
  });

  it('but not where only a word that says nothing goes unsaid', () => {
    expect(isRefused('Is a permit granted to people?')).toBe(false);
    expect(isRefused('Is a permit granted to sailors?')).toBe(true);
    expect(isRefused('Is a permit granted for programming?')).toBe(true);
    expect(isRefused('How do I start a program?')).toBe(true);
  });

  it('but not where a statement about two things tells in other words what to do with them', () => {
    expect(isRefused('How do I hoist crates with the crane?')).toBe(false);
    expect(isRefused('How do I hoist crates?')).toBe(true);
    expect(isRefused('How do I hoist crates with the winch?')).toBe(true);
    const heading = { title: 'Fish', text: 'Herring barrels' };
    expect(isRefused('How do I hoist herring barrels?', heading)).toBe(true);
  });

  it('but not where a sentence holds most of the question, and what it lacks is rare in the passages', () => {
    const cranes = 'The crane lifts crates. Crates are lifted by a crane. A crane stands. Crates fall.';
    const quay = { title: 'Quay', text: 'A quay of granite.' };
    expect(isRefused('Which granite cranes lift crates?', { title: 'Cranes', text: cranes }, quay)).toBe(
      false,
    );
  });

  it('where several words of a longer question do, but not where one does', () => {
    expect(isRefused('Which harbour crane lifts frozen herring barrels?')).toBe(true);
    expect(isRefused('Does the harbour crane lift crates quickly?')).toBe(false);
  });

  it('where no sentence holds most of the question, though all together do', () => {
    const scattered = {
      title: 'Notes',
      text: 'Crates of a province. Florins in our hands.',
    };
    expect(extractiveAnswer('crates province florins hands', [scattered])).toEqual([]);
  });

  it('where somebody is asked for and nobody is named', () => {
    expect(isRefused('Who dredged the harbour?')).toBe(true);
    expect(
      isRefused('Who dredged the harbour?', {
        title: 'History',
        text: 'The harbour was dredged by Ann Lee.',
      }),
    ).toBe(false);
  });

  it('where the sentence that names somebody holds little else of what is asked', () => {
    const built = { title: 'History', text: 'The old keep was built on rock. Ann Lee owned a tower.' };
    expect(isRefused('Who built the old tower?', built)).toBe(true);
    const by = { title: 'History', text: 'The old tower was built by Ann Lee.' };
    expect(isRefused('Who built the old tower?', by)).toBe(false);
  });

  it('but a default and a difference may be told in other words, where all else stands together', () => {
    const crane = {
      title: 'Crane',
      text: 'If no crew is given, the crane takes as many hands as there are. A crane barge floats, a crane truck drives.',
    };
    expect(isRefused('How many hands does the crane take by default?', crane)).toBe(false);
    expect(isRefused('What is the difference between a barge and a truck?', crane)).toBe(false);
    expect(isRefused('What is the difference between a barge and a ferry?', crane)).toBe(true);
  });

  it('but how something is done may be told without a number, whatever else the question speaks of', () =>
    expect(
      isRefused('How do I raise the size of the crane?', {
        title: 'Crane',
        text: 'The size of the crane is raised by a longer boom.',
      }),
    ).toBe(false));

  it('where a time is asked for and none is told', () => {
    expect(isRefused('When was the harbour dredged?')).toBe(true);
    expect(
      isRefused('When was the harbour dredged?', {
        title: 'History',
        text: 'In 1830 the harbour was dredged.',
      }),
    ).toBe(false);
  });

  it('but a place may be told in any words', () =>
    expect(
      isRefused('Where is the dredger kept?', { title: 'Dredger', text: 'The dredger is kept on a slip.' }),
    ).toBe(false));

  it('where a number is asked for and none is told', () => {
    expect(isRefused('How many crates does the crane lift?')).toBe(true);
    expect(
      isRefused('How many crates does the crane lift?', {
        title: 'Crane',
        text: 'The crane lifts twelve crates.',
      }),
    ).toBe(false);
  });
});

describe('how something is done', () => {
  const yard = {
    title: 'The yard',
    text: 'A hoist crane lifts barrels of herring. Paint needs two days.',
  };
  const rope = { title: 'Ropes', text: 'A barrel is tied by ropes. Ropes are tarred.' };
  const question = 'How do I hoist barrels with painted ropes?';

  it('is not told by passages that each have another of its words', () => {
    const others = ['Ropes are sold.', 'Barrels leak.', 'Paint dries.'].map((text) => ({
      title: 'Notes',
      text,
    }));
    expect(extractiveAnswer(question, [yard, rope])).not.toEqual([]);
    expect(extractiveAnswer(question, [yard, rope, ...others])).toEqual([]);
  });

  it('is, by one sentence that has all of them, whatever the others say', () => {
    const all = { title: 'Hoists', text: 'Barrels are hoisted with painted ropes.' };
    const others = ['Rain.', 'Snow.', 'Hail.', 'Fog.'].map((text) => ({ title: 'Barrels', text }));
    expect(extractiveAnswer(question, [all, ...others])).not.toEqual([]);
  });

  it('is by passages about a name, however few', () => {
    const named = { title: 'Settings', text: 'Use hoist_rope to lift heavy barrels.' };
    const others = ['Rain.', 'Snow.', 'Hail.', 'Fog.'].map((text) => ({ title: 'Weather', text }));
    expect(
      extractiveAnswer('How do I lift heavy barrels with hoist_rope in storms?', [named, ...others]),
    ).not.toEqual([]);
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
    expect(extractiveAnswer(question, [passage]).map(({ text }) => text)[0]).toContain(said);
  });

  it.each([
    ['Was ist die Hauptstadt von Australien?', holidays],
    ['Wie viele Monde hat der Jupiter?', holidays],
    ['Quelle est la capitale de l’Australie ?', leave],
  ])('is refused where nothing of its subject is there: %s', (question, passage) => {
    expect(extractiveAnswer(question, [passage])).toEqual([]);
  });
});

describe('a long question', () => {
  const flow = {
    title: 'Heat in slip flow',
    text: 'Heat transfer to a flat plate was computed for slip flow. The plate moves at low density. Results agree with tests in a tunnel.',
  };

  it('is answered though nobody says all of it in one sentence, and some of it nowhere', () => {
    const question =
      'Which theoretical results exist on heat transfer to a flat plate in slip flow at low density, and do they agree with tunnel measurements?';
    expect(extractiveAnswer(question, [flow])).not.toEqual([]);
  });

  it('is refused where most of it is nowhere', () => {
    const question =
      'Which theoretical results exist on the settlement of coastal villages by fishing families, and do they agree with records of the church at low tide?';
    expect(extractiveAnswer(question, [flow])).toEqual([]);
  });
});

type Held = readonly [terms: string, isOfKind?: boolean];
/** Whether sentences that hold these terms answer a question of weighed terms: `tape:0.4 reel:0.6`. */
const answers = (
  subject: string,
  sentences: readonly Held[],
  { missing = '', sort = '', vague = '', deed = '', kind = 'other', isEnglish = true } = {},
): boolean => {
  const setOf = (terms: string) => new Set(terms.split(' ').filter((term) => term !== ''));
  const weights = new Map(
    subject.split(' ').map((term): [string, number] => {
      const [name, weight] = term.split(':');
      return [name!, Number(weight ?? 1)];
    }),
  );
  const words = { sort: setOf(sort), vague: setOf(vague), deed: setOf(deed) };
  const asked = { subject: new Set(weights.keys()), ...words, kind, isEnglish };
  const whole = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  return isAbout({
    asked,
    missing: setOf(missing),
    sentences: sentences.map(([terms, isOfKind = true]) => ({ matched: setOf(terms), isOfKind })),
    coverage: (terms: ReadonlySet<string>) =>
      [...terms].reduce((sum, term) => sum + (weights.get(term) ?? 0), 0) / whole,
  } as unknown as Ranking);
};

describe('sentences are about a question', () => {
  it('where one of the best five holds half of what it weighs, and more than half of its terms', () => {
    expect(answers('a:2 b:1 c:1 d:4', [['a b c']])).toBe(true);
    expect(answers('a:2 b:1 c:0.9 d:4', [['a b c']])).toBe(false);
    expect(answers('a b c d', [['a b']])).toBe(false);
    expect(answers('a b', [['z'], ['z'], ['z'], ['z'], ['a b']])).toBe(true);
    expect(answers('a b', [['z'], ['z'], ['z'], ['z'], ['z'], ['a b']])).toBe(false);
    expect(answers('a b c d e f g h', [['a b c']])).toBe(true);
    expect(answers('a b c d e f g h', [['a b']])).toBe(false);
  });

  it('where a third of more than three terms is missing at most, and none of fewer', () => {
    expect(answers('a b c', [['a b']], { missing: 'c' })).toBe(false);
    expect(answers('a b c', [['a b']], { missing: 'c', isEnglish: false })).toBe(true);
    expect(answers('a', [['a']], { missing: 'a', isEnglish: false })).toBe(false);
    expect(answers('a b c d', [['a b c']], { missing: 'd' })).toBe(true);
    expect(answers('a b c d e f', [['a b c d']], { missing: 'e f' })).toBe(true);
    expect(answers('a b c d e f', [['a b c']], { missing: 'd e f' })).toBe(false);
    expect(answers('a b c', [['a b']], { missing: 'c', sort: 'c' })).toBe(true);
    expect(answers('a', [['a']], { missing: 'a', sort: 'a' })).toBe(false);
    expect(answers('a b c', [['a b']], { missing: 'c', vague: 'c' })).toBe(true);
  });

  it('where one of the kind that is asked for holds enough of it', () => {
    const near = (kind: string, weight: number) =>
      answers(`a:${weight} b:${10 - weight}`, [['a b', false], ['a']], { kind });
    expect(['number', 'person', 'time'].map((kind) => near(kind, 5))).toEqual([true, false, false]);
    expect(['number', 'person', 'time'].map((kind) => near(kind, 6))).toEqual([true, true, true]);
    expect([near('number', 3), near('number', 2.9)]).toEqual([true, false]);
  });

  it('where a default or a difference goes unsaid, and all else stands together', () => {
    const unsaid = (subject: string, terms: string, kind: string, missing = '') =>
      answers(subject, [[terms, false]], { kind, missing });
    expect(['default', 'difference', 'number'].map((kind) => unsaid('a b', 'a b', kind))).toEqual([
      true,
      true,
      false,
    ]);
    expect(unsaid('a', 'a', 'default')).toBe(false);
    expect(unsaid('a:9 b:9 c:1', 'a b', 'default')).toBe(false);
    expect(unsaid('a b c d', 'a b c', 'default', 'd')).toBe(false);
  });

  it('in scripts without spaces where they hold a third, as pairs of characters only join words', () => {
    expect(answers('東京:3 京都:3 都市:4', [['東京']])).toBe(true);
    expect(answers('東京:2.9 京都:3 都市:4.1', [['東京']])).toBe(false);
    expect(answers('東京:3 京都:3 a:4 b:4', [['東京']])).toBe(false);
    expect(answers('東京 京都 都市', [['東京 京都']], { missing: '都市' })).toBe(true);
  });
});
