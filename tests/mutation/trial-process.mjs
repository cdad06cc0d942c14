// Tries mutants, one after the other. Every trial loads the program and its tests anew: what a mutant leaves behind in
// a module is gone with it, and what runs while modules load is tried too.
import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import fc from 'fast-check';
import '../support/same-random-values.ts';
import { collect, run } from './collected-tests.mjs';

// The first example that fails is enough: nobody reads the smallest.
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });

const FRAMEWORK = new URL('./collected-tests.mjs', import.meta.url).href;
const ROOT = new URL('../../', import.meta.url).href;
const plain = new Map();
/** Where programs that count keep what they counted. */
const COUNTED = '__stryker__';
let round = 0;
/** JavaScript by file, instead of what the file holds. */
let instead = {};

const programOf = (file) => {
  const changed = instead[file];
  if (changed !== undefined) return changed;
  if (!plain.has(file)) plain.set(file, stripTypeScriptTypes(readFileSync(file, 'utf8')));
  return plain.get(file);
};

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'vitest') return { url: FRAMEWORK, shortCircuit: true };
    const found = next(specifier, context);
    const ours =
      found.url.startsWith(ROOT) && /\.ts(\?|$)/.test(found.url) && !found.url.includes('/node_modules/');
    return ours
      ? { ...found, url: `${found.url.split('?')[0]}?round=${round}`, importAttributes: {} }
      : found;
  },
  load(url, context, next) {
    if (!url.includes('?round=')) return next(url, context);
    return { format: 'module', source: programOf(fileURLToPath(url.split('?')[0])), shortCircuit: true };
  },
});

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

const testsIn = (file) => {
  round += 1;
  return collect(() => import(`${pathToFileURL(resolve(file)).href}?round=${round}`));
};

/** The tests of each file, what they take, and which mutants they reach; `undefined` for what fails without mutants. */
const survey = async ({ files, counting }) => {
  const reached = { mutantCoverage: { static: {}, perTest: {} } };
  globalThis[COUNTED] = reached;
  const surveyed = [];
  for (const file of files) {
    instead = counting;
    reached.mutantCoverage.static = {};
    reached.currentTestId = undefined;
    const timesOf = new Map();
    const failed = [];
    try {
      const tests = await testsIn(file);
      const onLoad = Object.keys(reached.mutantCoverage.static);
      let since;
      await run(tests, {
        before: (name) => {
          reached.currentTestId = `${file} ${name}`;
          since = used();
        },
        after: (name, error) => {
          if (error === undefined) timesOf.set(name, used() - since);
          else failed.push(`${file} ${name}: ${error.message}`);
        },
      });
      surveyed.push({
        file,
        failed,
        tests: [...timesOf].map(([name, ms]) => {
          const own = Object.keys(reached.mutantCoverage.perTest[`${file} ${name}`] ?? {});
          return { name, ms, mutants: [...new Set([...onLoad, ...own])] };
        }),
      });
    } catch (error) {
      surveyed.push({ file, failed: [`${file}: ${error.message}`], tests: [] });
    }
  }
  return { surveyed };
};

/** `plan`: files and the names of their tests, in the order in which they are to be tried. */
const attempt = async ({ file, program, plan }) => {
  instead = { [resolve(file)]: program };
  stray = undefined;
  let killedBy;
  for (const { file: testFile, names } of plan) {
    tellBeginning(testFile);
    try {
      const tests = await testsIn(testFile);
      const byName = new Map(tests.map((one) => [one.name, one]));
      // Where a mutant has taken a test away, it has been noticed by who reads the names, and by nobody else.
      const chosen = names.flatMap((name) => byName.get(name) ?? []);
      const after = (name, error) => {
        if ((error ?? stray) !== undefined) killedBy = `${testFile} ${name}`;
        return killedBy !== undefined;
      };
      await run(chosen, { before: (name) => tellBeginning(`${testFile} ${name}`), after });
    } catch {
      killedBy = testFile;
    }
    if (killedBy !== undefined) return { killedBy };
  }
  await new Promise((settled) => setImmediate(settled));
  return stray === undefined ? {} : { killedBy: 'no test' };
};

process.on('message', (asked) => {
  const answer = asked.program === undefined ? survey(asked) : attempt(asked);
  void answer.then((found) => process.send(found));
});
process.on('disconnect', () => process.exit());
process.send('ready');
