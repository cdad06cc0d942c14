import { describe, expect, it } from 'vitest';
import { keyDetector, MAX_KEY_LENGTH } from '../../../domain/redaction/detectors/key.ts';
import { looksRandom } from '../../../domain/redaction/detectors/key-prefixes.ts';

describe('keys', () => {
  const found = (text: string): readonly string[] =>
    keyDetector.find(text, 0).map(({ start, end }) => text.slice(start, end));
  /** Drawn by lot; twenty characters, the least that counts. */
  const TOKEN = 'q3ZpX0vT9mKc4RwB7sYh';
  const HEAD = '-----BEGIN PRIVATE KEY-----';
  const END = '-----END PRIVATE KEY-----';

  describe('a token', () => {
    it.each([
      [`is ${TOKEN}.`, TOKEN],
      [`is ${TOKEN}...`, TOKEN],
      [`is ${TOKEN}-`, TOKEN],
      [`is ${TOKEN}=`, `${TOKEN}=`],
      [`is ${TOKEN}==`, `${TOKEN}==`],
      [`x-token_of.me=${TOKEN}`, TOKEN],
      [`(${TOKEN.slice(1)})`],
      [`is \f${TOKEN}`],
      [`${TOKEN}${'.'.repeat(9)}`, `${TOKEN}.`],
    ])('is found without its name and the end of its sentence: %j', (text, ...tokens) => {
      expect(found(text)).toEqual(tokens);
    });

    it('is none where the looking begins inside of it', () => {
      expect(keyDetector.find(`is ${TOKEN}${TOKEN}`, 3)).toEqual([{ start: 3, end: 43 }]);
      expect(keyDetector.find(`is ${TOKEN}${TOKEN}`, 4)).toEqual([]);
    });
  });

  describe('a block of PEM', () => {
    it.each([
      [`a ${HEAD}\nMIIE\n${END} b`, `${HEAD}\nMIIE\n${END}`],
      [`${HEAD}${END}`, `${HEAD}${END}`],
      [`${HEAD}\nProc-Type: 4,ENCRYPTED\n\nMIIE\n${END}`, `${HEAD}\nProc-Type: 4,ENCRYPTED\n\nMIIE\n${END}`],
      [`${HEAD}\nMI+/=\r\nIE\n\nand so on`, `${HEAD}\nMI+/=\r\nIE\n\nand`],
      [`${HEAD}!`, HEAD],
      [`${HEAD}\nMIIE! so\n${END}`, `${HEAD}\nMIIE`],
      [`${TOKEN} and ${TOKEN} and ${HEAD}\nMIIE\n${END}`, TOKEN, TOKEN, `${HEAD}\nMIIE\n${END}`],
      [`${HEAD}\nMIIE\n${END}${HEAD}\nMIIE\n${END}`, `${HEAD}\nMIIE\n${END}`, `${HEAD}\nMIIE\n${END}`],
      [`-----BEGIN ${'A'.repeat(61)}-----x`],
    ])('goes to its end, or as far as base64 does: %j', (text, ...blocks) => {
      expect(found(text)).toEqual(blocks);
    });

    it('is told from the token that stands right before or behind it', () => {
      expect(found(`${TOKEN}${HEAD}\nMIIE\n${END}`)).toEqual([TOKEN, `${HEAD}\nMIIE\n${END}`]);
      expect(found(`a ${HEAD}\nMIIE\n${END} ${TOKEN}`)).toEqual([`${HEAD}\nMIIE\n${END}`, TOKEN]);
    });

    it('without an end has a bounded length', () => {
      const [{ start, end } = { start: 0, end: 0 }] = keyDetector.find(`${HEAD}\n${'M'.repeat(20_000)}`, 0);
      expect(end - start).toBe(MAX_KEY_LENGTH);
      const endOf = (at: number) =>
        keyDetector.find(`${HEAD}${'M'.repeat(at - HEAD.length)}${END}`, 0)[0]?.end;
      expect(endOf(MAX_KEY_LENGTH - 1)).toBe(MAX_KEY_LENGTH - 1 + END.length);
      expect([endOf(MAX_KEY_LENGTH), endOf(MAX_KEY_LENGTH + 9)]).toEqual([MAX_KEY_LENGTH, MAX_KEY_LENGTH]);
    });
  });
});

describe('the token of a provider', () => {
  const found = (text: string): readonly string[] =>
    keyDetector.find(text, 0).map(({ start, end }) => text.slice(start, end));

  /** How tokens begin, and how many characters at least follow, as providers document them. */
  const BEGINNINGS: readonly (readonly [least: number, ...beginnings: string[]])[] = [
    [16, 'sk-', 'whsec_', 'sq0atp-', 'sq0csp-'],
    [20, 'hf_', 'gsk_', 'r8_', 'xai-', 'pplx-', 'ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    [10, 'sk_live_', 'sk_test_', 'pk_live_', 'pk_test_', 'rk_live_', 'rk_test_', 'tskey-', 'xapp-'],
    [16, 'glpat-', 'glrt-', 'gldt-', 'glptt-', 'glsoat-', 'glft-', 'glimt-', 'glagent-', 'gloas-', 'glcbt-'],
    [20, 'npm_', 'pypi-', 'ya29.', 'hvs.', 'hvb.', 'hvr.', 'glsa_', 'ATATT3', 'lin_api_', 'ntn_', 'figd_'],
    [10, 'xoxa-', 'xoxb-', 'xoxe-', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-'],
    [16, 'dckr_pat_', 'dckr_oat_', 'GOCSPX-', 'dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.', 'PMAK-'],
    [32, 'rubygems_', 'doo_v1_', 'dop_v1_', 'dor_v1_', 'dapi', 'sbp_', 'key-'],
    [30, 'AIza'],
    [20, 'shpat_', 'shpca_', 'shppa_', 'shpss_', 'kn_'],
  ];
  /** Those in capitals. */
  const CAPITALS = ['AKIA', 'ASIA', 'AIDA', 'AROA', 'NRAK-', 'AGE-SECRET-KEY-1'];

  it.each(BEGINNINGS.flatMap(([least, ...all]) => all.map((one) => [one, least] as const)))(
    'is known by %s and %i characters behind it',
    (beginning, least) => {
      // No figure and no change: by lot, nobody would draw this.
      const token = beginning + 'a'.repeat(least);
      expect(found(`with ${token} there`)).toEqual([token]);
      expect(found(`with ${token.slice(0, -1)} there`)).toEqual([]);
      expect(found(`with x${token} there`)).toEqual([]);
    },
  );

  it.each(CAPITALS.map((one) => [one] as const))('is known by %s and 16 capitals', (beginning) => {
    const token = beginning + 'A'.repeat(16);
    expect(found(`with ${token} there`)).toEqual([token]);
    expect(found(`with ${token.slice(0, -1)} there`)).toEqual([]);
    expect(found(`with ${beginning}${'a'.repeat(16)} there`)).toEqual([]);
  });
});

describe('what looks drawn by lot', () => {
  it.each([
    ['a UUID', '123e4567-e89b-12d3-a456-426614174000', false],
    ['a UUID in capitals', '123E4567-E89B-12D3-A456-426614174000', false],
    ['a UUID and more', '123e4567-e89b-12d3-a456-426614174000-Xq7Zr3Kp9W', true],
    ['more and a UUID', 'Xq7Zr3Kp9W-123e4567-e89b-12d3-a456-426614174000', true],
    ['figures alone', '48103759264810375926481037592648', false],
    ['one figure', 'qWzXvTkMnBpLrSdFgHj1', false],
    ['two figures', 'qWzXvTkMnBpLrSdFgH21', true],
    [
      'one figure in forty characters of base64 with a sign',
      'qWzXvTkMnBpLrSdFgHjqWzXv/kMnBpLrSdFgHj1C',
      true,
    ],
    ['one figure in forty characters without a sign', 'qWzXvTkMnBpLrSdFgHjqWzXvTkMnBpLrSdFgHj1C', false],
    ['one figure in forty-one characters', 'qWzXvTkMnBpLrSdFgHjqWzXv/kMnBpLrSdFgHj1CD', false],
    ['no figure in forty characters', 'qWzXvTkMnBpLrSdFgHjqWzXv/kMnBpLrSdFgHjTC', false],
  ])('is not a name of something, and has figures among its letters: %s', (_, token, is) => {
    expect(looksRandom(token)).toBe(is);
  });

  it.each([
    ['32 of eight kinds, three bits each', 'a0b1c2d3'.repeat(4), true],
    ['31 of more kinds', '0a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5', false],
    ['32 in capitals', 'A0B1C2D3'.repeat(4), true],
    ['35 of seven kinds', 'a0b1c2d'.repeat(5), false],
    ['41 with eight changes', 'abcde01234abcde01234abcde0123abcd0123abcd', true],
    ['41 with seven changes', 'abcde01234abcde01234abcde0123abcd01234567', false],
  ])('of hexadecimal figures are 32 and more, of many kinds that take turns: %s', (_, token, is) => {
    expect(looksRandom(token)).toBe(is);
  });
});
