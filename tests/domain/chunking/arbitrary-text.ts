import fc from 'fast-check';
import type { TextUnit } from '../../../domain/chunking/chunk.ts';
import { anyCharacter } from '../../support/any-character.ts';

const word = fc.oneof(
  { weight: 12, arbitrary: fc.stringMatching(/^[a-z]{1,12}$/) },
  { weight: 2, arbitrary: fc.stringMatching(/^[가-힣]{1,8}$/) },
  { weight: 2, arbitrary: fc.stringMatching(/^[ぁ-ん一-龥]{1,40}。$/) },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, minLength: 1, maxLength: 12 }) },
  { weight: 1, arbitrary: fc.nat(900).map((length) => 'x'.repeat(length + 1)) },
  { weight: 1, arbitrary: fc.nat(300).map((length) => '👩‍👩‍👧'.repeat(length + 1)) },
);
const separator = fc.constantFrom(
  ' ',
  ' ',
  ' ',
  ' ',
  '. ',
  '. ',
  '\n',
  '\n\n',
  '  \t ',
  '\r\n\r\n\r\n',
  '! ',
  '',
);

/** Prose with paragraphs, scripts without spaces, words beyond every limit, and odd whitespace. */
export const prose = (maxWords: number): fc.Arbitrary<string> =>
  fc
    .array(fc.tuple(word, separator), { maxLength: maxWords })
    .map((parts) => parts.map(([text, gap]) => text + gap).join(''));

const heading = fc.constantFrom('Install', 'Configure', 'Run', 'Limits');

/** Units under a few headings and pages, some adjacent under the same. */
export const units: fc.Arbitrary<TextUnit[]> = fc.array(
  fc.record({
    headingPath: fc.array(heading, { maxLength: 3 }),
    pageNumber: fc.constantFrom(0, 0, 0, 1, 2),
    text: prose(120),
  }),
  { maxLength: 8 },
);

/** Cheap stand-in for a tokenizer: one token per started four bytes of UTF-8. */
export const countQuarters = (text: string): number => Math.ceil(new TextEncoder().encode(text).length / 4);

/** Every character that is not whitespace, in order. */
export const inkOf = (text: string): string => text.replaceAll(/\s+/g, '');
