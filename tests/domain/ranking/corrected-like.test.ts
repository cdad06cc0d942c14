import { expect, it } from 'vitest';
import { correctedLike } from '../../../domain/ranking/corrected-like.ts';

it.each([
  ['What is a tabelspace?', 'What is a tabelspace?', 'What is a tablespace?', 'What is a tablespace?'],
  ['And vaccum?', 'And vaccum? What of tabels?', 'And vacuum? What of tables?', 'And vacuum?'],
  ['And VACCUM full?', 'And VACCUM full?', 'And vacuum full?', 'And vacuum full?'],
  [
    'Move tabels from PowerDNS?',
    'Move tabels from PowerDNS?',
    'Move tables from powers?',
    'Move tables from PowerDNS?',
  ],
  ['When is Easter?', 'When is Easter?', 'When is easier?', 'When is Easter?'],
  ['Vaccum a Tabel', 'Vaccum a Tabel', 'vacuum a table', 'vacuum a Tabel'],
  ['Vaccum The Tabel', 'Vaccum The Tabel', 'vacuum The table', 'vacuum The table'],
  ['AND vaccum?', 'And vaccum?', 'And vacuum?', 'AND vacuum?'],
  ['東京 tabel', '東京都 tabel', '東京部 table', '東京 table'],
  ['All is well.', 'All is well. And tabels?', 'All is well. And tables?', 'All is well.'],
  ['Two into one', 'Two into one', 'Twointo one', 'Two into one'],
])('%s, of %s, which was searched as %s', (text, query, corrected, expected) =>
  expect(correctedLike(text, query, corrected)).toBe(expected),
);
