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
