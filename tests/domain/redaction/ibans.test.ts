import { describe, expect, it } from 'vitest';
import { ibanDetector, ibanShapeEnd, IBAN_STRUCTURES } from '../../../domain/redaction/detectors/iban.ts';
import { cardDetector } from '../../../domain/redaction/detectors/card.ts';

describe('account numbers', () => {
  const found = (text: string): readonly string[] =>
    ibanDetector.find(text, 0).map(({ start, end }) => text.slice(start, end));

  /** One of each country, as the registry of ISO 13616 prints them. */
  const EXAMPLES = `
  AD1200012030200359100100 AE070331234567890123456 AL47212110090000000235698741 AT611904300234573201
  AZ21NABZ00000000137010001944 BA391290079401028494 BE68539007547034 BG80BNBG96611020345678
  BH67BMAG00001299123456 BI4210000100010000332045181 BR1800360305000010009795493C1
  BY13NBRB3600900000002Z00AB00 CH9300762011623852957 CR05015202001026284066 CY17002001280000001200527600
  CZ6508000000192000145399 DE89370400440532013000 DJ2100010000000154000100186 DK5000400440116243
  DO28BAGR00000001212453611324 EE382200221020145685 EG380019000500000000263180002 ES9121000418450200051332
  FI2112345600000785 FK88SC123456789012 FO6264600001631634 FR1420041010050500013M02606
  GB29NWBK60161331926819 GE29NB0000000101904917 GI75NWBK000000007099453 GL8964710001000206
  GR1601101250000000012300695 GT82TRAJ01020000001210029690 HN88CABF00000000000250005469
  HR1210010051863000160 HU42117730161111101800000000 IE29AIBK93115212345678 IL620108000000099999999
  IQ98NBIQ850123456789012 IS140159260076545510730339 IT60X0542811101000000123456
  JO94CBJO0010000000000131000302 KW81CBKU0000000000001234560101 KZ86125KZT5004100100
  LB62099900000001001901229114 LC55HEMM000100010012001200023015 LI21088100002324013AA
  LT121000011101001000 LU280019400644750000 LV80BANK0000435195001 LY83002048000020100120361
  MC5811222000010123456789030 MD24AG000225100013104168 ME25505000012345678951 MK07250120000058984
  MN121234123456789123 MR1300020001010000123456753 MT84MALT011000012345MTLCAST001S
  MU17BOMM0101101030300200000MUR NI45BAPR00000013000003558124 NL91ABNA0417164300 NO9386011117947
  OM810180000001299123456 PK36SCBL0000001123456702 PL61109010140000071219812874
  PS92PALS000000000400123456702 PT50000201231234567890154 QA58DOHB00001234567890ABCDEFG
  RO49AAAA1B31007593840000 RS35260005601001611379 RU0304452522540817810538091310419
  SA0380000000608010167519 SC18SSCB11010000000000001497USD SD8811123456789012 SE4550000000058398257466
  SI56263300012039086 SK3112000000198742637541 SM86U0322509800000000270100 SO211000001001000100141
  ST23000100010051845310146 SV62CENR00000000000000700025 TL380080012345678910157 TN5910006035183598478831
  TR330006100519786457841326 UA213223130000026007233566001 VA59001123000012345678
  VG96VPVG0000012345678901 XK051212012345678906 YE15CBYE0001018861234567891234
  `
    .trim()
    .split(/\s+/);

  it('are known of every country that has one, and of no other', () => {
    expect(EXAMPLES.map((one) => one.slice(0, 2))).toEqual([...IBAN_STRUCTURES.keys()].toSorted());
    expect(EXAMPLES.flatMap(found)).toEqual(EXAMPLES);
  });

  /** Digits that keep the check digits right: of an account number without its structure. */
  const withChecks = (country: string, account: string): string => {
    const digits = [...`${account}${country}00`].map((char) => String(Number.parseInt(char, 36))).join('');
    return `${country}${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}${account}`;
  };

  it('have digits where their country has digits, and letters where it has letters', () => {
    expect(found(withChecks('DE', '370400440532013000'))).toHaveLength(1);
    expect(found(withChecks('DE', '37040044053201300A'))).toEqual([]);
    expect(found(withChecks('GB', 'NWBK60161331926819'))).toHaveLength(1);
    expect(found(withChecks('GB', '1WBK60161331926819'))).toEqual([]);
  });

  it('have the length of their country', () => {
    expect(EXAMPLES.flatMap((one) => found(one.slice(0, -1)))).toEqual([]);
    expect(EXAMPLES.flatMap((one) => found(`${one}0`))).toEqual([]);
  });

  it('have the check digits of what they say', () => {
    const last = (one: string) => (one.endsWith('0') ? '1' : '0');
    expect(EXAMPLES.flatMap((one) => found(one.slice(0, -1) + last(one)))).toEqual([]);
  });
});

describe('the number of a card', () => {
  const found = (text: string): readonly string[] =>
    cardDetector.find(text, 0).map(({ start, end }) => text.slice(start, end));

  it.each([
    '4222222222222',
    '30569309025904',
    '378282246310005',
    '4111111111111111',
    '6304000000000000000',
    '2223 0031 2200 3222',
    '5555.5555.5555.4444',
    '5555‐5555‐5555‐4444',
    '5555–5555–5555–4444',
    '6011\u00a00009\u00a09013\u00a09424',
    '3056 930902 5904',
    '3056_930902_5904',
    '3782/822463/10005',
    '4111 111111 1111 11',
    '4111111 1111 11111',
    '4111 1111 1110 2003',
    '52003 12003 52017',
    '20031 20045 20059',
    '6304_0000_0000_0000_000',
    '4111 1111\n1111 1111',
  ])('is found as it is written: %j', (card) => {
    expect(found(card)).toEqual([card]);
    expect(found(`by ${card}, please`)).toEqual([card]);
  });

  it.each([
    ['a first digit that no card has', '1111111111111117'],
    ['another', '7111111111111111'],
    ['another one', '2002 2004 2005 2003'],
    ['a digit of its own at its end', '4111 111111 11111 1'],
    ['groups of eight and four', '41111111 1111 1111'],
    ['more behind it', '4111111111111111x'],
    ['an address behind it', '4111111111111111@example.org'],
    ['a short word before it', 'ab4111111111111111'],
    ['what a replacement hid before it', '\f-4111111111111111'],
  ])('is none with %s', (_, text) => {
    expect(found(text)).toEqual([]);
  });
});

describe('the shape of an account number', () => {
  const endOf = (text: string, at = 0) => ibanShapeEnd(text, at);

  it.each([
    ['DE89 3704 0044 0532 0130 00', 27],
    ['DE89 3704 0044 0532 0130 01', 27],
    ['DE89 3704 0044 0532 0130 01.', 27],
    ['de89 3704 0044 0532 0130 00', 27],
    ['de89 3704 0044 0532 0130 01', null],
    ['DE89 3704 0044 0532 0130 0', null],
    ['DE89 3704 0044 0532 0130 0x', null],
    ['DE89 3704 0044 0532 0130 01x', null],
    ['XX89 3704 0044 0532 0130 00', null],
  ])('ends where its country says, be its check digits right or not: %s', (text, end) => {
    expect(endOf(text)).toBe(end);
  });

  it('begins no word, but behind its name', () => {
    const number = 'DE89370400440532013001';
    expect(
      ['iban', 'IBAN', 'x iban', ' '].map((before) => endOf(before + number, before.length) !== null),
    ).toEqual([true, true, true, true]);
    expect(['x', 'xiban', 'ban', '4'].map((before) => endOf(before + number, before.length))).toEqual(
      Array(4).fill(null),
    );
  });
});
