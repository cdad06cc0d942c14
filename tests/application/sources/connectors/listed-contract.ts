import { describe, expect, it } from 'vitest';
import type { JobError, JobErrorTitle } from '../../../../domain/data-source/index.ts';
import { HOSTILE_ANSWERS, HOSTILE_WORD, type HostileAnswer } from '../../../support/hostile-answers.ts';
import { type ConnectorUnderTest, documentsOf, NAMES, type Provider, underTest } from './under-test.ts';

/** A provider that lists its items, and may be asked with credentials. */
export interface ListedProvider extends Provider {
  /** Leaves this item out until it is put again. */
  readonly leaveOut: (name: string) => void;
  /** Lists this item, and says that it is gone when it is asked for. Absent: what is listed there cannot be gone. */
  readonly vanish?: (name: string) => void;
  /** Refuses every request from now on, but for `after` more of them: a provider of one request may ignore `after`. */
  readonly reject: (after: number) => void;
  /** Cannot be reached from now on, but for `after` more requests, likewise. */
  readonly leave: (after: number) => void;
  readonly comeBack: () => void;
  /** Answers every request so until it comes back. Absent: the connector asks nobody. */
  readonly answer?: (how: HostileAnswer) => void;
}

/** What a job may say when it ends by such an answer, or waits for another. */
const titlesFor = (how: HostileAnswer, status: string): readonly JobErrorTitle[] => {
  if (status === 'queued') return ['Provider not reachable'];
  if (how === 'a 401') return ['Credentials rejected'];
  return LARGE.has(how) ? ['Not found at the provider', 'Too large'] : ['Not found at the provider'];
};
const LARGE: ReadonlySet<HostileAnswer> = new Set([
  'an answer without end',
  'more values than any answer has',
]);

/** What a connector made by `createListedConnector` promises beside. */
export const listedContract = (name: string, connector: ConnectorUnderTest<ListedProvider>): void => {
  describe(`${name} as a connector of what is listed`, { timeout: 120_000 }, () => {
    const { world, stored, synced, ended, since } = underTest(connector);

    it('takes away what its provider leaves out, and asks for it no more until it has changed', async () => {
      const { provider, id } = await stored();
      provider.leaveOut('two');
      await synced(id);
      expect((await world().documents(id))[provider.locatorOf('two')]).toBeNull();
      const [before, fetched] = [(await world().facts(id)).length, provider.fetched()];
      await synced(id);
      expect([await since(id, before), provider.fetched()]).toEqual([[], fetched]);
      expect(await ended(id)).toMatchObject({ status: 'success', unchanged: 4, skipped: 1 });
      provider.put('two', 'Title two');
      await synced(id);
      expect(await world().documents(id)).toEqual(documentsOf(NAMES, provider));
    });

    it('removes an item that was listed and is gone when it is asked for', async ({ skip }) => {
      const { provider, id } = await stored();
      if (provider.vanish === undefined) return skip('what is listed there cannot be gone');
      provider.vanish('two');
      await synced(id);
      expect(await ended(id)).toMatchObject({ status: 'success', failed: 0 });
      expect(await world().documents(id)).toEqual(documentsOf(['one', 'three', 'four', 'five'], provider));
    });

    it('comes back later to a provider that is away, and goes on from where it was', async () => {
      const { provider, id } = await stored();
      for (const each of NAMES) provider.put(each, 'Another title');
      provider.leave(3);
      await synced(id);
      expect(await ended(id)).toMatchObject({ status: 'queued' });
      provider.comeBack();
      world().later();
      await world().attempt(id);
      expect(await world().documents(id)).toEqual(documentsOf(NAMES, provider, () => 'Another title'));
    });

    it.each(Object.keys(HOSTILE_ANSWERS) as HostileAnswer[])(
      'comes to no harm by %s: it removes nothing, repeats no word of it, and goes on later',
      async (how) => {
        const { provider, id } = await stored();
        if (provider.answer === undefined) return;
        for (const each of NAMES) provider.put(each, 'Another title');
        provider.answer(how);
        await synced(id);
        const { status } = await ended(id);
        expect(how === 'a 401' ? ['failure'] : ['failure', 'queued']).toContain(status);
        const { error } = (await world().lastFact(id)) as unknown as { readonly error: JobError };
        expect(titlesFor(how, status)).toContain(error.title);
        expect(error.message).not.toContain(HOSTILE_WORD);
        expect(await world().documents(id)).toEqual(documentsOf(NAMES, provider));
        provider.comeBack();
        world().later();
        await (status === 'queued' ? world().attempt(id) : synced(id));
        expect(await world().documents(id)).toEqual(documentsOf(NAMES, provider, () => 'Another title'));
      },
    );

    it('says so when its credentials are refused midway, and removes nothing', async () => {
      const { provider, id } = await stored();
      for (const each of NAMES) provider.put(each, 'Another title');
      provider.reject(2);
      await synced(id);
      expect(await ended(id)).toMatchObject({ status: 'failure' });
      expect(await world().lastFact(id)).toMatchObject({ error: { title: 'Credentials rejected' } });
      expect(Object.keys(await world().documents(id)).toSorted()).toEqual(
        NAMES.map(provider.locatorOf).toSorted(),
      );
    });
  });
};
