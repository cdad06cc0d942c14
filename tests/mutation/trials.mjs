import { ask, start } from './processes.mjs';

/** Modules of earlier trials stay in memory. */
const TRIALS_A_PROCESS = 400;
/** What a test may take of the processor beside four times what it takes without a mutant, and what loading a file may. */
const OF_ITS_OWN_MS = 1_500;
const LOADING_MS = 5_000;

/** @param switched the program with all mutants in it, each behind a switch */
export const surveyOf = async (files, switched) => {
  const child = await start();
  const found = await ask(child, { survey: files, switched }, () => Infinity);
  child.kill();
  if (found === undefined) throw new Error('the tests without mutants did not end');
  return found.surveyed;
};

/** One process at a time that tries mutants in one way; a new one where it has died, or has had enough. */
const createTrier = (prepare, most) => {
  let child;
  let trials = 0;
  const end = () => {
    child?.kill();
    child = undefined;
  };
  return {
    end,
    /** The answer; nothing where there was none in time. */
    try: async (question, allowed) => {
      if (trials >= most) end();
      if (child === undefined) {
        trials = 0;
        child = await start();
        await prepare(child);
      }
      trials += 1;
      const answer = await ask(child, question, allowed);
      if (answer === undefined || answer.spoilt) end();
      return answer;
    },
  };
};

/**
 * What becomes of each mutant, in turn. Tests that take little and have killed much come first; the first that fails
 * is the last; none is begun when it is over. One that runs four times as long as without the mutant, and 1.5 seconds, runs without end.
 *
 * A mutant that is reached while modules load is tried in a program that is loaded anew with it; the others are switched on
 * in one that was loaded once, and only where that was spoilt they are tried like the first.
 */
export const tryAll = async (mutants, surveyed, switched, isOver, told) => {
  const covering = coveringOf(surveyed);
  const onLoad = new Set(surveyed.flatMap((one) => one.onLoad));
  const load = surveyed.filter(({ tests }) => tests.length > 0).map(({ file }) => file);
  const inOne = createTrier((child) => ask(child, { load, switched }, () => Infinity), Infinity);
  const anew = createTrier(() => {}, TRIALS_A_PROCESS);
  for (const mutant of mutants) {
    if (isOver()) break;
    const tests = covering.get(mutant.id) ?? [];
    const program = mutant.program();
    if (program === undefined || tests.length === 0) {
      told({ ...mutant, status: program === undefined ? 'CompileError' : 'NoCoverage' });
      continue;
    }
    const took = new Map(tests.map(({ file, name, ms }) => [`${file} ${name}`, ms]));
    const allowed = (begun) => {
      const ms = took.get(begun);
      return ms === undefined ? LOADING_MS : OF_ITS_OWN_MS + 4 * ms;
    };
    const plan = planOf(tests);
    let answer = onLoad.has(mutant.id)
      ? { spoilt: true }
      : await inOne.try({ mutant: mutant.id, plan }, allowed);
    if (answer?.spoilt) answer = await anew.try({ file: mutant.file, program, plan }, allowed);
    const by = answer?.killedBy;
    for (const test of tests) if (by === `${test.file} ${test.name}`) test.kills += 1;
    told({
      ...mutant,
      status: answer === undefined ? 'Timeout' : by === undefined ? 'Survived' : 'Killed',
      killedBy: by,
    });
  }
  inOne.end();
  anew.end();
};

/** The tests that reach a mutant, by its id; one that is reached while a file loads is reached by all of its tests. */
const coveringOf = (surveyed) => {
  const covering = new Map();
  for (const { file, onLoad, tests } of surveyed) {
    for (const { name, ms, mutants: ids } of tests) {
      const test = { file, name, ms, kills: 0 };
      for (const id of new Set([...onLoad, ...ids])) covering.set(id, [...(covering.get(id) ?? []), test]);
    }
  }
  return covering;
};

const planOf = (tests) => {
  const worth = ({ ms, kills }) => (ms + 1) / (1 + kills);
  const byFile = Map.groupBy(
    tests.toSorted((a, b) => worth(a) - worth(b)),
    ({ file }) => file,
  );
  return [...byFile].map(([file, own]) => ({ file, names: own.map(({ name }) => name) }));
};
