// Tries mutants, one after the other. A trial loads the program and its tests anew, with the mutant in its place; or it
// switches the mutant on in a program that was loaded once with all of them, which is far quicker.
import { resolve } from 'node:path';
import fc from 'fast-check';
import '../support/same-random-values.ts';
import { run } from './collected-tests.mjs';
import { beginRound, testsIn } from './loading.mjs';

// The first example that fails is enough: nobody reads the smallest.
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });

/** Where programs that hold all mutants keep which tests reached which, and look which of them is on. */
const SWITCHES = '__stryker__';
const switches = { mutantCoverage: { static: {}, perTest: {} } };
globalThis[SWITCHES] = switches;

/** Milliseconds of the processor. */
const used = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};
/** Told at once, also where what begins never lets go of the thread. */
const tellBeginning = (begins) => void process.send({ begins });

let stray;
process.on('unhandledRejection', (error) => (stray ??= error));
process.on('uncaughtException', (error) => (stray ??= error));

/** The tests of each file, what they take, and which mutants they and its loading reach; and what fails without mutants. */
const survey = async ({ survey: files, switched }) => {
  const { mutantCoverage } = switches;
  const surveyed = [];
  for (const file of files) {
    mutantCoverage.static = {};
    switches.currentTestId = undefined;
    const timesOf = new Map();
    const failed = [];
    try {
      beginRound(switched);
      const own = await testsIn(file);
      const onLoad = Object.keys(mutantCoverage.static);
      let since;
      await run(own, {
        before: (name) => {
          switches.currentTestId = `${file} ${name}`;
          since = used();
        },
        after: (name, error) => {
          if (error === undefined) timesOf.set(name, used() - since);
          else failed.push(`${file} ${name}: ${error.message}`);
        },
      });
      const reachedBy = (name) => Object.keys(mutantCoverage.perTest[`${file} ${name}`] ?? {});
      const tests = [...timesOf].map(([name, ms]) => ({ name, ms, mutants: reachedBy(name) }));
      surveyed.push({ file, failed, onLoad, tests });
    } catch (error) {
      surveyed.push({ file, failed: [`${file}: ${error.message}`], onLoad: [], tests: [] });
    }
  }
  return { surveyed };
};

/** Runs the tests of a plan, file by file, until one fails; answers which, or nothing. */
const firstFailure = async (plan, testsOf) => {
  stray = undefined;
  let failed;
  for (const { file, names } of plan) {
    tellBeginning(file);
    try {
      const byName = new Map((await testsOf(file)).map((one) => [one.name, one]));
      // Where a mutant has taken a test away, it has been noticed by who reads the names, and by nobody else.
      const chosen = names.flatMap((name) => byName.get(name) ?? []);
      const after = (name, error) => {
        if ((error ?? stray) !== undefined) failed = { file, name };
        return failed !== undefined;
      };
      await run(chosen, { before: (name) => tellBeginning(`${file} ${name}`), after });
    } catch {
      failed = { file };
    }
    if (failed !== undefined) return failed;
  }
  await new Promise((settled) => setImmediate(settled));
  return stray === undefined ? undefined : { file: 'no test' };
};

const asAnswer = (failed) =>
  failed === undefined ? {} : { killedBy: [failed.file, failed.name].filter(Boolean).join(' ') };

/** `plan`: files and the names of their tests, in the order in which they are to be tried. */
const tryAnew = async ({ file, program, plan }) => {
  const programs = { [resolve(file)]: program };
  return asAnswer(
    await firstFailure(plan, (testFile) => {
      beginRound(programs);
      return testsIn(testFile);
    }),
  );
};

/** Tests by file, of the program that was loaded once. */
const loaded = new Map();
const load = async ({ load: files, switched }) => {
  beginRound(switched);
  for (const file of files) {
    tellBeginning(file);
    loaded.set(file, await testsIn(file).catch(() => []));
  }
  return {};
};

/**
 * A failure counts where the same test passes with the mutant off: modules may keep what another mutant, or this one, has
 * left in them, and then all that comes after would fail.
 */
const trySwitched = async ({ mutant, plan }) => {
  const testsOf = (file) => loaded.get(file) ?? [];
  switches.activeMutant = mutant;
  const failed = await firstFailure(plan, testsOf);
  switches.activeMutant = undefined;
  if (failed === undefined) return {};
  const { file, name } = failed;
  const again = name === undefined || (await firstFailure([{ file, names: [name] }], testsOf)) !== undefined;
  return again ? { spoilt: true } : asAnswer(failed);
};

const answerTo = (asked) => {
  if (asked.survey !== undefined) return survey(asked);
  if (asked.load !== undefined) return load(asked);
  return asked.mutant === undefined ? tryAnew(asked) : trySwitched(asked);
};
process.on('message', (asked) => void answerTo(asked).then((found) => process.send(found)));
process.on('disconnect', () => process.exit());
process.send('ready');
