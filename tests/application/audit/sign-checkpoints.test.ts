import { expect, it } from 'vitest';
import { signCheckpoints, type SigningDeps } from '../../../application/audit/sign-checkpoints.ts';

/** Looks so many times, at logs of two tenants of which the first is not what was signed. */
const looked = async (rounds: number, given: Partial<SigningDeps> = {}) => {
  const stop = new AbortController();
  const told: string[] = [];
  const log = (message: string, fields?: object): void =>
    void told.push(`${message} ${Object.values(fields ?? {}).join(' ')}`);
  let left = rounds;
  await signCheckpoints(
    {
      tree: { grownSince: async (before) => (told.push(`grown since ${before}`), ['a', 'b']) },
      makeCheckpoint: async (tenant) => {
        if (tenant === 'a') throw new Error('changed');
        told.push(`signed ${tenant}`);
        return {} as never;
      },
      signer: async () => ({ publicKey: new Uint8Array(), sign: () => new Uint8Array() }),
      witness: async () => void told.push('witnessed'),
      clock: { now: () => 3_600_000 },
      log: { warn: log, error: log },
      idle: async () => {
        if ((left -= 1) === 0) stop.abort();
      },
      everyMs: 600_000,
      ...given,
    },
    stop.signal,
  );
  return told;
};
const ROUND = ['grown since 3000000', 'a checkpoint was not signed a changed', 'signed b', 'witnessed'];

it('each log that has grown gets a checkpoint, and one that cannot holds up no other', async () => {
  expect(await looked(2)).toEqual([...ROUND, ...ROUND]);
});

it('none is signed on a schedule without a key, or without an interval, and witnesses are asked all the same', async () => {
  expect(await looked(1, { signer: async () => null })).toEqual(['witnessed']);
  expect(await looked(1, { everyMs: 0 })).toEqual(['witnessed']);
});

it('goes on where the database is away', async () => {
  const tree = { grownSince: () => Promise.reject(new Error('away')) };
  const told = 'looking for logs that have grown failed away';
  expect(await looked(2, { tree })).toEqual([told, 'witnessed', told, 'witnessed']);
});
