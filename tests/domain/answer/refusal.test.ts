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

describe('a word that no passage has', () => {
  const PASSAGE = {
    title: 'Limits',
    text: 'The limit of simultaneous requests is 40. A graceful restart keeps simultaneous requests.',
  };
  const answers = (question: string): string[] =>
    extractiveAnswer(question, [PASSAGE]).map(({ text }) => text);

  it.each([
    'limit of simultanous requests',
    'limit of simultaneos requests',
    'Which limit has gracefull restart?',
  ])('is taken for one that is a letter away: %s', (question) => {
    expect(answers(question)).not.toEqual([]);
  });
});
