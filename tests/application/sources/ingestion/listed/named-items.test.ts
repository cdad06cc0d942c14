import { describe, expect, it } from 'vitest';
import {
  SourceAway,
  SourceRefused,
} from '../../../../../application/sources/ingestion/listed/listed-source.ts';
import { WorkLost } from '../../../../../application/jobs/work-handler.ts';
import { known } from './provider-in-memory.ts';

describe('a job on named items', () => {
  it('looks at these alone, removes those that are not there any more, and leaves all others', async () => {
    const provider = await known();
    provider.world.items.set('a', 'newer').delete('b');
    provider.world.items.delete('c');
    expect(await provider.run(2, { locators: ['a', 'b', 'x'], attempt: 3 })).toEqual({
      kind: 'completed',
      counts: expect.objectContaining({ seen: 1, indexed: 1 }),
      complete: false,
    });
    expect(provider.asked).toEqual([['find', 'a', 'b', 'x'], ['fetch', 'a'], ['close']]);
    expect(await provider.factsOf('b')).toEqual(['SourceIndexed', 'SourceRemoved']);
    expect([await provider.factsOf('c'), await provider.factsOf('x')]).toEqual([['SourceIndexed'], []]);
    expect(provider.outcomes()).toEqual({ a: 'indexed', c: 'indexed' });
    expect(provider.opened.at(-1)).toMatchObject({ mark: 'version 1' });
    expect(provider.rowOf('a')).toMatchObject({ attempt: 3 });
  });

  it('is for providers that can find items by their names', async () => {
    const provider = await known();
    provider.world.listing = { find: undefined } as never;
    const run = provider.run(2, { locators: ['a'] });
    await expect(run).rejects.toThrow('this provider cannot find items by their names');
    expect(provider.asked).toEqual([['close']]);
  });

  it('writes nothing of those that are gone once the job is lost', async () => {
    const provider = await known();
    provider.world.items.clear();
    let looks = 0;
    provider.documents.stillOurs = () => {
      // Before the facts, in the writing of the fact, and before the item store.
      if ((looks += 1) === 3) throw new WorkLost('frozen');
    };
    await expect(provider.run(2, { locators: ['a'] })).rejects.toThrow(WorkLost);
    expect(provider.outcomes()).toMatchObject({ a: 'indexed' });
  });
});

describe('what goes wrong with a provider', () => {
  it('fails the job where it says no, and puts it off where it asks to come later', async () => {
    const provider = await known();
    const fail = (error: Error): void => {
      provider.world.source.open = async () => {
        throw error;
      };
    };
    fail(new SourceRefused('not_found', 'Not found at the provider', 'there is no such folder'));
    expect(await provider.run(2)).toEqual({
      kind: 'failed',
      code: 'not_found',
      error: { title: 'Not found at the provider', message: 'there is no such folder' },
    });
    fail(new SourceAway('too many requests', { notBefore: 9 }));
    const error = { title: 'Provider not reachable', message: 'too many requests' };
    expect(await provider.run(2)).toEqual({ kind: 'transient', error, notBefore: 9 });
    fail(new SourceAway('too many requests'));
    expect(Object.keys(await provider.run(2))).toEqual(['kind', 'error']);
    fail(new Error('no such column'));
    await expect(provider.run(2)).rejects.toThrow('no such column');
  });
});
