import { hasLuhnDigit, hasMod1110Digit, weighted } from './detector.ts';

/** Letters that replace digits when two persons would have the same code. */
const DIGIT = '[\\dLMNP-V]';
const FORM = new RegExp(`^[A-Z]{6}${DIGIT}{2}[A-EHLMPRST]${DIGIT}{2}[A-Z]${DIGIT}{3}[A-Z]$`);
/** Values of letters A to Z (and of digits as A to J) at odd positions; at even positions they are 0 to 25. */
const ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];

/** Italy, codice fiscale (D.M. 12 March 1974): names, date and place of birth, and a check letter, modulo 26. */
const isCodiceFiscale = (written: string): boolean => {
  if (!FORM.test(written)) return false;
  let sum = 0;
  for (let i = 0; i < 15; i += 1) {
    const value = Number.parseInt(written.charAt(i), 36);
    const place = value > 9 ? value - 10 : value;
    sum += i % 2 === 0 ? (ODD[place] ?? 0) : place;
  }
  return written.charCodeAt(15) - 65 === sum % 26;
};

/** One form of the ids of a country. */
export interface IdForm {
  /** `9` a digit, `A` a letter, `X` either, a space any space, a hyphen any hyphen; otherwise the character itself. */
  readonly form: string;
  /** Whether a text of this form is an id; called without separators, in upper case. */
  readonly isValid: (written: string) => boolean;
}

const ADVERTISED = new Set(['078051120', '219099999', '457555462']);
/** USA, Social Security number (SSA, RM 10201.035); without those known from advertising. No check digit. */
const isSsn = (digits: string): boolean =>
  /^(?!000|666|9)\d{3}(?!00)\d\d(?!0000)\d{4}$/.test(digits) && !ADVERTISED.has(digits);

/** Germany, tax identification number (section 139b AO): among the first ten digits, one occurs two or three times. */
const isSteuerId = (digits: string): boolean => {
  const counts = new Map<string, number>();
  for (const digit of digits.slice(0, 10)) counts.set(digit, (counts.get(digit) ?? 0) + 1);
  const repeated = [...counts.values()].filter((count) => count > 1);
  return (
    !digits.startsWith('0') && repeated.length === 1 && (repeated[0] ?? 0) <= 3 && hasMod1110Digit(digits)
  );
};

/** United Kingdom, National Insurance number (HMRC, NIM39110): an issued prefix. No check digit. */
const isNino = (written: string): boolean =>
  /^(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]$/.test(written);

/** France, numéro d'inscription au répertoire: sex, year, month, place; two check digits, modulo 97. */
const isNir = (written: string): boolean => {
  if (!/^[1-478]\d\d(?:0[1-9]|1[0-2]|[2-9]\d)(?:\d\d|2[AB])\d{8}$/.test(written)) return false;
  const digits = written.replace('A', '0').replace('B', '0');
  const corsica = written.includes('A') ? 1_000_000 : written.includes('B') ? 2_000_000 : 0;
  return 97 - ((Number(digits.slice(0, 13)) - corsica) % 97) === Number(digits.slice(13));
};

const DNI = 'TRWAGMYFPDXBNJZSQVHLCKE';
/** Spain, DNI and NIE: check letter, modulo 23; the first letter of a NIE counts 0 to 2. */
const isDni = (written: string): boolean => {
  const number = written.slice(0, -1).replace(/^[XYZ]/, (letter) => String('XYZ'.indexOf(letter)));
  return /^\d{8}$/.test(number) && written.endsWith(DNI.charAt(Number(number) % 23));
};

/** Netherlands, burgerservicenummer: weights 9 to 2 and -1, modulo 11. */
const isBsn = (digits: string): boolean =>
  !digits.startsWith('00') && weighted(digits, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0;

/** Poland, PESEL: a date, whose month encodes the century, and a check digit, modulo 10. */
const isPesel = (digits: string): boolean =>
  isDate((Number(digits.slice(2, 4)) % 20) + '', digits.slice(4, 6)) &&
  weighted(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0;

/** Switzerland, AHV number: country 756 and the check digit of EAN-13. */
const isAhv = (digits: string): boolean =>
  digits.startsWith('756') && weighted(digits, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0;

/** Sweden, personnummer and samordningsnummer (day + 60): a date, and a check digit by Luhn over ten digits. */
const isPersonnummer = (digits: string): boolean => {
  const ten = digits.slice(-10);
  const day = Number(ten.slice(4, 6));
  return (
    (digits.length === 10 || /^(?:18|19|20)/.test(digits)) &&
    isDate(ten.slice(2, 4), String(day > 60 ? day - 60 : day)) &&
    hasLuhnDigit(ten)
  );
};

const isDate = (month: string, day: string): boolean =>
  Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31;

/** Brazil, CPF: two check digits, modulo 11; not eleven equal digits. */
const isCpf = (digits: string): boolean => {
  const check = (length: number): number =>
    ((10 *
      weighted(
        digits,
        Array.from({ length }, (_, i) => length + 1 - i),
      )) %
      11) %
    10;
  return !/^(\d)\1+$/.test(digits) && check(9) === Number(digits[9]) && check(10) === Number(digits[10]);
};

const NRIC: { readonly [first: string]: readonly [offset: number, letters: string] } = {
  S: [0, 'JZIHGFEDCBA'],
  T: [4, 'JZIHGFEDCBA'],
  F: [0, 'XWUTRQPNMLK'],
  G: [4, 'XWUTRQPNMLK'],
  M: [3, 'XWUTRQPNJLK'],
};
/** Singapore, NRIC and FIN: check letter, modulo 11. */
const isNric = (written: string): boolean => {
  const known = NRIC[written.charAt(0)];
  if (known === undefined) return false;
  const [offset, letters] = known;
  return written.endsWith(
    letters.charAt((offset + weighted(written.slice(1, 8), [2, 7, 6, 5, 4, 3, 2])) % 11),
  );
};

const forms = (isValid: IdForm['isValid'], ...written: readonly string[]): readonly IdForm[] =>
  written.map((form) => ({ form, isValid }));

/** All known forms, of twelve countries. Check digits are verified where the country has them. */
export const NATIONAL_IDS: readonly IdForm[] = [
  ...forms(isSsn, '999-99-9999', '999 99 9999'),
  ...forms(isSteuerId, '99999999999', '99 999 999 999'),
  ...forms(isNino, 'AA999999A', 'AA 99 99 99 A', 'AA 99 99 99A', 'AA99 99 99A', 'AA99 99 99 A'),
  ...forms(isNir, '999999X99999999', '999999X999999 99', '9 99 99 9X 999 999 99'),
  ...forms(isCodiceFiscale, 'AAAAAAXXAXXAXXXA', 'AAA AAA XXAXX AXXXA'),
  ...forms(isDni, '99999999A', '99999999-A', '99999999 A', '99.999.999-A', '99.999.999A'),
  ...forms(isDni, 'A9999999A', 'A9999999-A', 'A-9999999-A', 'A-9999999A'),
  ...forms(isBsn, '999999999', '9999.99.999'),
  ...forms(isPesel, '99999999999'),
  ...forms(isAhv, '9999999999999', '999.9999.9999.99', '999 9999 9999 99'),
  ...forms(isPersonnummer, '999999-9999', '999999+9999', '9999999999', '99999999-9999', '999999999999'),
  ...forms(isCpf, '99999999999', '999.999.999-99', '999999999-99', '999 999 999 99'),
  ...forms(isNric, 'A9999999A'),
];
