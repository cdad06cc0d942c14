import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Connectors } from '../../../application/ingestion/connector.ts';
import { WorkLost } from '../../../application/work/work-handler.ts';
import type { Parameters } from '../../../domain/ingestion-setting/index.ts';
import { Killed } from '../../support/dying.ts';
import {
  type ConnectorParts,
  type IngestionWorld,
  openIngestionWorld,
} from '../../support/ingestion-world.ts';

/** A provider that a test changes: units are named by short words, and hold a title and a text. */
export interface Provider {
  readonly parameters: Parameters;
  /** As the connector names the unit. */
  readonly locatorOf: (name: string) => string;
  readonly put: (name: string, title: string) => void;
  readonly remove: (name: string) => void;
  /** What the provider says of this unit until it is put again: it cannot be had. */
  readonly break: (name: string) => void;
  /** Adds units whose names are empty, of more than 2,000 characters, and the same as another's. */
  readonly addOddNames: () => void;
  /** Requests so far for what units hold. */
  readonly fetched: () => number;
  /** Leaves this unit out until it is put again; absent where a provider does not. */
  readonly leaveOut?: (name: string) => void;
  /** Lists this unit, and says that it is gone when it is asked for. */
  readonly vanish?: (name: string) => void;
  /** Refuses every request from now on, `after` more of them; absent where there are no credentials. */
  readonly reject?: (after: number) => void;
  /** Cannot be reached, `after` more requests from now on, until `back`. */
  readonly away?: { readonly leave: (after: number) => void; readonly back: () => void };
  readonly close?: () => Promise<void>;
}

export interface ConnectorUnderTest {
  readonly connect: (parts: ConnectorParts) => Connectors;
  /** A provider of its own, empty. */
  readonly openProvider: () => Promise<Provider>;
}

const NAMES = ['one', 'two', 'three', 'four', 'five'];
const JUST = (names: readonly string[], { locatorOf }: Provider, title = (name: string) => `Title ${name}`) =>
  Object.fromEntries(names.map((name) => [locatorOf(name), title(name)]));

/** Every promise of a connector, whatever it connects to. */
export const connectorContract = (name: string, { connect, openProvider }: ConnectorUnderTest): void => {
  describe(`${name} as a connector`, { timeout: 120_000 }, () => {
    let world: IngestionWorld;
    const providers: Provider[] = [];
    beforeAll(async () => {
      world = await openIngestionWorld(connect);
    }, 120_000);
    afterAll(async () => {
      await world?.close();
      for (const { close } of providers) await close?.();
    });

    const provided = async (names: readonly string[] = NAMES): Promise<Provider> => {
      const provider = await openProvider();
      providers.push(provider);
      for (const each of names) provider.put(each, `Title ${each}`);
      return provider;
    };
    /** A data source whose first job has ended. */
    const stored = async (names?: readonly string[]) => {
      const provider = await provided(names);
      const id = await world.create(provider.parameters);
      await world.attempt(id);
      return { provider, id };
    };
    const synced = async (id: string, ...how: readonly [] | ['full']): Promise<void> => {
      await world.sync(id, ...how);
      await world.attempt(id);
    };
    const ended = async (id: string) => {
      const { status, job } = await world.stateOf(id);
      return { status, ...job.counts };
    };
    /** Types of the events that came since there were `before`. */
    const since = async (id: string, before: number): Promise<readonly string[]> =>
      (await world.facts(id)).slice(before).map(({ type }) => type);

    it('stores every unit once, under its locator', async () => {
      const { provider, id } = await stored();
      expect(await world.documents(id)).toEqual(JUST(NAMES, provider));
      expect(await ended(id)).toMatchObject({ status: 'success', indexed: 5, failed: 0 });
      expect(await since(id, 0)).toEqual(NAMES.map(() => 'SourceIndexed'));
    });

    it('leaves alone what has not changed', async () => {
      const { provider, id } = await stored();
      const [before, fetched] = [(await world.facts(id)).length, provider.fetched()];
      await synced(id);
      expect(await since(id, before)).toEqual([]);
      expect(provider.fetched() - fetched).toBeLessThanOrEqual(NAMES.length);
      expect(await ended(id)).toMatchObject({ status: 'success', unchanged: 5, indexed: 0 });
    });

    it('reads afresh what has changed, and that alone', async () => {
      const { provider, id } = await stored();
      const before = (await world.facts(id)).length;
      provider.put('two', 'Another title');
      await synced(id);
      expect(await since(id, before)).toEqual(['SourceIndexed']);
      expect((await world.documents(id))[provider.locatorOf('two')]).toBe('Another title');
      expect(await ended(id)).toMatchObject({ unchanged: 4, indexed: 1 });
    });

    it('removes what is there no more, and stores what is new', async () => {
      const { provider, id } = await stored();
      const before = (await world.facts(id)).length;
      provider.remove('two');
      provider.put('six', 'Title six');
      await synced(id);
      expect((await since(id, before)).toSorted()).toEqual(['SourceIndexed', 'SourceRemoved']);
      expect(await world.documents(id)).toEqual(JUST(['one', 'three', 'four', 'five', 'six'], provider));
    });

    it('brings back what was away for a while', async () => {
      const { provider, id } = await stored();
      provider.remove('two');
      await synced(id);
      provider.put('two', 'Title two');
      await synced(id);
      expect(await world.documents(id)).toEqual(JUST(NAMES, provider));
    });

    it('lists a unit that cannot be read, stores the others, and reads it when it can be', async () => {
      const provider = await provided();
      provider.break('three');
      const id = await world.create(provider.parameters);
      await world.attempt(id);
      const { [provider.locatorOf('three')]: broken = null, ...others } = await world.documents(id);
      expect([broken, others]).toEqual([
        null,
        JUST(
          NAMES.filter((each) => each !== 'three'),
          provider,
        ),
      ]);
      expect(await world.errors(id)).toEqual([
        expect.objectContaining({ locator: provider.locatorOf('three'), attempt: 1 }),
      ]);
      expect(await ended(id)).toMatchObject({ status: 'success', failed: 1, indexed: 4 });
      provider.put('three', 'Title three');
      await synced(id);
      expect(await world.documents(id)).toEqual(JUST(NAMES, provider));
      expect(await world.errors(id)).toEqual([]);
    });

    it('keeps the document of a unit that cannot be read for a while', async () => {
      const { provider, id } = await stored();
      provider.break('three');
      await synced(id);
      expect(await world.documents(id)).toEqual(JUST(NAMES, provider));
      const before = (await world.facts(id)).length;
      provider.put('three', 'Title three');
      await synced(id);
      expect(await ended(id)).toMatchObject({ status: 'success', failed: 0 });
      expect(await world.errors(id)).toEqual([]);
      // It is well again, though it is as it was before.
      expect(await since(id, before)).toEqual(['SourceIndexed']);
    });

    it('removes what is there no more when it knows nothing of it itself', async () => {
      const { provider, id } = await stored();
      await world.connectors[provider.parameters.kind]!.forget(id);
      provider.remove('two');
      await synced(id);
      expect(await world.documents(id)).toEqual(JUST(['one', 'three', 'four', 'five'], provider));
    });

    it('takes away what its provider leaves out, and asks for it no more until it has changed', async (test) => {
      const { provider, id } = await stored();
      if (provider.leaveOut === undefined) return test.skip();
      provider.leaveOut('two');
      await synced(id);
      expect((await world.documents(id))[provider.locatorOf('two')]).toBeNull();
      const [before, fetched] = [(await world.facts(id)).length, provider.fetched()];
      await synced(id);
      expect([await since(id, before), provider.fetched()]).toEqual([[], fetched]);
      expect(await ended(id)).toMatchObject({ status: 'success', unchanged: 4, skipped: 1 });
      provider.put('two', 'Title two');
      await synced(id);
      expect(await world.documents(id)).toEqual(JUST(NAMES, provider));
    });

    it('removes a unit that was listed and is gone when it is asked for', async (test) => {
      const { provider, id } = await stored();
      if (provider.vanish === undefined) return test.skip();
      provider.vanish('two');
      await synced(id);
      expect(await ended(id)).toMatchObject({ status: 'success', failed: 0 });
      expect(await world.documents(id)).toEqual(JUST(['one', 'three', 'four', 'five'], provider));
    });

    it('comes back later to a provider that is away, and goes on from where it was', async (test) => {
      const { provider, id } = await stored();
      if (provider.away === undefined) return test.skip();
      for (const each of NAMES) provider.put(each, 'Another title');
      provider.away.leave(3);
      await synced(id);
      expect(await ended(id)).toMatchObject({ status: 'queued' });
      provider.away.back();
      world.later();
      await world.attempt(id);
      expect(await world.documents(id)).toEqual(JUST(NAMES, provider, () => 'Another title'));
    });

    it('reads everything afresh when it is told to, which changes nothing where all is the same', async () => {
      const { provider, id } = await stored();
      const [before, fetched] = [(await world.facts(id)).length, provider.fetched()];
      await synced(id, 'full');
      expect(provider.fetched() - fetched).toBeGreaterThanOrEqual(NAMES.length);
      expect(await since(id, before)).toEqual([]);
      expect(await world.documents(id)).toEqual(JUST(NAMES, provider));
    });

    it('looks at the units that a sync names, and leaves all others', async (test) => {
      const { provider, id } = await stored();
      if (world.connectors[provider.parameters.kind]?.unitsToSync === undefined) return test.skip();
      for (const each of ['one', 'two']) provider.put(each, 'Another title');
      provider.remove('three');
      provider.remove('four');
      await world.sync(id, 'incremental', ['one', 'three'].map(provider.locatorOf));
      await world.attempt(id);
      expect(await world.documents(id)).toEqual({
        ...JUST(['two', 'four', 'five'], provider),
        [provider.locatorOf('one')]: 'Another title',
      });
    });

    it('takes names that are empty, too long or there twice for what they are', async () => {
      const provider = await provided();
      provider.addOddNames();
      const id = await world.create(provider.parameters);
      await world.attempt(id);
      expect(await ended(id)).toMatchObject({ status: 'success', indexed: 5 });
      expect(await world.documents(id)).toMatchObject(JUST(NAMES, provider));
      const before = (await world.facts(id)).length;
      await synced(id);
      expect(await since(id, before)).not.toContain('SourceIndexed');
    });

    it('stops at once when it is told to, keeps what it has stored, and goes on from there later', async () => {
      for (let cancelAt = 2; ; cancelAt += 2) {
        const provider = await provided();
        const id = await world.create(provider.parameters);
        await world.attempt(id, { cancelAt });
        if (world.steps.count < cancelAt) break;
        const { status } = await ended(id);
        // What was finished before the word to stop arrived counts as finished.
        expect([cancelAt > 2 && 'success', 'canceled']).toContain(status);
        const kept = await world.documents(id);
        expect(JUST(NAMES, provider)).toMatchObject(kept);
        await synced(id);
        expect(await world.documents(id)).toEqual(JUST(NAMES, provider));
        expect(await since(id, 0)).toEqual(NAMES.map(() => 'SourceIndexed'));
      }
    });

    it('leaves nothing behind when its data source is deleted', async () => {
      const { provider, id } = await stored();
      await world.remove(id);
      expect(await world.documents(id)).toEqual({});
      const connector = world.connectors[provider.parameters.kind]!;
      expect((await connector.errors(id, { limit: 10 })).total).toBe(0);
    });

    it('goes on after a kill at any step, and ends as if there had been none', async () => {
      const measured = await stored();
      const steps = world.steps.count;
      expect(steps).toBeGreaterThan(NAMES.length);
      const whole = await ended(measured.id);
      for (let killAt = 1; killAt <= steps; killAt += 1) {
        const provider = await provided();
        const id = await world.create(provider.parameters);
        const attempt = await world.attempt(id, { killAt }).catch((error: unknown) => error);
        if (attempt instanceof Killed) {
          // Killed before it claimed the job, it has left nothing to be requeued.
          if ((await world.stateOf(id)).status !== 'queued') await world.requeue(id);
          await world.attempt(id);
        }
        expect([killAt, await world.documents(id)]).toEqual([killAt, JUST(NAMES, provider)]);
        expect([killAt, await since(id, 0)]).toEqual([killAt, NAMES.map(() => 'SourceIndexed')]);
        const { status, seen, failed } = await ended(id);
        expect([killAt, status, seen, failed]).toEqual([killAt, 'success', whole.seen, 0]);
      }
    });

    it('writes nothing more from the moment its lease is lost', async () => {
      for (let lostAt = 1; ; lostAt += 1) {
        const provider = await provided();
        const id = await world.create(provider.parameters);
        let looks = 0;
        let writes = 0;
        const stillOurs = (): void => {
          looks += 1;
          if (looks === lostAt) writes = world.steps.count;
          if (looks >= lostAt) throw new WorkLost('frozen');
        };
        await world.attempt(id, { stillOurs });
        if (looks < lostAt) break;
        expect([lostAt, world.steps.count]).toEqual([lostAt, writes]);
        await world.requeue(id);
        await world.attempt(id);
        expect(await world.documents(id)).toEqual(JUST(NAMES, provider));
      }
    });

    it('says so when its credentials are refused midway, and removes nothing', async (test) => {
      const { provider, id } = await stored();
      if (provider.reject === undefined) return test.skip();
      for (const each of NAMES) provider.put(each, 'Another title');
      provider.reject(2);
      await synced(id);
      expect(await ended(id)).toMatchObject({ status: 'failure' });
      expect(await world.lastFact(id)).toMatchObject({ error: { title: 'Credentials rejected' } });
      expect(Object.keys(await world.documents(id)).toSorted()).toEqual(
        NAMES.map(provider.locatorOf).toSorted(),
      );
    });
  });
};
