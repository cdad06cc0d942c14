import { lowered, raised } from '../raised-text.ts';
import { type TextRun, riseBetween, stepBetween } from './text-runs.ts';

/** Exponents and indexes are smaller than their line, and so far from it, in its font heights. */
const SMALLER = 0.9;
const HIGHER = 0.1;
const LOWER = 0.05;

/** Writes what a line raises and lowers so that it does not run into the number beside it. */
export const withRaised = (row: readonly TextRun[]): readonly TextRun[] => {
  const written: TextRun[] = [];
  let base: TextRun | null = null;
  let part: { readonly isRaised: boolean; readonly before: string; run: TextRun } | null = null;
  let isBehindNumber = false;
  const end = (): void => {
    if (part === null) return;
    const { run, before, isRaised } = part;
    isBehindNumber = /\d\s*$/.test(run.str);
    written.push({ ...run, str: (isRaised ? raisedOrNote : lowered)(run.str, before) });
    part = null;
  };

  for (const [at, run] of row.entries()) {
    const rise: number = base === null ? 0 : riseOf(base, run);
    const isBlank = run.str.trim() === '';
    if (part !== null && !isBlank && rise !== 0 && rise > 0 === part.isRaised) {
      part.run = joined(part.run, run);
      continue;
    }
    end();
    if (base !== null && !isBlank && rise !== 0) {
      const last = written.at(-1)!;
      const isApart = last.str.trim() !== '' && stepBetween(last, run) === 'word';
      part = { isRaised: rise > 0, before: isApart ? ' ' : last.str.slice(-SHORTEST_WORD), run };
      continue;
    }
    const next: TextRun | undefined = base === null && !isBlank ? row[at + 1] : undefined;
    if (next !== undefined && riseOf(next, run) > 0 && /\d$/.test(run.str)) {
      // The number of a note, before its text.
      written.push({ ...run, str: `${run.str} ` });
      continue;
    }
    if (!isBlank) base = run;
    written.push(isBehindNumber && /^\d/.test(run.str) ? { ...run, str: ` ${run.str}` } : run);
    isBehindNumber &&= run.str === '';
  }
  end();
  return written;
};

/** Of a run beside one of full height, in points; 0 for what stands on the line. */
export const riseOf = (base: TextRun, run: TextRun): number => {
  const rise = riseBetween(base, run);
  const isApart = rise > HIGHER * base.height || -rise > LOWER * base.height;
  return run.height < SMALLER * base.height && isApart ? rise : 0;
};

/** Of letters. What is shorter may be a unit or a function: `km²`, `sin²`. */
const SHORTEST_WORD = 4;
const WORD = /\p{L}{4}$/u;
const SENTENCE_END = /[.,;:!?…"'”’»]$/;

/** A number behind a word or the end of a sentence leads to a note, and belongs neither to the word nor to a number there. */
const raisedOrNote = (text: string, before: string): string => {
  const isNote = /^\s*\d+\s*$/.test(text) && (WORD.test(before) || SENTENCE_END.test(before));
  return isNote ? ` ${raised(text, 'm')}` : raised(text, before);
};

const joined = (first: TextRun, next: TextRun): TextRun => {
  const far = Math.hypot(...[4, 5].map((at) => (next.transform[at] ?? 0) - (first.transform[at] ?? 0)));
  const gap = stepBetween(first, next) === 'word' ? ' ' : '';
  return { ...first, str: first.str + gap + next.str, width: far + (next.width ?? 0), hasEOL: next.hasEOL };
};
