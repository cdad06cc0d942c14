// npm run mutate [-- folder or file…]
// Changes the program in small ways, one after the other, and prints each change that no test notices.
// Once before: npm run mutate:setup
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync, statSync } from 'node:fs';
import { relative, resolve } from 'node:path';

const IMPORTED = /(?:from|import)\s*\(?\s*'(\.[^']+\.ts)'/g;
/** Tests that need no server. */
const TESTS = 'tests/{domain,application}/**/*.test.ts';
const WITH_SERVERS = /tests\/support\/(ask-broker|postgres|global-|service|shared-service|s3-server)/;
/** A trial may take this long beside ten times the duration of its tests without a mutant. */
const TRIAL_MS = 5_000;
/** Modules of earlier trials stay in memory. */
const LOADED_ANEW_A_PROCESS = 200;

const places = process.argv.length > 2 ? process.argv.slice(2) : ['domain', 'application'];
const files = places
  .flatMap((place) => (statSync(place).isDirectory() ? globSync(`${place}/**/*.ts`) : [place]))
  .map((file) => resolve(file))
  .toSorted();
// Node warns that taking the types away is new.
process.removeAllListeners('warning');
const { mutantsOf } = await import('./mutants.mjs').catch(() => {
  console.error('the mutation tester is not installed: npm run mutate:setup');
  process.exit(1);
});
const { mutants, switched } = await mutantsOf(files);

const imports = new Map();
const importsOf = (file) => {
  if (!imports.has(file)) {
    const found = readFileSync(file, 'utf8').matchAll(IMPORTED);
    imports.set(
      file,
      [...found].map(([, path]) => resolve(file, '..', path)),
    );
  }
  return imports.get(file);
};
/** Each test file with all that it imports, directly or through others. */
const importedBy = new Map(
  globSync(TESTS).map((file) => {
    const seen = new Set([resolve(file)]);
    for (const one of seen) for (const next of importsOf(one)) seen.add(next);
    return [resolve(file), seen];
  }),
);
const tests = [...importedBy.keys()].filter((test) => {
  const imported = importedBy.get(test);
  return files.some((file) => imported.has(file)) && ![...imported].some((file) => WITH_SERVERS.test(file));
});

let child;
let loadedAnew = 0;
const end = () => {
  child?.kill('SIGKILL');
  child = undefined;
  loadedAnew = 0;
};
process.on('exit', end);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

/** Nothing where the process ends or does not answer in time, and then it is stopped. */
const ask = async (question, allowedMs) => {
  if (child === undefined) {
    child = fork(new URL('./trial-process.mjs', import.meta.url).pathname, {
      execArgv: ['--max-old-space-size=1500', '--no-warnings'],
    });
    await once(child, 'message');
    await ask({ kind: 'load', files: tests, switched });
  }
  const answered = Promise.withResolvers();
  const timer = allowedMs && setTimeout(() => answered.resolve(undefined), allowedMs);
  const ended = () => answered.resolve(undefined);
  child.once('message', answered.resolve).once('exit', ended);
  child.send(question);
  const answer = await answered.promise;
  clearTimeout(timer);
  child.off('message', answered.resolve).off('exit', ended);
  if (answer === undefined || answer.spoilt) end();
  return answer;
};

const { surveyed, onLoad } = (await ask({ kind: 'survey' })) ?? {};
if (surveyed === undefined) throw new Error('the tests do not end without a mutant');
console.error(`${mutants.length} mutants, ${surveyed.length} tests in ${tests.length} files`);

/** `domain/tag` of a file there, and of one in `tests/domain/tag`. */
const folderOf = (file) =>
  relative('.', file)
    .replace(/^tests\//, '')
    .replace(/\/[^/]+$/, '');
/** Code that runs while modules load is reached by every test that loads it: tried are those of the same folder, if any. */
const loading = (file) => {
  const all = surveyed.filter((test) => importedBy.get(test.file).has(file));
  const near = all.filter((test) => folderOf(test.file) === folderOf(file));
  return near.length > 0 ? near : all;
};

const statusOf = async ({ id, file, program }) => {
  const isOnLoad = onLoad.includes(id);
  const reaching = isOnLoad ? loading(file) : surveyed.filter(({ reached }) => reached.includes(id));
  if (reaching.length === 0) return 'reached by no test';
  const byFile = Map.groupBy(
    reaching.toSorted((a, b) => a.ms - b.ms),
    (test) => test.file,
  );
  const plan = [...byFile].map(([testFile, own]) => ({ file: testFile, names: own.map(({ name }) => name) }));
  const allowedMs = TRIAL_MS + 10 * reaching.reduce((sum, { ms }) => sum + ms, 0);
  let answer = isOnLoad ? { spoilt: true } : await ask({ kind: 'trySwitched', mutant: id, plan }, allowedMs);
  if (answer?.spoilt) {
    loadedAnew += 1;
    if (loadedAnew > LOADED_ANEW_A_PROCESS) end();
    answer = await ask({ kind: 'tryAnew', file, program, plan }, allowedMs);
  }
  return answer?.killed === false ? 'survived' : 'killed';
};

const valid = mutants.filter(({ program }) => program !== undefined);
let killed = 0;
for (const mutant of valid) {
  const status = await statusOf(mutant);
  if (status === 'killed') killed += 1;
  else {
    const [code, by] = [mutant.code, mutant.by].map((text) => text.replaceAll('\n', '\n    '));
    console.log(`${relative('.', mutant.file)}:${mutant.line} ${status}\n  - ${code}\n  + ${by}`);
  }
}
console.log(`${killed} of ${valid.length} mutants killed`);
end();
