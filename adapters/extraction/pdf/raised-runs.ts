import { lowered, raised } from '../raised-text.ts';
import { type TextRun, riseBetween, stepBetween } from './text-runs.ts';

/** Exponents and indexes are smaller than their line, and so far from it, in its font heights. */
const SMALLER = 0.9;
const FARTHER = 0.1;

/** Writes what a line raises and lowers so that it does not run into the number beside it. */
export const withRaised = (row: readonly TextRun[]): readonly TextRun[] => {
  const written: TextRun[] = [];
  let base: TextRun | null = null;
  let part: { readonly isRaised: boolean; readonly before: string; run: TextRun } | null = null;
  let isBehindLowered = false;
  const end = (): void => {
    if (part === null) return;
    const { run, before, isRaised } = part;
    isBehindLowered = !isRaised && /\d$/.test(run.str);
    written.push({ ...run, str: (isRaised ? raised : lowered)(run.str, before) });
    part = null;
  };

  for (const run of row) {
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
      part = { isRaised: rise > 0, before: isApart ? ' ' : last.str.slice(-2), run };
      continue;
    }
    if (!isBlank) base = run;
    written.push(isBehindLowered && /^\d/.test(run.str) ? { ...run, str: ` ${run.str}` } : run);
    isBehindLowered &&= run.str === '';
  }
  end();
  return written;
};

/** 0 for what stands on the line. */
const riseOf = (base: TextRun, run: TextRun): number => {
  const rise = riseBetween(base, run);
  return run.height < SMALLER * base.height && Math.abs(rise) > FARTHER * base.height ? rise : 0;
};

const joined = (first: TextRun, next: TextRun): TextRun => {
  const far = Math.hypot(...[4, 5].map((at) => (next.transform[at] ?? 0) - (first.transform[at] ?? 0)));
  const gap = stepBetween(first, next) === 'word' ? ' ' : '';
  return { ...first, str: first.str + gap + next.str, width: far + (next.width ?? 0), hasEOL: next.hasEOL };
};
