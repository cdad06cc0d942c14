import { describe, expect, it } from 'vitest';
import { createEnglishWords } from '../../../../adapters/system/words/english-words.ts';

describe('words of English', () => {
  const wordsOfEnglish = createEnglishWords();

  it.each(['water', 'strangers', 'passport', 'colour', 'color', 'socket', 'forgot'])(
    '%s is one',
    async (word) => expect((await wordsOfEnglish())(word)).toBe(true),
  );

  it.each(['adress', 'comand', 'comit', 'tabel', 'defualt', 'seperate', 'recieve', 'enviroment', 'the', ''])(
    '%j is none, or too short to be corrected',
    async (word) => expect((await wordsOfEnglish())(word)).toBe(false),
  );
});

it('are read again where reading them failed', async () => {
  let readings = 0;
  const words = createEnglishWords(async () => {
    readings += 1;
    if (readings === 1) throw new Error('too many open files');
    return () => true;
  });
  await expect(words()).rejects.toThrow('too many open files');
  expect((await words())('falcon')).toBe(true);
  await words();
  expect(readings).toBe(2);
});
