import { judged, type Outcome, pagesOf, placeOf } from './judge.ts';
import type { Question } from './questions.ts';

/** What is judged. */
export interface Service {
  /** The addresses of what a search finds, best first: at most so many contents. */
  readonly search: (query: string, mode: string, limit: number) => Promise<readonly string[]>;
  /** A question's answer, and how many contents it cites. */
  readonly answer: (question: string) => Promise<{ readonly content: string; readonly citations: number }>;
}
export interface Asking {
  readonly modes: readonly string[];
  /** Whether answers are judged beside searches. */
  readonly answers: boolean;
}

/** Contents that are asked for: enough that ten pages are among them, as a page has several. */
const DEPTH = 100;
/** A right page further down counts as not found. */
const PLACES = 10;

/** What came of a question, and what was seen of it, which is not kept. */
export interface Asked {
  readonly outcome: Outcome;
  readonly seen: {
    /** By mode, each page once, in the order in which they were found. */
    readonly pages: { readonly [mode: string]: readonly string[] };
    readonly answer?: string;
  };
}

/** Asks one question in each mode, and for its answer: what a client of the API would see. */
export const ask = async (service: Service, asking: Asking, question: Question): Promise<Asked> => {
  const { urls, answerable } = question;
  const places: { [mode: string]: number | null } = {};
  const pages: { [mode: string]: readonly string[] } = {};
  for (const mode of urls.length > 0 ? asking.modes : []) {
    pages[mode] = pagesOf(await service.search(question.question, mode, DEPTH));
    const place = placeOf(pages[mode], urls);
    places[mode] = place !== null && place <= PLACES ? place : null;
  }
  const outcome = { question: question.question, answerable, ...(urls.length > 0 && { places }) };
  if (!asking.answers) return { outcome, seen: { pages } };
  const answered = await service.answer(question.question);
  const answer = judged(question, answered);
  return { outcome: { ...outcome, answer }, seen: { pages, answer: answered.content } };
};
