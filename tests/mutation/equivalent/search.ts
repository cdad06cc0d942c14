import type { Equivalents } from '../equivalent.ts';

export const SEARCH: readonly Equivalents[] = [
  {
    file: 'domain/filter/value.ts',
    why: 'what stands for the whole text is not looked at; nothing is the number 0, too',
    mutants: [
      ['[]', '["Stryker was here"]'],
      ["'0'", '""'],
    ],
  },
  {
    file: 'domain/filter/value.ts',
    why: 'before this character there are figures and hyphens, and behind it no T and no space',
    mutants: [['text.charAt(10)', 'text']],
  },
  {
    file: 'domain/filter/parse-filter.ts',
    why: 'a text has no key, and no conditions',
    mutants: [['[]', '["Stryker was here"]']],
  },
  {
    file: 'domain/shared/folding.ts',
    why: 'a letter that nothing stands for stays as it is',
    mutants: [["''", '"Stryker was here!"']],
  },
  {
    file: 'domain/shared/persistent-map.ts',
    why: 'slower and the same: keys tell apart what hashes do not, whatever a hash is made of',
    mutants: [
      [
        '{\n  let hash = 0x811c9dc5;\n  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);\n  return hash >>> 0;\n}',
        '{}',
      ],
      ['i < key.length', 'false'],
      ['i < key.length', 'i <= key.length'],
      ['node.hash === hash', 'true'],
      ['node.hash === leaf.hash', 'true'],
    ],
  },
  {
    file: 'domain/shared/persistent-map.ts',
    why: 'only what is there is taken away; and a leaf without entries holds nothing',
    mutants: [
      ['node === undefined', 'false'],
      ['entries.length === 0', 'false'],
    ],
  },
  {
    file: 'domain/shared/words.ts',
    why: 'the slower way to the same words',
    mutants: [
      ['isPlain(text)', 'false'],
      ['code > 127', 'true'],
      ['code > 127', 'code >= 127'],
    ],
  },
  {
    file: 'domain/shared/words.ts',
    why: 'a word that is short enough is cut to itself, and no word goes on behind the end of a text',
    mutants: [
      ['word.length > LONGEST', 'true'],
      ['word.length > LONGEST', 'word.length >= LONGEST'],
      ['i < text.length', 'i <= text.length'],
    ],
  },
  {
    file: 'domain/filter/value.ts',
    why: 'of one type there is a first one: the compiler wants to be told',
    mutants: [['first !== undefined', 'true']],
  },
  {
    file: 'domain/search/highlights.ts',
    why: 'no character behind the end is part of a word',
    mutants: [['from < line.length', 'from <= line.length']],
  },
  {
    file: 'domain/search/highlights.ts',
    why: 'the words that stand there instead are several, or none of the run',
    mutants: [["''", '"Stryker was here!"']],
  },
  {
    file: 'application/search/retrieve.ts',
    why: 'of scores behind the first twelve none are asked; those of texts are set before they are read',
    mutants: [
      ['byPhrases.slice(0, LOOKED_AT)', 'byPhrases'],
      ['[]', '["Stryker was here"]'],
    ],
  },
  {
    file: 'application/search/written-results.ts',
    why: 'no word is empty, and there is a term for each, which the compiler is to be told',
    mutants: [["''", '"Stryker was here!"']],
  },
  {
    file: 'application/search/operations.ts',
    why: 'a search to be reranked was refused before where there is no reranker',
    mutants: [['rerankResults !== null', 'true']],
  },
  {
    file: 'application/search/filter-fields.ts',
    why: 'no date lies after one that is not given, nor before it',
    mutants: [
      ['dateFrom !== undefined && dateTo !== undefined', 'true'],
      ['dateFrom !== undefined && dateTo !== undefined', 'dateFrom !== undefined || dateTo !== undefined'],
      ['dateFrom !== undefined', 'true'],
      ['dateTo !== undefined', 'true'],
    ],
  },
  {
    file: 'application/search/question-vector.ts',
    why: 'a few models are sorted by insertion, which compares each with those before it: only the wanted one moves',
    mutants: [['b.model === wanted', 'false']],
  },
  {
    file: 'application/search/rerank-results.ts',
    why: 'of no results nobody reads a score',
    mutants: [['[]', '["Stryker was here"]']],
  },
];
