import type { Passage } from '../../../domain/answer/passage.ts';
import type { UnwrittenWord } from '../../../domain/ranking/unwritten.ts';
import { questionsOf } from '../manuals/judge-manual.ts';
import type { Manual } from '../manuals/manuals.ts';
import type { AskedManual } from '../manuals/service.ts';
import { holds } from '../judge.ts';
import type { Question } from '../questions.ts';

/** A question that was asked of a manual, with what the search found. */
export interface Case {
  /** As it was searched for. */
  readonly question: string;
  /** Whether it was written for another manual. */
  readonly isOfAnother: boolean;
  readonly answerable: boolean;
  readonly passages: readonly Passage[];
  /** Words of it that the manual has nowhere. */
  readonly unwritten: readonly UnwrittenWord[];
  /** Index of the passage that holds the facts, else of the first. */
  readonly telling: number;
}

/** What a manual is asked: its own questions, and those of another one. */
export interface Asking {
  readonly manual: Manual;
  readonly own: readonly Question[];
  readonly others: readonly Question[];
}

/** Each is asked the questions of the one before it too, and the first those of the second: more of them change nothing. */
export const askingsOf = async (manuals: readonly Manual[]): Promise<readonly Asking[]> => {
  const questions = await Promise.all(manuals.map(questionsOf));
  return manuals.map((manual, i) => {
    const other = i === 0 ? 1 : i - 1;
    return { manual, own: questions[i]!, others: questions[other] ?? [] };
  });
};

/** Searches for all that a manual is asked. */
export const casesOf = async (
  { own, others }: Asking,
  service: Pick<AskedManual, 'passagesFor'>,
): Promise<readonly Case[]> => {
  const cases: Case[] = [];
  for (const [i, { question: typed, answerable, facts }] of [...own, ...others].entries()) {
    const { question, passages, unwritten } = await service.passagesFor(typed);
    const isOfAnother = i >= own.length;
    const found = passages.findIndex(
      ({ text }) => facts.length > 0 && facts.every((fact) => holds(text, fact)),
    );
    cases.push({
      question,
      isOfAnother,
      answerable: answerable && !isOfAnother,
      unwritten,
      passages: passages.map(({ title, text, url }) => ({ title, text, ...(url !== undefined && { url }) })),
      telling: isOfAnother ? 0 : Math.max(0, found),
    });
  }
  return cases;
};
