import { onTestFinished } from 'vitest';
import { createGuardedAgent } from '../../../adapters/crawler/guarded-connector.ts';
import {
  createProviderClient,
  type ProviderClient,
  type ProviderClientOptions,
} from '../../../adapters/http-client/client.ts';
import type { ProviderRequest } from '../../../adapters/http-client/follow.ts';
import { json, type JsonProvider, openJsonProvider } from '../../support/json-provider.ts';

/** When each test begins. */
export const NOW = Date.parse('2026-11-20T08:00:00Z');

export interface OpenedClient {
  readonly client: ProviderClient;
  readonly provider: JsonProvider;
  /** How long it slept, one after the other; the clock goes on by it. */
  readonly waits: number[];
  readonly request: (path?: string, more?: Partial<ProviderRequest>) => ProviderRequest;
}

/** A provider of the running test, that answers `{}`. */
export const provided = async (): Promise<JsonProvider> => {
  const provider = await openJsonProvider(json({}));
  onTestFinished(() => provider.close());
  return provider;
};

/** A client that may reach its provider, and waits in no time. */
export const opened = async (options: Partial<ProviderClientOptions> = {}): Promise<OpenedClient> => {
  const provider = await provided();
  const waits: number[] = [];
  const clock = { now: NOW };
  const dispatcher = createGuardedAgent({ allowAddresses: ['127.0.0.1/32'] });
  onTestFinished(() => dispatcher.destroy());
  const client = createProviderClient({
    name: 'the host',
    dispatcher,
    idleTimeoutMs: 30_000,
    attemptTimeoutMs: 60_000,
    retry: { attempts: 3, firstDelayMs: 500, maxDelayMs: 2_000 },
    maxWaitMs: 30_000,
    defaultWaitMs: 60_000,
    now: () => clock.now,
    sleep: async (ms) => {
      waits.push(ms);
      clock.now += ms;
    },
    random: () => 1,
    ...options,
  });
  const request = (path = '/', more: Partial<ProviderRequest> = {}): ProviderRequest => ({
    url: new URL(path, provider.url),
    maxBytes: 10_000,
    ...more,
  });
  return { client, provider, waits, request };
};

export const never: AbortSignal = new AbortController().signal;

export const errorOf = async (work: Promise<unknown>): Promise<Error> => {
  const error: unknown = await work.then(
    () => new Error('it did not fail'),
    (caught: unknown) => caught,
  );
  return error as Error;
};
