import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

const PROCESS = new URL('./trial-process.mjs', import.meta.url).pathname;
/** Modules of earlier trials stay in memory. */
const TRIALS_A_PROCESS = 400;
const OF_ITS_OWN_MS = 5_000;

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

/** What a process has had of the processor, in milliseconds; nothing where the system does not say. */
const processorTime = ({ pid }) => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return 10 * (Number(fields[11]) + Number(fields[12]));
  } catch {
    return undefined;
  }
};

/**
 * The answer; or nothing if there is none in time or the process ends, which is dead then. On a busy machine the time
 * is that of the processor, and twenty times as long by the clock.
 */
const ask = async (child, question, ms) => {
  const late = new AbortController();
  const begun = processorTime(child);
  const answer = once(child, 'message', { signal: late.signal }).then(([found]) => found);
  const dead = () => late.abort();
  child.once('exit', dead);
  let left = 20;
  const timer = setInterval(() => {
    left -= 1;
    if (begun === undefined || left === 0 || processorTime(child) - begun >= ms) dead();
  }, ms);
  child.send(question);
  try {
    return await answer;
  } catch {
    child.kill('SIGKILL');
    return undefined;
  } finally {
    clearInterval(timer);
    child.off('exit', dead);
  }
};

export const surveyOf = async (files, counting) => {
  const child = await start();
  const found = await ask(child, { files, counting }, 10 * 60_000);
  child.kill();
  if (found === undefined) throw new Error('the tests without mutants did not end');
  return found.surveyed;
};

/**
 * What becomes of each mutant, in turn. Tests that take little and have killed much come first; the first that fails
 * is the last. One that runs four times as long as without the mutant, and five seconds, runs without end.
 */
export const tryAll = async (mutants, surveyed, told) => {
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
    const took = tests.reduce((sum, { ms }) => sum + ms, 0);
    const answer = await ask(
      child,
      { file: mutant.file, program, plan: planOf(tests) },
      OF_ITS_OWN_MS + 4 * took,
    );
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
