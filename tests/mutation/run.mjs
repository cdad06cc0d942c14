// npm run mutate [-- [--near] [--quick] [--minutes n] folder or file…]
// Changes the program in small ways, one after the other, and looks whether a test fails. Prints each mutant that
// survived, then one line of JSON. Once before: npm run mutate:setup
// --near: against the tests of the same folders alone; --quick: without those of them that take long
// --minutes: what was not tried by then is left out
import { globSync, statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { relatedTests } from './related-tests.mjs';
import { surveyOf, tryAll } from './trials.mjs';

/** Tests of other folders that take longer are left out, and all such with `--quick`: every survivor would run them. */
const MOST_MS = 300;

const {
  positionals,
  values: { near: nearOnly, quick, minutes: most },
} = parseArgs({
  allowPositionals: true,
  options: {
    near: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    minutes: { type: 'string', default: 'Infinity' },
  },
});
const places = positionals.length > 0 ? positionals : ['domain', 'application'];
const files = places
  .flatMap((place) => (statSync(place).isDirectory() ? globSync(`${place}/**/*.ts`) : [place]))
  // Ports are types.
  .filter((file) => !file.startsWith('application/ports/'))
  .map((file) => resolve(file))
  .toSorted();

const { mutantsOf } = await import('./mutants.mjs').catch(() => {
  console.error('the mutation tester is not installed: npm run mutate:setup');
  process.exit(1);
});
// Node warns of what takes the types away.
process.removeAllListeners('warning');
const began = performance.now();
const isOver = () => performance.now() - began > Number(most) * 60_000;
const { mutants, switched } = await mutantsOf(files);
const survived = new Set(['Survived', 'NoCoverage']);
const outcomes = new Map();

/** Tries those mutants that are still alive, against tests of the same folders or against the rest. */
const tryAgainst = async (which) => {
  const alive = mutants.filter(({ id }) => survived.has(outcomes.get(id)?.status ?? 'NoCoverage'));
  const tests = relatedTests([...new Set(alive.map(({ file }) => file))])[which];
  if (tests.length === 0) return;
  const surveyed = await surveyOf(tests, switched);
  for (const line of surveyed.flatMap(({ failed }) => failed))
    console.error(`left out, fails without a mutant: ${line}`);
  if (which === 'far' || quick)
    for (const one of surveyed) one.tests = one.tests.filter(({ ms }) => ms <= MOST_MS);
  const count = surveyed.reduce((sum, one) => sum + one.tests.length, 0);
  console.error(`${alive.length} mutants, ${count} tests in ${tests.length} files`);
  let done = 0;
  await tryAll(alive, surveyed, switched, isOver, (outcome) => {
    if (outcome.status !== 'NoCoverage' || !outcomes.has(outcome.id)) outcomes.set(outcome.id, outcome);
    done += 1;
    if (done % 100 === 0) console.error(`${done} of ${alive.length} tried`);
  });
};
await tryAgainst('near');
if (!nearOnly) await tryAgainst('far');
const left = isOver() ? mutants.filter(({ id }) => !outcomes.has(id)) : [];
const tried = mutants
  .filter((mutant) => !left.includes(mutant))
  .map((mutant) => {
    const { file, line, code, by } = mutant;
    return {
      file: relative('.', file),
      line,
      code,
      by,
      status: outcomes.get(mutant.id)?.status ?? 'NoCoverage',
    };
  });
const minutes = (performance.now() - began) / 60_000;

for (const { file, line, code, by, status } of tried.filter(({ status: of }) => survived.has(of)))
  console.log(
    `${file}:${line} ${status}\n  - ${code.replaceAll('\n', '\n    ')}\n  + ${by.replaceAll('\n', '\n    ')}`,
  );
const KILLED = new Set(['Killed', 'Timeout']);
/** Mutants that do not run at all count as none. */
const summaryOf = (all) => ({
  killed: all.filter(({ status }) => KILLED.has(status)).length,
  survived: all.filter(({ status }) => survived.has(status)).length,
});
const byFolder = Map.groupBy(tried, ({ file }) => file.split('/').slice(0, 2).join('/'));
for (const [folder, own] of byFolder.size > 1 ? byFolder : [])
  console.log(JSON.stringify({ folder, ...summaryOf(own) }));
const perMinute = Math.round(tried.length / minutes);
console.log(JSON.stringify({ places, ...summaryOf(tried), notTried: left.length, perMinute }));
