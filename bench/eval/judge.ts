import { WEAK } from '../../domain/answer/closest-passages.ts';
import type { Question } from './questions.ts';

/** What came of one question. */
export interface Outcome {
  readonly question: string;
  readonly answerable: boolean;
  /** By mode: the place of the first right page, from 1; null: not found. Absent where no page is judged. */
  readonly places?: { readonly [mode: string]: number | null };
  /** Absent where nobody asked for answers. */
  readonly answer?: Judged;
}
export interface Judged {
  /** Whether the answer cites nothing, or says that no page seems to answer. */
  readonly weak: boolean;
  /** For each key fact whether the answer holds it. */
  readonly facts: readonly boolean[];
}
export interface Found {
  readonly success1: number;
  readonly success5: number;
  readonly mrr: number;
}
/** Rates, 0 to 1; null where the file has no such question. */
export interface Rates {
  readonly weakOfUnanswerable: number | null;
  readonly weakOfAnswerable: number | null;
  /** Of the questions with key facts, those whose answer holds all. */
  readonly facts: number | null;
}

/**
 * Place of the first right page among the pages found, in their order. A page counts once, however many of its contents
 * were found.
 */
export const placeOf = (urls: readonly string[], right: readonly string[]): number | null => {
  const place = pagesOf(urls).findIndex((page) => right.some((one) => isAt(page, bare(one))));
  return place === -1 ? null : place + 1;
};

/** Each page once, without what points into it. */
export const pagesOf = (urls: readonly string[]): readonly string[] => [...new Set(urls.map(bare))];

const bare = (url: string): string => url.replace(/[?#].*$/s, '').replace(/\/$/, '');
const isAt = (page: string, right: string): boolean =>
  page === right || page.endsWith(right.startsWith('/') ? right : `/${right}`);

/** Case and white space make no difference; a fact is not found within a longer word or number. */
export const holds = (answer: string, wordings: readonly string[]): boolean => {
  const said = plain(answer);
  return wordings.some((wording) => {
    const fact = plain(wording);
    for (let at = said.indexOf(fact); at !== -1; at = said.indexOf(fact, at + 1)) {
      const inWord = /\w\w/.test(said.slice(at - 1, at + 1)) && at > 0;
      const end = at + fact.length;
      if (!inWord && !/\w\w/.test(said.slice(end - 1, end + 1))) return true;
    }
    return false;
  });
};

const plain = (text: string): string => text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();

/** An answer without a citation holds no fact: titles of the nearest pages are no answer. */
export const judged = (
  { facts }: Question,
  { content, citations }: { readonly content: string; readonly citations: number },
): Judged => ({
  weak: citations === 0 || content.startsWith(WEAK),
  facts: facts.map((wordings) => citations > 0 && holds(content, wordings)),
});

export const foundBy = (
  outcomes: readonly Outcome[],
  mode: string,
): Found & { readonly questions: number } => {
  const places = outcomes.flatMap(({ places: all }) => (all === undefined ? [] : [all[mode] ?? null]));
  const share = (of: (place: number) => number): number =>
    rounded(places.reduce<number>((sum, place) => sum + (place === null ? 0 : of(place)), 0) / places.length);
  return {
    questions: places.length,
    success1: share((place) => (place === 1 ? 1 : 0)),
    success5: share((place) => (place <= 5 ? 1 : 0)),
    mrr: share((place) => 1 / place),
  };
};

export const ratesOf = (outcomes: readonly Outcome[]): Rates => {
  const answers = outcomes.flatMap(({ answerable, answer }) =>
    answer === undefined ? [] : [{ answerable, ...answer }],
  );
  const weakOf = (which: boolean): number | null =>
    shareOf(answers.filter(({ answerable }) => answerable === which).map(({ weak }) => weak));
  const withFacts = answers.filter(({ facts }) => facts.length > 0);
  return {
    weakOfUnanswerable: weakOf(false),
    weakOfAnswerable: weakOf(true),
    facts: shareOf(withFacts.map(({ facts }) => facts.every(Boolean))),
  };
};

const shareOf = (hits: readonly boolean[]): number | null =>
  hits.length === 0 ? null : rounded(hits.filter(Boolean).length / hits.length);
const rounded = (value: number): number => Number(value.toFixed(4));
