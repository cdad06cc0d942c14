import { describe, expect, it } from 'vitest';
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
    expect(isRefused('How do I start a program?')).toBe(true);
  });

  it('where what is to be done stands nowhere, and few other terms do', () => {
    expect(isRefused('How do I hoist crates?')).toBe(true);
    expect(isRefused('How do I hoist crates with the winch?')).toBe(true);
    const heading = { title: 'Fish', text: 'Herring barrels' };
    expect(isRefused('How do I hoist herring barrels?', heading)).toBe(true);
  });

  it.each([
    ['How do I create a harbour crane of my own?', 'How do I add a new harbour crane?', false],
    ['Can the crane edit crates?', 'Does the crane support crates?', false],
    ['How do I get a harbour permit without asking?', 'How do I obtain a harbour permit?', false],
    ['How do I create a windmill of my own?', 'How do I build a new windmill?', true],
    ['Can the crane edit harpoons?', 'Does the crane support harpoons?', true],
  ])('as little for one wording as for another: %s', (one, other, refused) => {
    const crane = {
      title: 'Permits for a crane',
      text: 'A permit is needed. A harbour crane is of oak.',
    };
    expect([isRefused(one, crane), isRefused(other, crane)]).toEqual([refused, refused]);
  });

  it('but not where a sentence holds most of the question, and what it lacks is rare in the passages', () => {
    const cranes = 'The crane lifts crates. Crates are lifted by a crane. A crane stands. Crates fall.';
    const quay = { title: 'Quay', text: 'A quay of granite.' };
    expect(isRefused('Which granite cranes lift crates?', { title: 'Cranes', text: cranes }, quay)).toBe(
      false,
    );
  });

  it('where several words of a longer question do, but not where one does', () => {
    expect(isRefused('Which harbour crane lifts frozen herring barrels aboard schooners?')).toBe(true);
    expect(isRefused('Does the harbour crane lift crates quickly?')).toBe(false);
  });

  it('where what is called by name stands nowhere, but not where the same word is no name', () => {
    expect(isRefused('Is a harbour permit granted in Zanzibar?')).toBe(true);
    expect(isRefused('Is a harbour permit granted in zanzibar?')).toBe(false);
  });

  it('where its terms stand apart, each in another passage', () => {
    const apart = ['Crates of pine.', 'A province.', 'Florins.', 'Our hands.'].map((text) => ({
      title: 'Notes',
      text,
    }));
    expect(extractiveAnswer('crates province florins hands', apart)).toEqual([]);
    const together = { title: 'Notes', text: 'Crates of a province for florins in our hands.' };
    expect(extractiveAnswer('crates province florins hands', [together])).not.toEqual([]);
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
    const built = { title: 'History', text: 'The old tower was built on rock. Ann Lee owned a tower.' };
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
    const answer = extractiveAnswer(question, [passage]).map(({ text }) => text);
    expect(answer.join(' ')).toContain(said);
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
