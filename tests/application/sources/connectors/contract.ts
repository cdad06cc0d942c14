import { describe, expect, it } from 'vitest';
import { WorkLost } from '../../../../application/jobs/work-handler.ts';
import { Killed } from '../../../support/dying.ts';
import { type ConnectorUnderTest, documentsOf, NAMES, underTest } from './under-test.ts';

/** Of a frontier or an item store, which no revision fences. */
const OWN_WRITES: ReadonlySet<string> = new Set(['commit', 'forget']);

const NEVER_BROKEN = 'no single item of it can fail';

/**
 * Every promise of a connector, whatever it connects to. `apart`: jobs are killed, canceled or fenced at every so many
 * steps. Connectors by lists have most steps in common, of which one tries each.
 */
export const connectorContract = (name: string, connector: ConnectorUnderTest, apart = 3): void => {
  describe(`${name} as a connector`, { timeout: 120_000 }, () => {
    const { world, provided, stored, synced, ended, since } = underTest(connector);

    it('stores every item once, under its locator', async () => {
      const { provider, id } = await stored();
      expect(await world().documents(id)).toEqual(documentsOf(NAMES, provider));
      expect(await ended(id)).toMatchObject({ status: 'success', indexed: 5, failed: 0 });
      expect(await since(id, 0)).toEqual(NAMES.map(() => 'SourceIndexed'));
    });

    it('leaves alone what has not changed', async () => {
      const { provider, id } = await stored();
      const [before, fetched] = [(await world().facts(id)).length, provider.fetched()];
      await synced(id);
      expect(await since(id, before)).toEqual([]);
      expect(provider.fetched()).toBe(fetched);
      expect(await ended(id)).toMatchObject({ status: 'success', unchanged: 5, indexed: 0 });
    });

    it('reads afresh what has changed, and that alone', async () => {
      const { provider, id } = await stored();
      const [before, fetched] = [(await world().facts(id)).length, provider.fetched()];
      provider.put('two', 'Another title');
      await synced(id);
      expect([await since(id, before), provider.fetched()]).toEqual([['SourceIndexed'], fetched + 1]);
      expect((await world().documents(id))[provider.locatorOf('two')]).toBe('Another title');
      expect(await ended(id)).toMatchObject({ unchanged: 4, indexed: 1 });
    });

    it('removes what is there no more, and stores what is new', async () => {
      const { provider, id } = await stored();
      const before = (await world().facts(id)).length;
      provider.remove('two');
      provider.put('six', 'Title six');
      await synced(id);
      expect((await since(id, before)).toSorted()).toEqual(['SourceIndexed', 'SourceRemoved']);
      expect(await world().documents(id)).toEqual(
        documentsOf(['one', 'three', 'four', 'five', 'six'], provider),
      );
    });

    it('brings back what was away for a while', async () => {
      const { provider, id } = await stored();
      provider.remove('two');
      await synced(id);
      provider.put('two', 'Title two');
      await synced(id);
      expect(await world().documents(id)).toEqual(documentsOf(NAMES, provider));
    });

    it('lists an item that cannot be read, stores the others, and reads it when it can be', async ({
      skip,
    }) => {
      const provider = await provided();
      if (provider.break === undefined) return skip(NEVER_BROKEN);
      provider.break('three');
      const id = await world().create(provider.parameters);
      await world().attempt(id);
      const { [provider.locatorOf('three')]: broken = null, ...others } = await world().documents(id);
      expect([broken, others]).toEqual([
        null,
        documentsOf(
          NAMES.filter((each) => each !== 'three'),
          provider,
        ),
      ]);
      expect(await world().errors(id)).toEqual([
        expect.objectContaining({ locator: provider.locatorOf('three'), attempt: 1 }),
      ]);
      expect(await ended(id)).toMatchObject({ status: 'success', failed: 1, indexed: 4 });
      provider.put('three', 'Title three');
      await synced(id);
      expect(await world().documents(id)).toEqual(documentsOf(NAMES, provider));
      expect(await world().errors(id)).toEqual([]);
    });

    it('keeps the document of an item that cannot be read for a while', async ({ skip }) => {
      const { provider, id } = await stored();
      if (provider.break === undefined) return skip(NEVER_BROKEN);
      provider.break('three');
      await synced(id);
      expect(await world().documents(id)).toEqual(documentsOf(NAMES, provider));
      const before = (await world().facts(id)).length;
      provider.put('three', 'Title three');
      await synced(id);
      expect(await ended(id)).toMatchObject({ status: 'success', failed: 0 });
      expect(await world().errors(id)).toEqual([]);
      // It is well again, though it is as it was before.
      expect(await since(id, before)).toEqual(['SourceIndexed']);
    });

    it('removes what is there no more when it knows nothing of it itself', async () => {
      const { provider, id } = await stored();
      await world().connectors[provider.parameters.kind]!.forget(id);
      provider.remove('two');
      await synced(id);
      expect(await world().documents(id)).toEqual(documentsOf(['one', 'three', 'four', 'five'], provider));
    });

    it('reads everything afresh when it is told to, which changes nothing where all is the same', async () => {
      const { provider, id } = await stored();
      const [before, fetched] = [(await world().facts(id)).length, provider.fetched()];
      await synced(id, 'full');
      expect(provider.fetched() - fetched).toBeGreaterThanOrEqual(NAMES.length);
      expect(await since(id, before)).toEqual([]);
      expect(await world().documents(id)).toEqual(documentsOf(NAMES, provider));
    });

    it('takes names that are empty, too long or there twice for what they are', async () => {
      const provider = await provided();
      provider.addOddNames();
      const id = await world().create(provider.parameters);
      await world().attempt(id);
      expect(await ended(id)).toMatchObject({ status: 'success', indexed: 5 });
      expect(await world().documents(id)).toMatchObject(documentsOf(NAMES, provider));
      const before = (await world().facts(id)).length;
      await synced(id);
      expect(await since(id, before)).not.toContain('SourceIndexed');
    });

    it('stops at once when it is told to, keeps what it has stored, and goes on from there later', async () => {
      let most = 0;
      for (let cancelAt = 2; ; cancelAt += 1 + apart) {
        const provider = await provided();
        const id = await world().create(provider.parameters);
        await world().attempt(id, { cancelAt });
        if (world().steps.count < cancelAt) break;
        const { status } = await ended(id);
        // What was finished before the word to stop arrived counts as finished.
        expect([cancelAt > 2 && 'success', 'canceled']).toContain(status);
        const kept = await world().documents(id);
        expect(documentsOf(NAMES, provider)).toMatchObject(kept);
        if (status === 'canceled') most = Math.max(most, Object.keys(kept).length);
        await synced(id);
        expect(await world().documents(id)).toEqual(documentsOf(NAMES, provider));
        expect(await since(id, 0)).toEqual(NAMES.map(() => 'SourceIndexed'));
      }
      expect(most).toBeGreaterThan(0);
    });

    it('leaves nothing behind when its data source is deleted', async ({ skip }) => {
      const provider = await provided();
      if (provider.break === undefined) return skip(NEVER_BROKEN);
      provider.break('three');
      const id = await world().create(provider.parameters);
      await world().attempt(id);
      expect(await world().errors(id)).toHaveLength(1);
      await world().remove(id);
      expect([await world().documents(id), await world().errors(id)]).toEqual([{}, []]);
    });

    it('goes on after a kill at any step, and ends as if there had been none', async () => {
      const measured = await stored();
      const steps = world().steps.count;
      expect(steps).toBeGreaterThan(NAMES.length);
      const whole = await ended(measured.id);
      let kills = 0;
      for (let killAt = 1; killAt <= steps; killAt += apart) {
        const provider = await provided();
        const id = await world().create(provider.parameters);
        const attempt = await world()
          .attempt(id, { killAt })
          .catch((error: unknown) => error);
        if (attempt instanceof Killed) {
          kills += 1;
          // Killed before it claimed the job, it has left nothing to be requeued.
          if ((await world().stateOf(id)).status !== 'queued') await world().requeue(id);
          await world().attempt(id);
        }
        expect([killAt, await world().documents(id)]).toEqual([killAt, documentsOf(NAMES, provider)]);
        expect([killAt, await since(id, 0)]).toEqual([killAt, NAMES.map(() => 'SourceIndexed')]);
        const { status, seen, failed } = await ended(id);
        expect([killAt, status, seen, failed]).toEqual([killAt, 'success', whole.seen, 0]);
      }
      expect(kills).toBe(Math.ceil(steps / apart));
    });

    it('writes nothing more from the moment its lease is lost', async () => {
      let lostAt = 1;
      for (; ; lostAt += apart) {
        const provider = await provided();
        const id = await world().create(provider.parameters);
        let looks = 0;
        let writes = 0;
        const assertLeaseHeld = (): void => {
          looks += 1;
          if (looks === lostAt) writes = world().steps.count;
          if (looks >= lostAt) throw new WorkLost('frozen');
        };
        await world().attempt(id, { assertLeaseHeld });
        if (looks < lostAt) break;
        expect([lostAt, world().steps.count]).toEqual([lostAt, writes]);
        await world().requeue(id);
        await world().attempt(id);
        expect(await world().documents(id)).toEqual(documentsOf(NAMES, provider));
      }
      expect(lostAt).toBeGreaterThan(4);
    });

    it('looks at its lease between what it tells and what it writes down', async () => {
      const { provider, id } = await stored();
      provider.remove('two');
      provider.put('three', 'Another title');
      const [own, unseen]: [string[], string[]] = [[], []];
      let looked = false;
      const onStep = (step: string): void => {
        if (OWN_WRITES.has(step)) (looked ? own : unseen).push(step);
        looked = false;
      };
      await world().sync(id);
      await world().attempt(id, { assertLeaseHeld: () => void (looked = true), onStep });
      expect(unseen).toEqual([]);
      expect(new Set(own)).toEqual(OWN_WRITES);
    });
  });
};
