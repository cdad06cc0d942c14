import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

const PROCESS = new URL('./trial-process.mjs', import.meta.url).pathname;
/** Modules of earlier trials stay in memory. */
const TRIALS_A_PROCESS = 400;
/** What a test may take of the processor beside four times what it takes without a mutant, and what loading a file may. */
const OF_ITS_OWN_MS = 1_500;
const LOADING_MS = 5_000;
/** What is to be waited for comes sooner. */
const STILL_MS = 3_000;
const LOOK_EVERY_MS = 200;

/** Who ends this run ends its trials: one of them may never come to its end. */
const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

const start = async () => {
  const child = fork(PROCESS, { execArgv: ['--max-old-space-size=1000', '--no-warnings'] });
  running.add(child);
  child.once('exit', () => running.delete(child));
  await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('the process of trials does not start'))),
  ]);
  return child;
};

/** What a process has had of the processor, in milliseconds, and whether it waits; nothing where the system does not say. */
const stateOf = ({ pid }) => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return { used: 10 * (Number(fields[11]) + Number(fields[12])), waits: fields[0] === 'S' };
  } catch {
    return undefined;
  }
};

/**
 * The answer; or nothing if there is none in time or the process ends, which is dead then. The time counts from the last
 * that the process has told of itself, and is that of the processor, so that a busy machine ends nothing; a process that
 * waits and uses none of it waits for what does not come. Where the system tells nothing it is twenty times the clock's.
 *
 * @param allowed the time in milliseconds for what the process tells that it begins; of one that may take any it may wait too
 */
const ask = async (child, question, allowed) => {
  const answered = Promise.withResolvers();
  let since = { at: performance.now(), used: stateOf(child)?.used, allowed: allowed(undefined) };
  let still = { at: since.at, used: since.used };
  const dead = () => answered.resolve(undefined);
  const told = (message) => {
    if (message.begins === undefined) return answered.resolve(message);
    const at = performance.now();
    still = since = { at, used: stateOf(child)?.used, allowed: allowed(message.begins) };
  };
  child.on('message', told);
  child.once('exit', dead);
  const timer = setInterval(() => {
    if (since.allowed === Infinity) return;
    const at = performance.now();
    const state = stateOf(child);
    if (state === undefined || since.used === undefined) {
      if (at - since.at > 20 * since.allowed) dead();
      return;
    }
    if (!state.waits || state.used > still.used) still = { at, used: state.used };
    if (state.used - since.used > since.allowed || at - still.at > STILL_MS) dead();
  }, LOOK_EVERY_MS);
  child.send(question);
  const answer = await answered.promise;
  clearInterval(timer);
  child.off('message', told).off('exit', dead);
  if (answer === undefined) child.kill('SIGKILL');
  return answer;
};

export const surveyOf = async (files, counting) => {
  const child = await start();
  const found = await ask(child, { files, counting }, () => Infinity);
  child.kill();
  if (found === undefined) throw new Error('the tests without mutants did not end');
  return found.surveyed;
};

/**
 * What becomes of each mutant, in turn. Tests that take little and have killed much come first; the first that fails
 * is the last; none is begun when it is over. One that runs four times as long as without the mutant, and 1.5 seconds, runs without end.
 */
export const tryAll = async (mutants, surveyed, isOver, told) => {
  const covering = new Map();
  for (const { file, tests } of surveyed) {
    for (const { name, ms, mutants: ids } of tests) {
      const test = { file, name, ms, kills: 0 };
      for (const id of ids) covering.set(id, [...(covering.get(id) ?? []), test]);
    }
  }
  let child;
  let trials = 0;
  for (const mutant of mutants) {
    if (isOver()) break;
    const tests = covering.get(mutant.id) ?? [];
    const program = mutant.program();
    if (program === undefined) {
      told({ ...mutant, status: 'CompileError' });
      continue;
    }
    if (tests.length === 0) {
      told({ ...mutant, status: 'NoCoverage' });
      continue;
    }
    if (trials >= TRIALS_A_PROCESS) {
      child?.kill();
      child = undefined;
    }
    if (child === undefined) trials = 0;
    child ??= await start();
    trials += 1;
    const took = new Map(tests.map(({ file, name, ms }) => [`${file} ${name}`, ms]));
    const question = { file: mutant.file, program, plan: planOf(tests) };
    const answer = await ask(child, question, (begun) => {
      const ms = took.get(begun);
      return ms === undefined ? LOADING_MS : OF_ITS_OWN_MS + 4 * ms;
    });
    if (answer === undefined) child = undefined;
    const by = answer?.killedBy;
    for (const test of tests) if (by === `${test.file} ${test.name}`) test.kills += 1;
    told({
      ...mutant,
      status: answer === undefined ? 'Timeout' : by === undefined ? 'Survived' : 'Killed',
      killedBy: by,
    });
  }
  child?.kill();
};

const planOf = (tests) => {
  const worth = ({ ms, kills }) => (ms + 1) / (1 + kills);
  const byFile = Map.groupBy(
    tests.toSorted((a, b) => worth(a) - worth(b)),
    ({ file }) => file,
  );
  return [...byFile].map(([file, own]) => ({ file, names: own.map(({ name }) => name) }));
};
