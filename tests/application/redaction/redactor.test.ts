import { textPatterns } from '../../../adapters/system/patterns/text-patterns.ts';
import { compileRules, patternDetector, redact } from '../../../application/redaction/redactor.ts';
import { createStreamRedactor } from '../../../application/redaction/stream-redactor.ts';
import { hasLuhnDigit, mod97 } from '../../../domain/redaction/detectors/detector.ts';
import { IBAN_STRUCTURES } from '../../../domain/redaction/detectors/iban.ts';
import { RULE_KINDS, type RedactionRule, type RuleKind } from '../../../domain/redaction/index.ts';
import { NATIONAL_ID } from './corpus.ts';
import { freeRuleSets, ruleSets, texts } from './text-arbitrary.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const email = { name: 'email', kind: 'email' } as const;

const card = { name: 'card', kind: 'card', replacement: '••••' } as const;

/** Nothing that anybody sees stands between them but what may stand between the groups of a number. */
const isBeside = (text: string, replacement: string, start: number, end: number): boolean =>
  visible(text.slice(0, start)).replace(JOINT_AT_END, '').endsWith(replacement) ||
  visible(text.slice(end)).replace(JOINT_AT_START, '').startsWith(replacement) ||
  visible(text.slice(0, start)).endsWith(replacement) ||
  visible(text.slice(end)).startsWith(replacement);

const JOINT_AT_END = /[ \u00a0\u2009\u202f.()/-]{1,2}$/;

const JOINT_AT_START = /^[ \u00a0\u2009\u202f.()/-]{1,2}/;

const visible = (text: string): string => text.replaceAll(/[\u00AD\u200B-\u200D\u2060\uFEFF]/g, '');

describe('redactor', () => {
  const compile = (...rules: RedactionRule[]) => compileRules(rules, textPatterns);

  describe('redacting', () => {
    it('puts the name of the rule, or its replacement, where something was found', () => {
      const text = 'Ask jane@example.org, who paid with 4111 1111 1111 1111.';
      expect(redact(text, compile(email, card))).toEqual({
        text: 'Ask [email], who paid with ••••.',
        findings: [
          { rule: 'email', kind: 'email', start: 4, end: 20 },
          { rule: 'card', kind: 'card', start: 36, end: 55 },
        ],
      });
    });

    it('covers all that overlapping matches cover, in the name of the longest', () => {
      const account = { name: 'account', kind: 'pattern', pattern: 'account: \\S+' } as const;
      const tail = { name: 'tail', kind: 'pattern', pattern: 'org\\b and' } as const;
      const found = redact('account: jane@example.org and', compile(email, account, tail));
      expect(found.text).toBe('[account]');
      expect(found.findings).toEqual([{ rule: 'account', kind: 'pattern', start: 0, end: 29 }]);
    });

    it('looks for a kind once, however many rules name it, and for each pattern', () => {
      const rules = compile(
        email,
        { ...email, name: 'mail', replacement: '•' },
        card,
        { name: 'x', kind: 'pattern', pattern: 'x' },
        { name: 'y', kind: 'pattern', pattern: 'y' },
      );
      expect([...new Set(rules.rules.map(({ name }) => name))]).toEqual(['email', 'card', 'x', 'y']);
      expect(redact('jo@example.com • xy', rules).text).toBe('[email] • [x][y]');
    });

    it('takes nothing for a match that its own replacement has put there', () => {
      const all = compile({ name: 'x', kind: 'pattern', pattern: '[^a]' });
      expect(redact('[x]a', all).text).toBe('[x]a');
    });

    it.each([
      ['to dora＠example.org.', 'to [email].'],
      ['to dora﹫example．org.', 'to [email].'],
      ['to do\u00ADra@ex\u200Bam\u200C\u200Dple\u2060.\uFEFForg.', 'to [email].'],
      ['to \u200Bdora@example.org\u200B.', 'to \u200B[email]\u200B.'],
      ['dora@example.org\u200B2024', '[email]\u200B2024'],
      [`dora${'\u200B'.repeat(5)}@example.org`, `dora${'\u200B'.repeat(5)}@example.org`],
      ['with 4111 11\u00AD11 1111 1111 or ４１１１－１１１１－１１１１－１１１１', 'with •••• or ••••'],
      ['paid ４１１１１１１１１１１１１１１１\u200B2024', 'paid ••••\u200B2024'],
      ['no＠where, soft\u00ADhyphen', 'no＠where, soft\u00ADhyphen'],
    ])('finds what only looks like it, and takes all of it: %j', (text, expected) => {
      expect(redact(text, compile(email, card)).text).toBe(expected);
    });

    it('takes one of two that nothing visible separates for what it is, whatever form the other has', () => {
      const id = compile({ name: 'id', kind: 'national_id' });
      expect(redact('１２３-45-6789\u200B86 095 742 719', id).text).toBe('[id]\u200B[id]');
      const doubtful = '12\u200B3-45-6789\u200B';
      const once = redact(`${doubtful}86 095 742 719`, id).text;
      expect(once).toBe(`${doubtful}[id]`);
      expect(redact(once, id).text).toBe('[id]\u200B[id]');
    });

    it('tells where it was in the text as it is', () => {
      const text = 'a\u00AD b\u200B@c.io\u00AD d＠e.io';
      expect(redact(text, compile(email)).findings.map(({ start, end }) => text.slice(start, end))).toEqual([
        'b\u200B@c.io',
        'd＠e.io',
      ]);
    });

    it('finds nothing more when it is done twice, but for what a replacement now separates', () => {
      fc.assert(
        fc.property(texts, freeRuleSets, (text, rules) => {
          const compiled = compile(...rules);
          const once = redact(text, compiled).text;
          const { text: twice, findings } = redact(once, compiled);
          expect(twice === once).toBe(findings.length === 0);
          for (const { start, end } of findings) {
            expect(compiled.rules.some(({ replacement }) => isBeside(once, replacement, start, end))).toBe(
              true,
            );
          }
        }),
        { numRuns: 1_000 },
      );
    });

    it('says in its findings what it has done', () => {
      fc.assert(
        fc.property(texts, ruleSets, (text, rules) => {
          const compiled = compile(...rules);
          const { text: redacted, findings } = redact(text, compiled);
          let rebuilt = '';
          let done = 0;
          for (const { rule, start, end } of findings) {
            expect(start).toBeGreaterThanOrEqual(done);
            expect(end).toBeGreaterThan(start);
            rebuilt +=
              text.slice(done, start) + compiled.rules.find(({ name }) => name === rule)?.replacement;
            done = end;
          }
          expect(rebuilt + text.slice(done)).toBe(redacted);
        }),
        { numRuns: 300 },
      );
    });
  });

  describe('redacting a stream', () => {
    const streamed = (deltas: readonly string[], ...rules: RedactionRule[]): string[] => {
      const stream = createStreamRedactor(compile(...rules));
      return [...deltas.map(stream.push), stream.flush()];
    };

    it('answers what redacting the whole answers, however the text is cut', () => {
      fc.assert(
        fc.property(texts, ruleSets, fc.infiniteStream(fc.nat({ max: 12 })), (text, rules, sizes) => {
          const deltas: string[] = [];
          for (let at = 0; at < text.length;) {
            const size = sizes.next().value as number;
            deltas.push(text.slice(at, at + size));
            at += size;
          }
          const compiled = compile(...rules);
          expect(streamed(deltas, ...rules).join('')).toBe(redact(text, compiled).text);
        }),
        { numRuns: 1_000 },
      );
    });

    it('does not let a long block through that comes a character at a time', () => {
      const block = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n'.repeat(30)}-----END PRIVATE KEY-----`;
      const shown = streamed([...`a ${block} b`], { name: 'key', kind: 'key' });
      expect(shown.join('')).toBe('a [key] b');
      expect(shown.slice(2, block.length).join('')).toBe('');
    });

    it('shows whole characters only, wherever a pair of surrogates is cut', () => {
      const shown = streamed(
        [...'a😀b 😀'].flatMap((one) => one.split('')),
        email,
        card,
      );
      expect(shown.join('')).toBe('a😀b 😀');
      expect(shown.filter((piece) => !piece.isWellFormed())).toEqual([]);
    });

    it('decides what no detector would ever decide, before it grows without bound', () => {
      const never = { find: () => [], settledUpTo: () => 0 };
      const rule = { name: 'x', kind: 'key', replacement: '[x]', detector: never, isFolded: false } as const;
      const stream = createStreamRedactor({ rules: [rule], replacements: compile(email).replacements });
      const shown = Array.from({ length: 30 }, () => stream.push('a'.repeat(1_000)).length);
      expect(shown.slice(0, 18).reduce((sum, n) => sum + n)).toBe(0);
      expect(shown.reduce((sum, n) => sum + n)).toBeGreaterThan(18_000);
    });

    it('holds a bounded part of a text that never comes to an end', () => {
      const stream = createStreamRedactor(compile({ name: 'key', kind: 'key' }, email));
      let [given, shown] = [0, 0];
      for (let i = 0; i < 60; i += 1) {
        given += 1_000;
        shown += stream.push('a'.repeat(1_000)).length;
        expect(given - shown).toBeLessThan(20_000);
      }
    });
  });
});

const detectorOf = (pattern: RegExp) =>
  patternDetector((text, from) => {
    const search = new RegExp(pattern.source, 'gm');
    search.lastIndex = from;
    const found = search.exec(text);
    return found === null ? null : { start: found.index, end: found.index + found[0].length };
  });

describe('a pattern in a long text', () => {
  const word = fc.oneof(
    fc.constantFrom('x', 'xy', 'a', ' ', '\n', 'b'),
    fc.integer({ min: 1, max: 900 }).map((length) => 'a'.repeat(length)),
    fc.integer({ min: 1, max: 900 }).map((length) => '-'.repeat(length)),
  );

  it.each([/a{1,700}b?/, /\bx\w*/, /^[ab]+/, /-{300,600}/])('is found as in one piece: %s', (pattern) => {
    const { find } = detectorOf(pattern);
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), fc.nat(3_000), (words, place) => {
        const text = words.join('');
        const from = Math.min(place, text.length);
        const whole = new RegExp(pattern.source, 'gm');
        whole.lastIndex = from;
        const expected = [];
        for (let found = whole.exec(text); found !== null; found = whole.exec(text))
          expected.push({ start: found.index, end: found.index + found[0].length });
        expect(find(text, from)).toEqual(expected);
      }),
    );
  });
});

const KINDS = RULE_KINDS.filter((kind) => kind !== 'pattern');

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
  const compile = (kinds: readonly RuleKind[]) =>
    compileRules(
      kinds.map((kind) => ({ name: kind, kind })),
      textPatterns,
    );

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
