import { describe, expect, it } from 'vitest';
import { keyDetector } from '../../../domain/redaction/detectors/key.ts';

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

describe('the token of a provider', () => {
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

  it('of AWS has 16 characters behind its beginning and no more', () => {
    expect(found(`with AKIA${'A'.repeat(17)} there`)).toEqual([]);
  });

  it('is one of two or three parts where it is made of parts', () => {
    const mail = `SG.${'a'.repeat(16)}.${'a'.repeat(16)}`;
    expect(found(`with ${mail} there`)).toEqual([mail]);
    expect(found(`with ${mail.slice(0, -1)} there`)).toEqual([]);
    const web = `eyJ${'a'.repeat(8)}.eyJ${'a'.repeat(8)}.a`;
    expect(found(`with ${web} there`)).toEqual([web]);
    expect(found(`with ${web.replaceAll('eyJ', 'eyK')} there`)).toEqual([]);
    expect(found(`with ${web.slice(0, 11)} there`)).toEqual([]);
  });
});
