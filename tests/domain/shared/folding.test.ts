import { expect, it } from 'vitest';
import { folded } from '../../../domain/shared/words.ts';

it.each([
  ['résumé', 'resume'],
  ['straße', 'strasse'],
  ['œuvre', 'oeuvre'],
  ['smørrebrød', 'smorrebrod'],
  ['łódź', 'lodz'],
  ['ёлка', 'елка'],
  ['λόγος', 'λογοσ'],
  ['việt', 'viet'],
  ['æsir', 'aesir'],
  ['đường', 'duong'],
  ['eð', 'ed'],
  ['ħobż', 'hobz'],
  ['ırmak', 'irmak'],
  ['þing', 'thing'],
  ['œuvre æ', 'oeuvre ae'],
  ['йеёй', 'йеей'],
  ['ἄνθρωπος', 'ανθρωποσ'],
  ['مُحَمَّد', 'محمد'],
  ['שָׁלוֹם', 'שלום'],
  ['q̣̇', 'q'],
  ['plain', 'plain'],
])('folds %s to %s', (word, plain) => expect(folded(word)).toBe(plain));

it.each(['мой', 'が', 'パ', 'हिन्दी', 'กำ', '한국'])('leaves %s, where marks make other letters', (word) =>
  expect(folded(word)).toBe(word),
);
