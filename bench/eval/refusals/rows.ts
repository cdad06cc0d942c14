import { type Evidence, evidenceOf } from '../../../domain/answer/evidence.ts';
import { isEnough, isWeighed, type Weights, isMostlyHeld } from '../../../domain/answer/is-about.ts';
import type { Kind } from '../../../domain/answer/kinds.ts';
import type { Passage } from '../../../domain/answer/passage.ts';
import { rankSentences } from '../../../domain/answer/rank-sentences.ts';
import { unwrittenWords } from '../../../domain/ranking/unwritten.ts';
import type { IsWord } from '../../../domain/ranking/words-of-language.ts';
import { termOf } from '../../../domain/answer/terms.ts';
import { wordsOf } from '../../../domain/shared/words.ts';
import { createEnglishWords } from '../../../adapters/system/words/english-words.ts';
import type { Case } from './cases.ts';
import { digestOf, kept } from './kept.ts';
import type { AskedOf } from './passages.ts';
import { passagesOn, type Site, SITES } from './sites.ts';

/** A question that was asked of a manual, or of a small site of its pages, and what speaks for an answer. */
export interface Row extends Pick<Case, 'question' | 'isOfAnother' | 'answerable'> {
  readonly manual: string;
  readonly site: Site;
  /** Null where no evidence is weighed: `isAnswered` is so whatever the weights. */
  readonly evidence: Evidence | null;
  readonly kind: Kind;
  readonly isAnswered: boolean;
}

/** A way to judge rows: which weights are for those of a manual. */
export interface Judge {
  readonly name: string;
  readonly weightsFor: (manual: string) => Weights;
}

/** What decides evidence beside passages. */
const EVIDENCE = [
  'domain/{answer,ranking,shared}/**/*.ts',
  'adapters/system/words/*.ts',
  'bench/eval/refusals/{cases,passages,rows,sites}.ts',
];

/** The rows of all these manuals. Kept until something changes that they depend on. */
export const rowsOf = async (asked: readonly AskedOf[]): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  const isWord = await createEnglishWords()();
  for (const { manual, cases } of asked) {
    const digest = await digestOf(EVIDENCE, [], cases);
    const those = await kept(`evidence-${manual}`, digest, () =>
      Promise.resolve(
        SITES.flatMap((site) =>
          cases.map((one, i) => rowOf(manual, one, site, passagesOn(site, cases, i), isWord)),
        ),
      ),
    );
    rows.push(...those);
  }
  return rows;
};

const rowOf = (
  manual: string,
  { question, isOfAnother, answerable, unwritten }: Case,
  site: Site,
  passages: readonly Passage[],
  isWord: IsWord,
): Row => {
  const ranking = rankSentences(question, passages);
  const { asked, sentences, missing } = ranking;
  // A small site has no other texts.
  const lacking = wordsOf(question).filter((word) => missing.has(termOf(word) ?? ''));
  const words = site === 'whole' ? unwritten : unwrittenWords(lacking, isWord);
  const fixed = sentences.length === 0 ? false : isWeighed(asked) ? null : isMostlyHeld(ranking);
  return {
    manual,
    question,
    isOfAnother,
    answerable,
    site,
    kind: asked.kind,
    evidence: fixed === null ? evidenceOf(ranking, words) : null,
    isAnswered: fixed ?? false,
  };
};

/** Whether the question is answered by these weights. */
export const isAnsweredBy = ({ evidence, kind, isAnswered }: Row, weights: Weights): boolean =>
  evidence === null ? isAnswered : isEnough(evidence, kind, weights);
