import { type Detector, firstOf, isInsideWord, type Span, tailOf } from './detector.ts';

/** The longest writing, `12 345 678 901` or `AB 12 34 56 C`, and what follows it. */
const REACH = 20;
const isPart = (char: string): boolean => /^[A-Za-z0-9 .-]$/.test(char);
const isOpening = (char: string): boolean => /^[A-Za-z0-9]$/.test(char);

/**
 * Numbers that a state gives to a person, where a rule tells them from other numbers:
 * - USA, Social Security number: 3-2-4 digits with hyphens or spaces; no area 000, 666 or 9xx, no group 00, no serial
 *   0000 (SSA, RM 10201.035), and none of those that are known from advertising.
 * - Germany, tax identification number (section 139b AO): 11 digits, bare or in groups of 2-3-3-3, the first not 0; of
 *   the first ten, one digit stands twice or three times and the others at most once; check digit by ISO/IEC 7064,
 *   MOD 11,10.
 * - United Kingdom, National Insurance number: two letters that HMRC gives out (NIM39110), six digits, A to D; bare or
 *   with a space after each pair.
 */
export const nationalIdDetector: Detector = {
  find: (text, from) => {
    const found: Span[] = [];
    for (let at = firstOf(text, from, text.length, isOpening); at < text.length;) {
      const length = isInsideWord(text, at) ? 0 : lengthAt(text, at);
      if (length > 0) found.push({ start: at, end: at + length });
      at = firstOf(text, at + Math.max(1, length), text.length, isOpening);
    }
    return found;
  },
  settledUpTo: (text) => {
    for (let at = tailOf(text, isPart, REACH); at < text.length; at += 1) {
      if (!isInsideWord(text, at) && BEGUN.test(text.slice(at))) return at;
    }
    return text.length;
  },
};

/** What may still become one, or turn out to be a part of something longer. */
const BEGUN = /^(?:\d[\d -]*|[A-Za-z]{1,2}|[A-Za-z]{2} ?\d[\d ]*[A-Za-z]?)[.-]?$|^[A-Za-z]{2} $/;

const SSN = /^(?!000|666|9)\d{3}([- ])(?!00)\d\d\1(?!0000)\d{4}/;
const ADVERTISED = new Set(['078051120', '219099999', '457555462']);
const TAX_ID = /^[1-9](?:\d{10}|\d \d{3} \d{3} \d{3})/;
const NINO =
  /^(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z](?:\d{6}[A-D]|(?: \d\d){3} ?[A-D]|\d\d \d\d \d\d ?[A-D])/i;

/** 0: none begins here. */
const lengthAt = (text: string, at: number): number => {
  const ahead = text.slice(at, at + REACH);
  // A part of a longer number in groups begins nothing.
  if (/^\d/.test(ahead) && /[\d\f][.-]$/.test(text.slice(Math.max(0, at - 2), at))) return 0;
  for (const [form, holds] of FORMS) {
    const length = form.exec(ahead)?.[0].length ?? 0;
    if (length === 0 || isInsideWord(text, at + length)) continue;
    if (/^[.-][\d\f]/.test(text.slice(at + length, at + length + 2))) continue;
    if (holds(ahead.slice(0, length).replaceAll(/[ -]/g, ''))) return length;
  }
  return 0;
};

/** ISO/IEC 7064, MOD 11,10. */
const hasIso7064Digit = (digits: string): boolean => {
  let product = 10;
  for (const digit of digits.slice(0, -1)) {
    const sum = (Number(digit) + product) % 10;
    product = ((sum === 0 ? 10 : sum) * 2) % 11;
  }
  return (11 - product) % 10 === Number(digits.at(-1));
};

const isTaxId = (digits: string): boolean => {
  const counts = new Map<string, number>();
  for (const digit of digits.slice(0, 10)) counts.set(digit, (counts.get(digit) ?? 0) + 1);
  const repeated = [...counts.values()].filter((count) => count > 1);
  return repeated.length === 1 && (repeated[0] ?? 0) <= 3 && hasIso7064Digit(digits);
};

const FORMS: readonly (readonly [RegExp, (digits: string) => boolean])[] = [
  [SSN, (digits) => !ADVERTISED.has(digits)],
  [TAX_ID, isTaxId],
  [NINO, () => true],
];
