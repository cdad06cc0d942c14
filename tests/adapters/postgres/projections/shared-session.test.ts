import { EventEmitter } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import type pg from 'pg';
import { describe, expect, it } from 'vitest';
import { createSharedSession } from '../../../../adapters/postgres/projections/leadership.ts';

/** A connection that counts how many statements it was given at the same time. */
const client = () => {
  const seen = { atOnce: 0, most: 0, ended: 0 };
  const fake = Object.assign(new EventEmitter(), {
    connect: async () => {},
    end: async () => {
      seen.ended += 1;
    },
    query: async (sql: string) => {
      seen.atOnce += 1;
      seen.most = Math.max(seen.most, seen.atOnce);
      await turn();
      seen.atOnce -= 1;
      if (sql === 'fails') throw new Error('refused');
      return { rows: [{ sql }] };
    },
  });
  return { seen, fake: fake as unknown as pg.Client };
};

describe('a shared session', () => {
  it('asks one statement after the other, also after one that failed', async () => {
    const { seen, fake } = client();
    const sessions = createSharedSession(() => fake, 'settings');
    const [one, other] = [sessions.enter(), sessions.enter()];
    expect(other).toBe(one);
    const answers = await Promise.allSettled(['a', 'fails', 'b', 'c'].map((sql) => one.ask(sql, [])));
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(answers[3]).toMatchObject({ value: [{ sql: 'c' }] });
    expect(seen.most).toBe(1);
  });

  it('is closed by the last who leaves, and opened anew after that', async () => {
    const { seen, fake } = client();
    const sessions = createSharedSession(() => fake, 'settings');
    const [one, other] = [sessions.enter(), sessions.enter()];
    await sessions.leave(one);
    expect(seen.ended).toBe(0);
    await sessions.leave(other);
    expect(seen.ended).toBe(1);
    expect(sessions.enter()).not.toBe(one);
  });

  it('tells all who ask that no connection came about', async () => {
    const { fake } = client();
    fake.connect = async () => Promise.reject(new Error('no server'));
    const session = createSharedSession(() => fake, 'settings').enter();
    const answers = await Promise.allSettled([session.ask('a', []), session.ask('b', [])]);
    expect(answers.map((answer) => answer.status === 'rejected' && answer.reason.message)).toEqual([
      'no server',
      'no server',
    ]);
    expect(session.lost.aborted).toBe(true);
  });
});
