import fc from 'fast-check';
import { RULE_KINDS, type RedactionRule } from '../../../domain/redaction/index.ts';

const PIECES = [
  'jane.doe@example.org',
  'a@b',
  '@',
  '.',
  'x@example.',
  'co.uk',
  '4111 1111 1111 1111',
  '4111111111111111',
  '378282246310005',
  '+49 30 901820',
  '(555) 234-5678',
  '01 23 45 67 89',
  '0151/12345678',
  '01.02.2024',
  '192.168.0.1',
  '1.2.3',
  '::1',
  '2001:db8::8a2e:370:7334',
  '123-45-6789',
  '86 095 742 719',
  'AB123456C',
  'JG 10 37 59 A',
  'ghp_16C7e42F292c6912E7710c838347Ae178B4a',
  'wJalrXUtnFEMI/K7MDENG/bPxRfiCY91pQ2z',
  '-----BEGIN PRIVATE KEY-----\nMIIEvQ\n',
  '-----END PRIVATE KEY-----',
  '-----BEG',
  '[email]',
  '[card]',
  '[e',
  '[',
  ']',
  ' ',
  '  ',
  '\n',
  ',',
  '-',
  ':',
  '+',
  '(',
  '0',
  '12',
  '4111',
  'the',
  'Ä',
  '😀',
  '=',
  'PRJ-1234',
  'PRJ-',
  '\t',
  '\u00AD',
  '\u200B',
  '\uFEFF\u2060',
  '\u200D'.repeat(5),
  'dora＠example．org',
  'ja\u00ADne@exam\u200Bple.org',
  '41\u200B11 1111 1111\u2060 1111',
  '１２３-45-6789',
];

/** Texts full of what is looked for, whole, cut, and run together. */
export const texts = fc
  .array(
    fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...PIECES) },
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    {
      maxLength: 25,
    },
  )
  .map((pieces) => pieces.join('').toWellFormed());

const RULES: readonly RedactionRule[] = [
  ...RULE_KINDS.filter((kind) => kind !== 'pattern').map((kind) => ({ name: kind, kind })),
  { name: 'project', kind: 'pattern', pattern: '\\bPRJ-\\d+\\b' },
  { name: 'line', kind: 'pattern', pattern: '(?m)^the.{0,20}$', replacement: '***' },
];
export const ruleSets = fc.shuffledSubarray([...RULES], { minLength: 1 });
/** Without those whose matches depend on what stands beside them. */
export const freeRuleSets = fc.shuffledSubarray(
  RULES.filter(({ name }) => name !== 'line'),
  { minLength: 1 },
);
