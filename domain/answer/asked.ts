import { namedWords, wordsOf } from '../shared/words.ts';
import { type Kind, kindOf } from './kinds.ts';
import { ENGLISH_STOP_WORDS, stem, stopWordsOf, termOf, termsOf } from './terms.ts';

/** Terms of what a question calls by name, as `PowerDNS` and `Kenya`. */
const calledIn = (question: string): ReadonlySet<string> =>
  new Set(namedWords(question).flatMap((word) => termsOf(word)));

/** Misspelt as they are in haste, letters swapped or left out: none of these is a word. */
const MEANT: ReadonlyMap<string, string> = new Map([
  ['deos', 'does'],
  ['hwo', 'how'],
  ['waht', 'what'],
  ['wat', 'what'],
  ['whta', 'what'],
  ['wehn', 'when'],
  ['wehre', 'where'],
  ['wich', 'which'],
  ['whcih', 'which'],
  ['wyh', 'why'],
]);
const MISSPELT = new RegExp(`\\b(?:${[...MEANT.keys()].join('|')})\\b`, 'gi');
/** A dose is something too, but not where an adverb asks, or where it is asked what a thing does. */
const DOSE = /^(\W*(?:how|why|when|where) )dose\b|^(\W*what )dose\b(?=.* (?:do|mean)\W*$)/i;

/**
 * A question with the words that ask as they were meant: `waht` for what, and `what dose it do`. Searches do not need them,
 * so that their spelling is not corrected there.
 */
export const withAskingWordsAsMeant = (question: string): string =>
  question
    .replaceAll(MISSPELT, (word) => MEANT.get(word.toLowerCase()) ?? word)
    .replace(DOSE, (_, adverb?: string, what?: string) => `${adverb ?? what}does`);

/** What a question asks for, as far as its words tell. */
export type Asked = {
  /** Distinct terms: names as a whole, and the stems of the other words. */
  readonly terms: ReadonlySet<string>;
  /** Of the terms those that are names: `max_wal_size`, `os.path`, `--prune`. */
  readonly names: readonly string[];
  /** The terms without the words that only ask, such as "default" or "difference". All where nothing else is left. */
  readonly subject: ReadonlySet<string>;
  /** Of the subject what says of which sort the answer is, as `bird` of "Which bird dives?": texts may leave it unsaid. */
  readonly sort: ReadonlySet<string>;
  /** Of the subject what is called by a name, such as a product or a country. */
  readonly called: ReadonlySet<string>;
  readonly kind: Kind;
  /** Whether it asks how to do something. */
  readonly isHow: boolean;
  /** Whether it asks what something is, and no more; a name or two or three words without a verb ask that too. */
  readonly isWhat: boolean;
  /** Whether it asks what something does, or means. */
  readonly isDoes: boolean;
  /** Unless it looks like another language, whose inflections are not known here. */
  readonly isEnglish: boolean;
};

/** From the beginning of a run of letters alone: else each of them is tried. */
const NAME = /--[a-z\d][a-z\d-]+|(?<![a-z\d])[a-z\d]+(?:(?:_|\.|::)[a-z\d]+)+/g;
/** Their parts may stand apart: `e.g.`, versions and figures are no names. */
const NO_NAME = /^[\d.]+$|^(?:\w\.)+\w$/;

/** As far as its words tell. Of the last question it is kept: whoever answers it asks for this in several places. */
export function askedBy(typed: string): Asked {
  if (last?.typed !== typed) last = { typed, asked: readAsked(typed) };
  return last.asked;
}
let last: { readonly typed: string; readonly asked: Asked } | null = null;

function readAsked(typed: string): Asked {
  const question = withAskingWordsAsMeant(typed);
  const names = namesIn(question);
  const stopWords = stopWordsOf(question);
  const isEnglish = stopWords === ENGLISH_STOP_WORDS;
  const stops = isEnglish ? NONE : new Set([...stopWords].map(stem));
  const terms = new Set(termsWithNames(question, names)).difference(stops);
  const does = DOES.exec(question);
  const named = termsWithNames(does?.[1] ?? question, names).filter(
    (term) => !ASKING.has(term) && !stops.has(term),
  );
  const subject = new Set(named);
  const sort = new Set(termsOf(SORT.exec(question)?.[1] ?? ''));
  const all = subject.size > 0 ? subject : terms;
  const isHow = /^\W*(?:and |but )?how (?:do|does|did|can|could|should|to|would)\b/i.test(question);
  return {
    terms,
    names,
    subject: all,
    sort,
    called: calledIn(question).union(new Set(names)).intersection(all),
    kind: isHow ? 'other' : kindOf(question),
    isHow,
    isWhat: WHAT.test(question) || isTyped(question),
    isDoes: does !== null,
    isEnglish,
  };
}

const NONE: ReadonlySet<string> = new Set();

/** The word behind the one that asks. What is none is a stop word. */
const SORT = /^\W*(?:which|what) (\p{L}+) \S/iu;
/** What something does: the verb is no part of the subject. */
const DOES = /^\W*what (?:does|do|did) (.+) \p{L}+[^\p{L}]*$/iu;

/** `What is a refspec?`; what more is asked of a thing goes on with a verb or with `of`. */
const WHAT =
  /^\W*what(?:\s+is|\s+are|['’]s) (?!the (?:default|maximum|minimum|difference|name|range|size)\b)\S+(?:\s+\S+){0,4}\s*$/iu;

/** As people type who search: `refspec what is`, or nothing but `fast forward`. */
const isTyped = (question: string): boolean => {
  const words = wordsOf(question.slice(0, TYPED_CHARACTERS));
  if (words.at(-2) === 'what' && IS.test(words.at(-1)!)) return words.length <= TYPED_WORDS;
  return (
    words.length <= FEW_WORDS &&
    words.every((word) => !ENGLISH_STOP_WORDS.has(word) && !ASKING.has(termOf(word)!))
  );
};
const [TYPED_CHARACTERS, TYPED_WORDS, FEW_WORDS] = [200, 7, 3];
const IS = /^(?:is|are)$/;

/** Nobody asks for more, and each is looked for in all texts. */
const MAX_NAMES = 16;
const namesIn = (question: string): readonly string[] =>
  [...new Set(question.toLowerCase().match(NAME))].filter((name) => !NO_NAME.test(name)).slice(0, MAX_NAMES);

/**
 * The terms of a text, where these names count as a whole: `work_mem` does not stand in `autovacuum_work_mem`.
 *
 * @param isProse whether a name may also be written as words, as the cache size for `cache_size`: headings and titles that
 *   are called so are not about the name
 */
export function termsWithNames(text: string, names: readonly string[], isProse = false): string[] {
  if (names.length === 0) return termsOf(text);
  const found: string[] = [];
  let rest = text.toLowerCase();
  for (const [name, form] of names.flatMap((one) => formsOf(one, isProse))) {
    if (!rest.includes(form)) continue;
    const [first, ...others] = rest.split(form) as [string, ...string[]];
    const parts = [first];
    let end = first.slice(-2);
    for (const after of others) {
      const isWhole = !WORD_END.test(end) && !WORD_START.test(after.slice(0, 2));
      if (isWhole) found.push(name);
      const between = isWhole ? ' ' : form;
      parts.push(between, after);
      end = `${end}${between}${after.slice(-2)}`.slice(-2);
    }
    rest = parts.join('');
  }
  return [...found, ...termsOf(rest)];
}
const formsOf = (name: string, isProse: boolean): readonly (readonly [name: string, form: string])[] =>
  isProse && SNAKE.test(name)
    ? [
        [name, name],
        [name, name.replaceAll('_', ' ')],
      ]
    : [[name, name]];
const SNAKE = /^[a-z\d]+(?:_[a-z\d]+)+$/;
/** Whether any of these names may stand in a text, which is in small letters. */
export const mayHold = (text: string, names: readonly string[], isProse: boolean): boolean =>
  names.some((name) => formsOf(name, isProse).some(([, form]) => text.includes(form)));

const WORD_END = /[\p{L}\p{N}_]$/u;
const WORD_START = /^[\p{L}\p{N}_]/u;

/** Words that say what is asked about the subject, and are no part of it. */
export const ASKING: ReadonlySet<string> = new Set(
  termsOf(
    `default value mean meaning definition define purpose difference differ control happen maximum minimum range size
    number many much long large big way use used work works show display see possible exactly option parameter setting
    type function command variable method class exception property attribute find several require need`,
  ),
);
