import { describe, expect, it } from 'vitest';
import { nationalIdDetector } from '../../../domain/redaction/detectors/national-id.ts';

const found = (text: string): readonly string[] =>
  nationalIdDetector.find(text, 0).map(({ start, end }) => text.slice(start, end));
/** Ids as authorities and textbooks print them, in the ways that they are written. */
const EXAMPLES = {
  usa: ['219-09-9998', '219 09 9998', '665-99-9999', '899-01-0001'],
  germany: ['86095742719', '86 095 742 719', '47036892816', '65929970489'],
  unitedKingdom: ['AB123456C', 'AB 12 34 56 D', 'JG 10 37 59A', 'CE12 34 56A', 'zy12 34 56 b'],
  france: ['255081416802538', '255081416802538', '2550814168025 38', '2 55 08 14 168 025 38'],
  italy: ['RSSMRA85T10A562S', 'MRTMTT25D09F205Z', 'MLL SNT 82P65 Z404U', 'mllsnt82p65z404u'],
  spain: ['12345678Z', '12345678-Z', '12345678 Z', '12.345.678-Z', '12.345.678Z', '00000000T'],
  spainForeigners: ['X1234567L', 'Y1234567-X', 'Z-1234567-R', 'x-1234567l'],
  netherlands: ['111222333', '123456782', '1234.56.782', '123456800'],
  poland: ['44051401359', '02070803628'],
  switzerland: ['7569217076985', '756.9217.0769.85', '756 9217 0769 85'],
  sweden: [
    '811228-9874',
    '670919-9530',
    '701063-2391',
    '19811228-9874',
    '198112289874',
    '811228+9874',
    '8112289874',
    '810101-1230',
    '810131-1234',
  ],
  brazil: ['11144477735', '111.444.777-35', '529982247-25', '529 982 247 25', '12345678577'],
  singapore: ['S1234567D', 'T1234567J', 'F1234567N', 'G1234567X', 's1234567d', 'M1234567K'],
};

describe('the ids of a state', () => {
  it.each(Object.values(EXAMPLES).flat())('are found as they are written: %s', (id) => {
    expect(found(id)).toEqual([id]);
    expect(found(`no. (${id}), and`)).toEqual([id]);
  });

  /** Countries whose ids have a check digit or letter. */
  const CHECKED = Object.entries(EXAMPLES).filter(([name]) => !['usa', 'unitedKingdom'].includes(name));

  it.each(CHECKED.flatMap(([, ids]) => ids.slice(0, 1)))(
    'are none with another check digit than %s',
    (id) => {
      const end = id.at(-1)!;
      const others = (/\d/.test(end) ? '0123456789' : 'ABCDEFGHIJKLMNOPQRSTUVWXYZ').replace(end, '');
      const taken = [...others].filter((other) => found(id.slice(0, -1) + other).length > 0);
      expect(taken).toEqual([]);
    },
  );

  it.each([
    ['000-12-3456', 'an area that nobody has'],
    ['666-12-3456', 'another'],
    ['900-12-3456', 'a number of tax payers'],
    ['123-00-4567', 'a group that nobody has'],
    ['123-45-0000', 'a serial that nobody has'],
    ['078-05-1120', 'a number from advertising'],
    ['219-09-9999', 'another'],
    ['457-55-5462', 'a third'],
    ['06985176365', 'a German one that begins with 0'],
    ['13827335631', 'a German one in which a digit stands four times'],
    ['49701466838', 'a German one in which several stand twice'],
    ['12345678903', 'a German one without a digit that stands twice'],
    ['BG123456A', 'a prefix that is not given out'],
    ['AD123456E', 'a suffix that is not'],
    ['DA123456A', 'a letter that begins none'],
    ['AO123456A', 'a letter that is second in none'],
    ['555081416802524', 'a sex that the French register does not know'],
    ['255131416802513', 'a month that it does not'],
    ['A1234567L', 'a letter that begins no Spanish one'],
    ['009999996', 'a Dutch one that is too short'],
    ['44051401358', 'a Polish one with another check digit'],
    ['44331401359', 'a date that is none'],
    ['7579217076984', 'another country than Switzerland'],
    ['811328-9873', 'a month that is none'],
    ['811232-9878', 'a day that is none'],
    ['811292-9871', 'a day that is none, and sixty more'],
    ['17811228-1236', 'a century that is none'],
    ['17181219-1235', 'a century that stands further back'],
    ['810001-1231', 'no month'],
    ['810100-1231', 'no day'],
    ['RSSMRA85F10A562R', 'a letter for an Italian month that is none'],
    ['529 982 247 25 96', 'a part of the number of a card'],
    ['S12345671', 'a figure in place of a letter'],
    ['111.111.111-11', 'a Brazilian one of one digit alone'],
    ['T1234567A', 'a letter that does not check it'],
    ['F1234567A', 'a letter that does not check it'],
    ['G1234567A', 'a letter that does not check it'],
    ['M1234567A', 'a letter that does not check it'],
    ['A1234567D', 'a letter that begins none of Singapore'],
  ])('are not %s: %s', (text) => {
    expect(found(text)).toEqual([]);
  });

  it('of France know Corsica, which counts as 19 and 18, and months that were not told', () => {
    const withCheck = (written: string, counted: string): string =>
      `${written}${String(97n - (BigInt(counted) % 97n)).padStart(2, '0')}`;
    const inPlace = (place: string) => withCheck(`18501${place}123456`, `18501${place}123456`);
    expect(found(withCheck('185012A123456', '1850119123456'))).toHaveLength(1);
    expect(found(withCheck('185012B123456', '1850118123456'))).toHaveLength(1);
    expect(found(withCheck('185012B123456', '1850119123456'))).toEqual([]);
    expect(found(inPlace('75'))).toHaveLength(1);
    const inMonth = (month: string) => withCheck(`285${month}75123456`, `285${month}75123456`);
    expect(['01', '12', '20', '99'].map((month) => found(inMonth(month)).length)).toEqual([1, 1, 1, 1]);
    expect(['00', '13', '19'].map((month) => found(inMonth(month)).length)).toEqual([0, 0, 0]);
    const ofSex = (sex: string) => withCheck(`${sex}850175123456`, `${sex}850175123456`);
    expect([...'0123456789'].filter((sex) => found(ofSex(sex)).length === 1)).toEqual([...'123478']);
  });

  it.each([
    'x86095742719',
    '86095742719x',
    '86095742719@example.org',
    '86095742719.5',
    '3.86095742719',
    '€ 86095742719',
    '$86095742719',
    '5678 86 095 742 719',
    '1-219-09-9998',
    '219-09-9998-1',
  ])('are no part of something longer: %s', (text) => {
    expect(found(text)).toEqual([]);
  });

  it.each([
    ['1-', 'AB123456C'],
    ['€ ', 'X1234567L'],
    ['#', 'X1234567L'],
    ['5678 ', 'AB 12 34 56 D'],
    ['#(', '86095742719'],
  ])('are found behind what they do not go on from: %s%s', (before, id) => {
    expect(found(`${before}${id}`)).toEqual([id]);
  });

  it('are the longest that begins at a place, and found one after the other', () => {
    expect(found('12345678Z, 12345678-Z;111222333 and X1234567L')).toEqual([
      '12345678Z',
      '12345678-Z',
      '111222333',
      'X1234567L',
    ]);
    expect(nationalIdDetector.find('12345678Z 12345678Z', 1)).toEqual([{ start: 10, end: 19 }]);
    expect(found('219\u00a009\u00a09998 and 219‐09‐9998')).toEqual(['219\u00a009\u00a09998', '219‐09‐9998']);
  });
});
