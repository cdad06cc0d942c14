import { afterAll, beforeAll } from 'vitest';
import type { Connectors } from '../../../../application/sources/ingestion/connector.ts';
import type { Parameters } from '../../../../domain/ingestion-setting/index.ts';
import type { ConnectorParts } from '../../../support/ingestion-wiring.ts';
import { type IngestionWorld, openIngestionWorld } from '../../../support/ingestion-world.ts';

/** A provider that a test changes: items are named by short words, and hold a title and a text. */
export interface Provider {
  readonly parameters: Parameters;
  /** As the connector names the item. */
  readonly locatorOf: (name: string) => string;
  readonly put: (name: string, title: string) => void;
  /** The provider tells that the item is gone: it lists it no more or, where what it leaves out stays, as deleted. */
  readonly remove: (name: string) => void;
  /** What the provider says of this item until it is put again: it cannot be had. Absent: no single item can fail. */
  readonly break?: (name: string) => void;
  /** Adds items whose names are empty, of more than 2,000 characters, and the same as another's. */
  readonly addOddNames: () => void;
  /** How often it gave what an item holds: for a `Listing`, the calls of `fetch`. */
  readonly fetched: () => number;
  readonly close?: () => Promise<void>;
}

export interface ConnectorUnderTest<P extends Provider = Provider> {
  readonly connect: (parts: ConnectorParts) => Connectors;
  /** A provider of its own, empty. */
  readonly openProvider: () => Promise<P>;
}

export const NAMES: readonly string[] = ['one', 'two', 'three', 'four', 'five'];

/** The documents that there are then, by their locators. */
export const documentsOf = (
  names: readonly string[],
  { locatorOf }: Provider,
  title = (name: string) => `Title ${name}`,
): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [locatorOf(name), title(name)]));

/** What the tests of a connector do. Call it within `describe`: its world is opened before them, and closed behind. */
export const underTest = <P extends Provider>({ connect, openProvider }: ConnectorUnderTest<P>) => {
  let world: IngestionWorld;
  const providers: P[] = [];
  beforeAll(async () => {
    world = await openIngestionWorld(connect);
  }, 120_000);
  afterAll(async () => {
    await world?.close();
    for (const { close } of providers) await close?.();
  });

  /** With these items. */
  const provided = async (): Promise<P> => {
    const provider = await openProvider();
    providers.push(provider);
    for (const each of NAMES) provider.put(each, `Title ${each}`);
    return provider;
  };
  return {
    world: () => world,
    provided,
    /** A data source whose first job has ended. */
    stored: async () => {
      const provider = await provided();
      const id = await world.create(provider.parameters);
      await world.attempt(id);
      return { provider, id };
    },
    synced: async (id: string, ...how: readonly [] | ['full']): Promise<void> => {
      await world.sync(id, ...how);
      await world.attempt(id);
    },
    /** Status and counts of the newest job. */
    ended: async (id: string) => {
      const { status, job } = await world.stateOf(id);
      return { status, ...job.counts };
    },
    /** Types of the events that came since there were `before`. */
    since: async (id: string, before: number): Promise<readonly string[]> =>
      (await world.facts(id)).slice(before).map(({ type }) => type),
  };
};
