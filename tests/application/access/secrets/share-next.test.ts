import { describe, expect, it } from 'vitest';
import { shareNext } from '../../../../application/access/secrets/credentials.ts';

const setUp = () => {
  const reads: PromiseWithResolvers<string>[] = [];
  const ask = shareNext(() => {
    const read = Promise.withResolvers<string>();
    reads.push(read);
    return read.promise;
  });
  return { reads, ask };
};

describe('sharing what is read', () => {
  it('shares no read that had begun before the call, and one that begins after it', async () => {
    const { reads, ask } = setUp();
    const first = ask();
    const [second, third] = [ask(), ask()];
    reads[0]!.resolve('before');
    expect([await first, reads.length]).toEqual(['before', 2]);
    const late = ask();
    reads[1]!.resolve('between');
    expect([await second, await third]).toEqual(['between', 'between']);
    await expect.poll(() => reads.length).toBe(3);
    reads[2]!.resolve('after');
    expect(await late).toBe('after');
  });

  it('keeps a failure to those who shared it', async () => {
    const { reads, ask } = setUp();
    const [first, second] = [ask(), ask()];
    reads[0]!.reject(new Error('the store is away'));
    await expect(first).rejects.toThrow('the store is away');
    reads[1]!.resolve('well');
    expect(await second).toBe('well');
  });
});
