import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textPatterns } from '../../../adapters/system/patterns/text-patterns.ts';
import { compileRules, redact } from '../../../application/redaction/redactor.ts';
import { hasLuhnDigit, mod97 } from '../../../domain/redaction/detectors/check-digits.ts';
import { IBAN_STRUCTURES } from '../../../domain/redaction/detectors/iban-structures.ts';
import { RULE_KINDS, type RuleKind } from '../../../domain/redaction/index.ts';
import { NATIONAL_ID } from './corpus/national-id.ts';

const KINDS = RULE_KINDS.filter((kind) => kind !== 'pattern');
const compile = (kinds: readonly RuleKind[]) =>
  compileRules(
    kinds.map((kind) => ({ name: kind, kind })),
    textPatterns,
  );

const ALPHABETS = { n: '0123456789', a: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', c: '0123456789ABCXYZ' };
const filled = (kind: string) => fc.constantFrom(...ALPHABETS[kind as keyof typeof ALPHABETS]);

/** Of every country, with its check digits. */
const ibans = fc
  .constantFrom(...IBAN_STRUCTURES)
  .chain(([country, structure]) =>
    fc.tuple(fc.constant(country), fc.tuple(...Array.from(structure.slice(4), filled))),
  )
  .map(([country, characters]) => {
    const account = characters.join('');
    const check = String(98 - mod97(`${account}${country}00`)).padStart(2, '0');
    return `${country}${check}${account}`;
  });

const cards = fc
  .tuple(fc.constantFrom('4', '51', '2223', '6011'), fc.array(filled('n'), { minLength: 11, maxLength: 11 }))
  .map(([first, digits]) => {
    const number = `${first}${digits.join('')}`.slice(0, 15);
    const check = Array.from('0123456789').find((digit) => hasLuhnDigit(number + digit));
    return number + check;
  })
  .filter((number) => number.length === 16);

const SEPARATORS = ['', ' ', '\u00a0', '-', '.', '/', '_', '  ', '\u2013'];
/** In groups of four, with the same between all of them. */
const grouped = (numbers: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(numbers, fc.constantFrom(...SEPARATORS), fc.boolean()).map(([number, separator, oneBreak]) => {
    const groups = number.match(/.{1,4}/g) as string[];
    if (!oneBreak || separator === '') return groups.join(separator);
    return `${groups.slice(0, 2).join(separator)}\n${groups.slice(2).join(separator)}`;
  });

const ids = fc.constantFrom(...NATIONAL_ID.flatMap((line) => /«([^»]*)»/.exec(line)?.[1] ?? []));
const before = fc.constantFrom('', 'to ', 'call ', 'Tel. ', 'in 2024 ', 'at 12:30 ', 'No. 5 ', 'x,', 'IBAN ');
const after = fc.constantFrom('', '.', ' is it', ', 24 hours', ' (mobile)', '\n');
const subsets = fc.shuffledSubarray([...KINDS], { minLength: 1 });

const inSentence = (numbers: fc.Arbitrary<string>) =>
  fc.tuple(before, numbers, after).map(([front, number, back]) => ({
    text: front + number + back,
    start: front.length,
    end: front.length + number.length,
  }));

const NUMBERS = { iban: grouped(ibans), card: grouped(cards), national_id: ids };

describe('a number that one kind knows', () => {
  for (const [kind, numbers] of Object.entries(NUMBERS)) {
    it(`is never cut by findings of other kinds, whatever the policy looks for: ${kind}`, () => {
      fc.assert(
        fc.property(inSentence(numbers), subsets, ({ text, start, end }, kinds) => {
          for (const found of redact(text, compile(kinds)).findings) {
            if (found.start >= end || found.end <= start) continue;
            expect([text.slice(found.start, found.end), found.start <= start && found.end >= end]).toEqual([
              expect.anything(),
              true,
            ]);
          }
        }),
        { numRuns: 2_000 },
      );
    });

    it(`goes in the name of the longest finding, where the policy looks for all: ${kind}`, () => {
      const all = compile(KINDS);
      fc.assert(
        fc.property(inSentence(numbers), ({ text, start, end }) => {
          const covering = redact(text, all).findings.filter(
            (found) => found.start < end && found.end > start,
          );
          expect(covering).toHaveLength(1);
          const [found] = covering;
          // Ids of two countries, and cards, can be the same figures.
          const exactly = found?.start === start && found.end === end;
          expect(kind !== 'iban' || !exactly || found.kind === kind).toBe(true);
        }),
        { numRuns: 2_000 },
      );
    });
  }

  it.each(['phone', 'card', 'national_id', 'key', 'ip', 'email'] as const)(
    'is left whole by a policy for %s alone: an account number',
    (kind) => {
      for (const account of [
        'DE89 3704 0044 0532 0130 00',
        'BE68 5390 0754 7034',
        'NL91 ABNA 0417 1643 00',
        'GB29 NWBK 6016 1331 9268 19',
        'MT84 MALT 0110 0001 2345 MTLC AST0 01S',
        'FR14 2004 1010 0505 0001 3M02 606',
        'DE89 3704 0044 0532 0130 01',
      ]) {
        expect(redact(`Pay to ${account} now`, compile([kind])).text).toBe(`Pay to ${account} now`);
      }
    },
  );
});
