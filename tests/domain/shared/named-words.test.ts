import { expect, it } from 'vitest';
import { namedWords } from '../../../domain/shared/words.ts';

it.each([
  ['How are zones moved from PowerDNS to BIND?', ['PowerDNS', 'BIND?']],
  ['It hangs.  Where does Mutt look? Under Linux, mostly.', ['Mutt', 'Linux,']],
  ['a question: Can Exim do it', ['Exim']],
  [' Tapes of the shelf', []],
  ['Reel.Tape of it', []],
  ['how are tapes wound', []],
  ['Which Tape Reel Fits', []],
  ['WHICH TAPE', []],
  ['WHICH  TAPE', []],
  ['Tape', []],
  ['', []],
])('words written like names in %j', (text, names) => expect(namedWords(text)).toEqual(names));
