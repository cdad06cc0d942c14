import { describe, expect, it } from 'vitest';
import { correctedLike } from '../../domain/ranking/corrected-like.ts';
import { createCitationMarks, withoutMarks } from '../../domain/answer/citation-marks.ts';
import { answerPieces, closestPassages } from '../../domain/answer/closest-passages.ts';
import { withoutCitations } from '../../domain/answer/without-citations.ts';
import { chunkDocument } from '../../domain/chunking/chunk-document.ts';
import { documentKeywords } from '../../domain/chunking/keywords.ts';
import { normaliseWhitespace } from '../../domain/chunking/sections.ts';
import { collapse } from '../../domain/ranking/fuse.ts';
import { identifiersOf } from '../../domain/ranking/identifiers.ts';
import { queryNames, textNames, titleNames } from '../../domain/ranking/names.ts';
import { asPhrase, parseQuery, queryWords, satisfies } from '../../domain/ranking/asked-terms.ts';
import { nearWords, spelledWords } from '../../domain/ranking/near-words.ts';
import { featuresOf } from '../../domain/ranking/score.ts';
import { respelled } from '../../domain/ranking/spelling.ts';
import { createVocabulary, feedbackWords } from '../../domain/ranking/vocabulary.ts';
import { placedWords } from '../../domain/search/highlights.ts';

const CHARACTERS = 100_000;
/** What is repeated, and what stands before and behind: a pattern that fails at the end alone may try every place. */
const REPEATED = [
  ' ',
  'a',
  'a.',
  'a_a ',
  '"',
  '(',
  '[1, ',
  '1',
  'is ',
  'What is ',
  '\n',
  '\u2028',
  '```x\n',
  '? | ',
  'a | ',
  '--a',
  '字',
];
const HOSTILE = REPEATED.flatMap((one) => {
  const run = one.repeat(CHARACTERS / one.length);
  return [run, `What does a ${run}1!x`];
});

const PAGE = {
  title: 'Slots',
  text: 'A slot keeps the data.\n\na_a (integer)\n\nSets the memory of a. Its default is 4.',
};
const LIMITS = { maxTokens: 400, overlapTokens: 60, minTokens: 80 };
const rules = {
  limits: LIMITS,
  count: (text: string) => Math.ceil(text.length / 4),
  hash: (text: string) => `${text.length}`,
};
/** Every function that takes a text which somebody typed, or which stands on a page. */
const TAKERS: Readonly<Record<string, (text: string) => unknown>> = {
  createCitationMarks: (text) => createCitationMarks(3, 3).push(text),
  withoutMarks,
  'closestPassages, of a question': (text) => closestPassages(text, [PAGE]),
  'closestPassages, from a text': (text) => {
    const passages = [{ title: text, url: text, text }];
    return answerPieces(closestPassages('What is the default of a_a?', passages), passages);
  },
  featuresOf: (text) => [
    featuresOf(text, [{ page: 'a', score: 1, ...PAGE }]),
    featuresOf('What is the default of a_a?', [{ page: 'a', title: text, text, score: 1 }]),
  ],
  withoutCitations: (text) => withoutCitations(text, 3, new Set([1])),
  chunkDocument: (text) => chunkDocument([{ text, headingPath: [text], pageNumber: 0 }], rules),
  documentKeywords: (text) => documentKeywords(text, [{ text, headingPath: [text], pageNumber: 0 }]),
  normaliseWhitespace,
  collapse: (text) => collapse([text, `${text}b`], (one) => ({ sourceId: '', text: one })),
  correctedLike: (text) => correctedLike(text, text, `${text}b`),
  identifiersOf,
  queryNames,
  textNames,
  titleNames,
  parseQuery: (text) => asPhrase(parseQuery(text)),
  satisfies: (text) => satisfies(parseQuery('"b a" -c'))([text]),
  queryWords,
  nearWords: (text) => nearWords({ word: 'vaccum', terms: ['vaccum'] }, spelledWords(text)),
  respelled: (text) => respelled(text, new Map([['a', 'b']])),
  createVocabulary: (text) => createVocabulary().read({ no: 1, title: text, headings: [text], text }),
  feedbackWords: (text) => feedbackWords([{ title: text, headings: [text], text }]),
  placedWords,
};

describe('100,000 characters of one thing over and over', () => {
  // Where the work grows with the square of the length, this does not end within the limit of a test.
  it.each(Object.entries(TAKERS))('are read to the end by %s', (_, take) => {
    for (const text of HOSTILE) expect(() => take(text)).not.toThrow();
  });
});
