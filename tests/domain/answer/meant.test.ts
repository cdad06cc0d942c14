import { describe, expect, it } from 'vitest';
import { askedBy } from '../../../domain/answer/asked.ts';
import { extractiveAnswer } from '../../../domain/answer/extractive-answer.ts';
import { meantBy } from '../../../domain/answer/meant.ts';
import { readText } from '../../../domain/answer/read-text.ts';

const PASSAGE = {
  title: 'Limits',
  text: 'The limit of simultaneous requests is 40. A graceful restart keeps simultaneous requests.',
};
const answers = (question: string): string[] => extractiveAnswer(question, [PASSAGE]).map(({ text }) => text);
const numbered = (count: number): string =>
  Array.from({ length: count }, (_, i) => ` qqqq${'abcdfghk'[i]}${'abcdfghk'[i]}z`).join('');

describe('a word that no passage has', () => {
  it.each([
    'limit of simultanous requests',
    'limit of simultaneos requests',
    'Which limit has gracefull restart?',
  ])('is taken for one that is a letter away: %s', (question) => {
    expect(answers(question)).not.toEqual([]);
  });

  it.each([
    'limit of parallel requests',
    'limit of simulated requests',
    'limit of simultnous rquests beasts',
  ])('is missing where none is as near: %s', (question) => {
    expect(answers(question)).toEqual([]);
  });

  it('is taken for the nearest that most pieces have, in all that it stands for in the question', () => {
    const question = 'Which plugim is it?';
    const asked = askedBy(question);
    const texts = [readText('A plugit. Plugins.'), readText('Another plugin is no plumb.')];
    const { terms, subject, sort } = meantBy(question, asked, asked.subject, texts);
    expect([terms, subject, sort].map((of) => [...of])).toEqual([['plugin'], ['plugin'], ['plugin']]);
  });

  it('is not taken for another word whose stem is near: replication and replacing', () => {
    const question = 'Which replication?';
    const asked = askedBy(question);
    expect(meantBy(question, asked, asked.subject, [readText('Replacing it, replaced it.')])).toBe(asked);
    expect(meantBy(question, asked, asked.subject, [readText('Replacation of it.')])).not.toBe(asked);
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

  it('is left alone where it is short, a name or a number, and the question with it', () => {
    for (const question of ['port', 'max_slotz', '40404']) {
      const asked = askedBy(question);
      const texts = [readText('The fort has max_slots of 40405.')];
      expect(meantBy(question, asked, asked.subject, texts)).toBe(asked);
    }
  });
});
