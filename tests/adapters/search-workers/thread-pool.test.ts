import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { ThreadLimits } from '../../../adapters/search-workers/thread.ts';
import { createThreadPool, type ThreadPool } from '../../../adapters/search-workers/thread-pool.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';

let pool: ThreadPool | undefined;
let warnings: string[] = [];
/** Of the threads that ended before they should, whether they were silent. */
let stopped: boolean[] = [];
let counts = new Int32Array(new SharedArrayBuffer(16));
const ends = () => Atomics.load(counts, 1);
/** Has threads answer what they hold. */
const release = (): void => {
  Atomics.store(counts, 2, 1);
  Atomics.notify(counts, 2);
};

const LIMITS: ThreadLimits = { requestMs: 60_000, silentMs: 2_000, startMs: 60_000 };
const open = (threads = 1, endMs = 3_000, { limits = LIMITS, startsIn = 0 } = {}) => {
  warnings = [];
  stopped = [];
  counts = new Int32Array(new SharedArrayBuffer(16));
  counts[3] = startsIn;
  const { ask, close } = (pool = createThreadPool({
    script: new URL('./odd.thread.ts', import.meta.url),
    data: counts.buffer,
    threads,
    endMs,
    heapMb: 32,
    limits,
    ended: ({ silent }) => void stopped.push(silent),
    log: {
      warn: (message, fields) => void warnings.push(`${message} ${JSON.stringify(fields)}`),
    },
  }));
  return {
    close,
    ask: (operation: string, input?: unknown, which?: 'any' | 'first') => ask({ operation, input }, which),
  };
};

afterEach(() => pool?.close());

describe('a pool of threads', { timeout: 60_000 }, () => {
  it('answers what a thread does, as it is, and bytes without what lies around them', async () => {
    const { ask } = open();
    expect(await ask('echo', { a: [1, new Map([['b', 2n]])] })).toEqual({ a: [1, new Map([['b', 2n]])] });
    const bytes = (await ask('bytes', 'these')) as Uint8Array;
    expect(Buffer.from(bytes).toString()).toBe('these');
    expect(bytes.buffer.byteLength).toBe(5);
  });

  it('throws what the operation threw: refusals as such, and errors with their codes', async () => {
    const { ask } = open();
    const refused = await ask('refuse').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(DomainError);
    expect(refused).toMatchObject({ code: 'filter_invalid', message: 'no such key' });
    const broken = await ask('break').catch((error: unknown) => error);
    expect(broken).not.toBeInstanceOf(DomainError);
    expect(broken).toMatchObject({ name: 'RangeError', code: '57P01', message: 'the server is going down' });
    expect((broken as Error).stack).toContain('odd.thread.ts');
    await expect(ask('unclonable')).rejects.toThrow('could not be cloned');
    await expect(ask('echo', () => {})).rejects.toThrow('could not be cloned');
    await expect(ask('nothing')).rejects.toThrow('unknown operation of a thread: nothing');
    expect(await ask('echo', 'still here')).toBe('still here');
  });

  it('starts another thread when all are busy, and asks the least busy one', async () => {
    const { ask } = open(2);
    const first = await ask('thread');
    expect(await ask('thread')).toBe(first);
    const held = ask('held');
    // The second one starts, and is asked as soon as it is there; until then the first answers.
    let other = await ask('thread');
    expect(other).toBe(first);
    while (other === first) other = await ask('thread');
    expect(await ask('thread', undefined, 'first')).toBe(first);
    release();
    expect(await held).toBe(first);
  });

  it('asks once more when a thread ends over a question, and another thread answers', async () => {
    const { ask } = open();
    expect(await ask('dies', 1)).toBe('alive');
    expect(warnings).toEqual([expect.stringContaining('a thread ended')]);
  });

  it.each([
    ['leaves', 'dies', 9],
    ['throws what nobody catches', 'throws', 0],
    ['needs more memory than there is', 'fills', 0],
  ])('refuses as unavailable a question over which each thread %s', async (_, operation, input) => {
    const { ask } = open();
    await expect(ask(operation, input)).rejects.toMatchObject({ code: 'unavailable' });
    expect(warnings).toHaveLength(2);
    expect(await ask('echo', 'as before')).toBe('as before');
  });

  it('asks again what others had asked of a thread that ended', async () => {
    const { ask } = open();
    const ended = ask('thread');
    const others = [ask('held'), ask('held')];
    const deadly = ask('dies', 1);
    const first = await ended;
    expect(await deadly).toBe('alive');
    release();
    for (const thread of await Promise.all(others)) expect(thread).not.toBe(first);
  });
});

describe('a thread that hangs', { timeout: 60_000 }, () => {
  it('is stopped, and another answers what it was asked', async () => {
    const { ask } = open();
    const first = await ask('thread');
    const held = ask('held');
    expect(await ask('spins', 1)).toBe('alive');
    release();
    expect(await held).not.toBe(first);
    expect(warnings).toEqual([expect.stringContaining('it gave no sign of life for 2 s')]);
    expect(stopped).toEqual([true]);
  });

  it('is not replaced over and over for one question, which is refused as unavailable', async () => {
    const { ask } = open();
    await expect(ask('spins', 9)).rejects.toMatchObject({ code: 'unavailable' });
    expect(stopped).toEqual([true, true]);
    expect(await ask('echo', 'as before')).toBe('as before');
  });

  it('is told from one that is busy for others for longer than that', async () => {
    const { ask } = open();
    const first = await ask('thread');
    const held = ask('held');
    await pause(LIMITS.silentMs + 500);
    release();
    expect(await held).toBe(first);
    expect(warnings).toEqual([]);
  });

  it('is told from one that is slow to start', async () => {
    const { ask } = open(1, 3_000, { startsIn: LIMITS.silentMs + 500 });
    expect(await ask('echo', 'there')).toBe('there');
    expect(warnings).toEqual([]);
  });

  it('leaves a question without an answer: it is given up, and the thread answers others', async () => {
    const { ask } = open(1, 3_000, { limits: { ...LIMITS, requestMs: 500 } });
    const first = await ask('thread');
    await expect(ask('never')).rejects.toMatchObject({
      code: 'unavailable',
      message: 'there was no answer within 0.5 s: try again',
    });
    expect(await ask('thread')).toBe(first);
    expect(warnings).toEqual([]);
  });
});

describe('the end of a pool', { timeout: 60_000 }, () => {
  it('has no thread put down what it holds before it has answered, and refuses what comes later', async () => {
    const { ask, close } = open();
    await ask('thread');
    const answer = ask('held');
    const closed = close();
    await expect(ask('echo', 1)).rejects.toMatchObject({ code: 'unavailable' });
    // It would say so at once.
    expect(await Atomics.waitAsync(counts, 1, 0, 300).value).toBe('timed-out');
    release();
    await closed;
    expect(await answer).toBeGreaterThan(0);
    expect(ends()).toBe(1);
  });

  it('does not wait for ever', async () => {
    const { ask, close } = open(1, 300);
    await ask('thread');
    const never = ask('never').catch((error: unknown) => error);
    await close();
    expect(await never).toMatchObject({ code: 'unavailable' });
    expect(warnings).toEqual([]);
  });
});
