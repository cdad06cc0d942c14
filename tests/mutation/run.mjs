// npm run mutate [-- folder or file…]
// Changes the program in small ways, one after the other, and looks whether a test fails. Prints each mutant that
// survived, then one line of JSON; fails below the least share of killed ones. Once before: npm run mutate:setup
import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { readFileSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { EQUIVALENT } from './equivalent.ts';
import { verdictOn } from './verdict.ts';

const LEAST_SHARE = 0.95;

const { positionals } = parseArgs({ allowPositionals: true });
const places = positionals.length > 0 ? positionals : ['domain', 'application'];
const mutate = places.map((place) =>
  statSync(place).isDirectory() ? `${place.replace(/\/$/, '')}/**/*.ts` : place,
);

const { Stryker } = await import('@stryker-mutator/core').catch(() => {
  console.error('the mutation tester is not installed: npm run mutate:setup');
  process.exit(1);
});
const results = await new Stryker({
  // Ports are types.
  mutate: [...mutate, '!application/ports/**'],
  testRunner: 'vitest',
  plugins: [import.meta.resolve('@stryker-mutator/vitest-runner')],
  vitest: { configFile: 'tests/mutation/vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  // Its types need the compiler's older interface.
  tsconfigFile: 'none',
  disableTypeChecks: false,
  concurrency: availableParallelism(),
  timeoutMS: 20_000,
  reporters: ['progress-append-only'],
  tempDirName: 'reports/mutation',
  ignorePatterns: ['data', 'reports', 'bench/node_modules'],
  allowConsoleColors: false,
}).runMutationTest();

const root = execFileSync('git', ['rev-parse', '--show-toplevel'], { encoding: 'utf8' }).trim();
const nameOf = (file) => file.replace(`${root}/`, '');
/** The text between two places, lines and columns counted from 1. */
const codeAt = (file, { start, end }) => {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .slice(start.line - 1, end.line);
  lines[lines.length - 1] = lines.at(-1).slice(0, end.column - 1);
  lines[0] = lines[0].slice(start.column - 1);
  return lines.join('\n');
};
const tried = results.map(({ fileName, location, replacement, status }) => ({
  file: nameOf(fileName),
  line: location.start.line,
  code: codeAt(fileName, location),
  by: replacement,
  status,
}));
const verdict = verdictOn(tried, EQUIVALENT, new Set(tried.map(({ file }) => file)));
for (const { file, line, code, by, status } of verdict.survivors)
  console.log(
    `${file}:${line} ${status}\n  - ${code.replaceAll('\n', '\n    ')}\n  + ${by.replaceAll('\n', '\n    ')}`,
  );
for (const { file, code } of verdict.stale) console.log(`${file}: ${code} is no equivalent mutant any more`);
const { mutants, killed, equivalent, share, survivors } = verdict;
console.log(JSON.stringify({ places, mutants, killed, equivalent, survived: survivors.length, share }));
if (share < LEAST_SHARE) process.exitCode = 1;
