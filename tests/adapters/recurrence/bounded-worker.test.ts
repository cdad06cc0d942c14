import type { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type BoundedWorker, createBoundedWorker } from '../../../adapters/recurrence/bounded-worker.ts';
import { HANGING_RULES } from './hanging-rules.ts';
import type { Misbehaviour } from './misbehaving.worker.ts';

type Asked = BoundedWorker<Misbehaviour, string>;
let worker: Asked | undefined;

function create(deadlineMs: number, script = './misbehaving.worker.ts'): Asked {
  worker = createBoundedWorker({ script: new URL(script, import.meta.url), deadlineMs, heapMb: 16 });
  return worker;
}

/** Turns of the event loop while something is awaited: none, or one, when it is blocked. */
async function turnsDuring(waiting: Promise<unknown>): Promise<number> {
  let turns = 0;
  let counting = true;
  const count = (): void => {
    turns += 1;
    if (counting) setImmediate(count);
  };
  setImmediate(count);
  await waiting.finally(() => {
    counting = false;
  });
  return turns;
}

const LONG = 30_000;
const echo = (text: string): Misbehaviour => ({ kind: 'echo', text });

/** Threads that have started and not ended. */
const threads = new Set<Worker>();
const onThread = (thread: Worker): void => {
  threads.add(thread);
  thread.once('exit', () => threads.delete(thread));
};

beforeAll(() => {
  process.on('worker', onThread);
});

afterAll(() => {
  process.off('worker', onThread);
});

afterEach(async () => {
  await worker?.close();
  worker = undefined;
  if (threads.size > 0) throw new Error('a thread is left running');
});

describe('bounded worker', { timeout: 60_000 }, () => {
  it.each(HANGING_RULES)('ends a thread that hangs on %s while the event loop is free', async (rule) => {
    const asked = create(60);
    await asked.ask(echo('started'));
    const reply = asked.ask({ kind: 'naive-rule', rule });
    expect(await turnsDuring(reply)).toBeGreaterThan(50);
    expect(await reply).toEqual({ answered: false });
  });

  it('answers again after it has ended a thread, questions already waiting included', async () => {
    const asked = create(500);
    const hanging = asked.ask({ kind: 'naive-rule', rule: HANGING_RULES[6] });
    const waiting = ['a', 'b', 'c'].map((text) => asked.ask(echo(text)));
    expect(await hanging).toEqual({ answered: false });
    expect(await Promise.all(waiting)).toEqual(['a', 'b', 'c'].map((answer) => ({ answered: true, answer })));
  });

  it('does not answer a question that uses up the heap, and goes on', async () => {
    const asked = create(LONG);
    expect(await asked.ask({ kind: 'exhaust-heap' })).toEqual({ answered: false });
    expect(await asked.ask(echo('next'))).toEqual({ answered: true, answer: 'next' });
  });

  it('does not answer when the thread ends by itself, and goes on', async () => {
    const asked = create(LONG);
    expect(await asked.ask({ kind: 'exit' })).toEqual({ answered: false });
    expect(await asked.ask(echo('next'))).toEqual({ answered: true, answer: 'next' });
  });

  it('rejects with what the thread threw, and goes on', async () => {
    const asked = create(LONG);
    await expect(asked.ask({ kind: 'throw' })).rejects.toThrow('no such question');
    expect(await asked.ask(echo('next'))).toEqual({ answered: true, answer: 'next' });
  });

  it('counts an answer that came in time while this thread was busy', async () => {
    const asked = create(100);
    await asked.ask(echo('started'));
    const reply = asked.ask(echo('in time'));
    await new Promise(setImmediate);
    const until = performance.now() + 300;
    while (performance.now() < until);
    expect(await reply).toEqual({ answered: true, answer: 'in time' });
  });

  it('gives a thread that got no processor time another turn', async () => {
    const asked = create(400);
    expect(await asked.ask({ kind: 'sleep', ms: 500 })).toEqual({ answered: true, answer: 'timed-out' });
  });

  it('ends a thread that neither works nor answers', async () => {
    const asked = create(20);
    expect(await asked.ask({ kind: 'sleep', ms: LONG })).toEqual({ answered: false });
  });

  it('rejects when the thread cannot start', async () => {
    const asked = create(LONG, './no-such.worker.ts');
    await expect(asked.ask(echo('x'))).rejects.toThrow(/no-such\.worker/);
    await expect(asked.ask(echo('x'))).rejects.toThrow(/no-such\.worker/);
  });

  it('leaves nothing running when it is closed in the middle of a question', async () => {
    const asked = create(LONG);
    await asked.ask(echo('started'));
    expect(threads.size).toBe(1);
    const hanging = asked.ask({ kind: 'naive-rule', rule: HANGING_RULES[6] });
    const waiting = asked.ask(echo('x'));
    const outcomes = Promise.allSettled([hanging, waiting, asked.ask(echo('y'))]);
    await asked.close();
    expect((await outcomes).map((outcome) => outcome.status)).toEqual(['rejected', 'rejected', 'rejected']);
    await expect(asked.ask(echo('x'))).rejects.toThrow('closed');
    expect(threads.size).toBe(0);
  });
});
