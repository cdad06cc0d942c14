import { isDigit, type Span } from './detector.ts';

/** Runs of digits one after the other, as people write long numbers, with what separates them. */
export interface DigitGroup extends Span {
  readonly digits: string;
  /** Between the group before and this one; empty for the first. */
  readonly separator: string;
}

/**
 * The groups from `start`, which is at a digit, as long as what separates them passes and there are at most `most`
 * digits altogether: the group that would exceed them is left out. Looks at no more than it answers and one group.
 */
export const digitGroups = (
  text: string,
  start: number,
  most: number,
  separator: RegExp,
): readonly DigitGroup[] => {
  const groups: DigitGroup[] = [];
  let at = start;
  let between = '';
  for (let count = 0; ;) {
    let end = at;
    while (isDigit(text.charAt(end)) && end - at <= most) end += 1;
    count += end - at;
    if (end === at || count > most) return groups;
    groups.push({ start: at, end, digits: text.slice(at, end), separator: between });
    separator.lastIndex = end;
    between = separator.exec(text)?.[0] ?? '';
    if (between === '') return groups;
    at = end + between.length;
  }
};

export const digitsOf = (groups: readonly DigitGroup[]): string =>
  groups.map(({ digits }) => digits).join('');
