import { parseArgs } from 'node:util';
import { WEIGHTS, type Weights } from '../../../domain/answer/is-about.ts';
import { MANUALS } from '../manuals/manuals.ts';
import { moreManuals } from '../manuals/run.ts';
import { bounded, countsFitted, judgesWithout } from './left-out.ts';
import { askManuals } from './passages.ts';
import { isAnsweredBy, type Judge, type Row, rowsOf } from './rows.ts';
import { tableByManual, tableOfSites } from './table.ts';

/** Of the questions with an answer, those that may be refused: by it the bound is chosen. */
const MOST_REFUSED = 0.045;
const OTHERS = [0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1];

/** Fits the weights of evidence, judges each manual by weights fitted without it, and prints both beside those of today. */
export const runRefusals = async (args: readonly string[], print: (line: string) => void): Promise<void> => {
  const { values } = parseArgs({
    args: [...args],
    options: { more: { type: 'string' }, wrong: { type: 'boolean', default: false } },
  });
  const rows = await rowsOf(await askManuals([...MANUALS, ...(await moreManuals(values.more))], print));
  const counts = countsFitted(rows);
  const all = bounded(counts, rows, MOST_REFUSED);
  const leftOut = judgesWithout(rows, [MOST_REFUSED, ...OTHERS]);
  const asNow: Judge = { name: 'as it is', weightsFor: () => WEIGHTS };
  const asFitted: Judge = { name: 'fitted to all', weightsFor: () => all };
  print(`${tableByManual(rows, [asNow, leftOut[0]!])}\n`);
  print(`${tableOfSites(rows, [asNow, asFitted, ...leftOut])}\n`);
  print(asText(all));
  if (values.wrong) for (const line of wrongBy(rows, leftOut[0]!)) print(line);
};

/** As `domain/answer/is-about.ts` has them. */
const asText = ({ counts, least }: Weights): string => {
  const lines = Object.entries(counts).map(([name, count]) => `    ${name}: ${count.toFixed(2)},`);
  return ['  counts: {', ...lines, '  },', `  least: ${least.toFixed(2)},`].join('\n');
};

const wrongBy = (rows: readonly Row[], judge: Judge): readonly string[] =>
  rows.flatMap((row) => {
    const { manual, question, answerable, isOfAnother, site, evidence, kind } = row;
    if (site !== 'whole' || isOfAnother || isAnsweredBy(row, judge.weightsFor(manual)) === answerable)
      return [];
    const figures = Object.entries(evidence ?? {}).map(([name, value]) => `${name} ${value.toFixed(2)}`);
    return [
      `${manual}: ${answerable ? 'refused' : 'answered'}: ${question}\n  ${[kind, ...figures].join(', ')}`,
    ];
  });
