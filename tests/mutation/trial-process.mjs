// Loads the program once with all mutants in it, then runs tests with one mutant switched on after the other.
import { resolve } from 'node:path';
import fc from 'fast-check';
import '../support/same-random-values.ts';
import { run } from './framework.mjs';
import { loadAnew, testsIn } from './loading.mjs';

// The first example that fails is enough: nobody reads the smallest.
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });

/** The instrumented program reads the active mutant here, and records here the mutants that each test reaches. */
const switches = { mutantCoverage: { static: {}, perTest: {} } };
globalThis['__stryker__'] = switches;
let stray;
process.on('unhandledRejection', (error) => (stray ??= error));
process.on('uncaughtException', (error) => (stray ??= error));

const loaded = new Map();
const load = async ({ files, switched }) => {
  loadAnew(switched);
  for (const file of files) loaded.set(file, await testsIn(file).catch(() => []));
  return {};
};

/** The duration of each test that passes without a mutant, the mutants that it reaches, and those that loading reaches. */
const survey = async () => {
  const surveyed = [];
  const onLoad = Object.keys(switches.mutantCoverage.static);
  for (const [file, tests] of loaded) {
    let since;
    await run(tests, {
      before: (name) => {
        switches.currentTestId = `${file} ${name}`;
        since = performance.now();
      },
      after: (name, error) => {
        if (error !== undefined) return console.error(`left out, fails without a mutant: ${file} ${name}`);
        const reached = Object.keys(switches.mutantCoverage.perTest[`${file} ${name}`] ?? {});
        surveyed.push({ file, name, ms: performance.now() - since, reached });
      },
    }).catch(() => console.error(`left out, does not end without a mutant: ${file}`));
  }
  return { surveyed, onLoad };
};

/** The first of the tests that fails. */
const firstFailure = async (plan, testsOf) => {
  stray = undefined;
  let failed;
  for (const { file, names } of plan) {
    try {
      const byName = new Map((await testsOf(file)).map((test) => [test.name, test]));
      await run(
        names.flatMap((name) => byName.get(name) ?? []),
        {
          before: () => {},
          after: (name, error) => {
            if ((error ?? stray) !== undefined) failed = { file, names: [name] };
            return failed !== undefined;
          },
        },
      );
    } catch {
      failed = { file, names };
    }
    if (failed !== undefined) return failed;
  }
  await new Promise((settled) => setImmediate(settled));
  return stray === undefined ? undefined : { file: 'no test', names: [] };
};

/** The mutant stands in the file's place, and the file and its tests are loaded anew. */
const tryAnew = async ({ file, program, plan }) => {
  loadAnew({ [resolve(file)]: program });
  return { killed: (await firstFailure(plan, testsIn)) !== undefined };
};

/** A module may keep a mutant's traces: a failure counts only where the same test passes with the mutant switched off. */
const trySwitched = async ({ mutant, plan }) => {
  const testsOf = (file) => loaded.get(file);
  switches.activeMutant = mutant;
  const failed = await firstFailure(plan, testsOf);
  switches.activeMutant = undefined;
  if (failed === undefined) return { killed: false };
  return (await firstFailure([failed], testsOf)) === undefined ? { killed: true } : { spoilt: true };
};

const QUESTIONS = { load, survey, tryAnew, trySwitched };
process.on('message', ({ kind, ...question }) => {
  void QUESTIONS[kind](question).then((answer) => process.send(answer));
});
process.on('disconnect', () => process.exit());
process.send('ready');
