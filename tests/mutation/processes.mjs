// Processes of trials: how they are started, asked, and ended where they do not answer.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

const PROCESS = new URL('./trial-process.mjs', import.meta.url).pathname;
/** What is to be waited for comes sooner. */
const STILL_MS = 3_000;
const LOOK_EVERY_MS = 200;

/** Who ends this run ends its trials: one of them may never come to its end. */
const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

export const start = async () => {
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
export const ask = async (child, question, allowed) => {
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
