import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, inject } from 'vitest';
import { askBroker } from './ask-broker.ts';
import { openBacking, STORE } from './backing.ts';
import { type Client, clientOf } from './client.ts';
import type { Place } from './database.ts';
import { type Service, startService } from './service.ts';
import type { SharedTenant } from './shared-service.ts';
import { openSite, type Site } from './site.ts';

/** A tenant of a service that other files of journeys use at the same time, which is neither to be ended nor changed. */
export interface Tenant extends Client, Place {
  readonly tenant: string;
}

export interface Journey {
  /** A new tenant of the service that this run shares; crawls may reach every site on loopback. */
  readonly tenant: () => Promise<Tenant>;
  /** A service of its own, with these variables: for what ends, configures or looks at a service as a whole. */
  readonly service: (env?: { readonly [name: string]: string }) => Promise<Service>;
  /**
   * What starts processes with these roles that share their data. That takes a server, whatever the rest of the run is on.
   * All are ended together, whatever has become of them.
   */
  readonly processes: (
    env?: { readonly [name: string]: string },
    signal?: 'SIGTERM' | 'SIGKILL',
  ) => Promise<StartProcess>;
  readonly site: (...pages: Parameters<typeof openSite>) => Promise<Site>;
  /** To be called in the end too, once all is closed that was opened later. */
  readonly closing: (close: () => Promise<unknown>) => void;
}

export type StartProcess = (roles?: string, more?: { readonly [name: string]: string }) => Promise<Service>;

/** Opens what a file of journeys needs, and closes it after the last of its tests. */
export const openJourney = (): Journey => {
  const closing: (() => Promise<unknown>)[] = [];
  const opened = <T>(value: T, close: () => Promise<unknown>): T => {
    closing.push(close);
    return value;
  };
  afterAll(async () => {
    for (const close of closing.toReversed()) await close();
  });
  return {
    tenant: newTenant,
    service: async (env) => {
      const service = await startService(env);
      return opened(service, service.dispose);
    },
    processes: async (env, signal = 'SIGTERM') => {
      const [backing, dataDir] = await Promise.all([
        openBacking(STORE === 'embedded' ? 'postgres' : STORE),
        mkdtemp(join(tmpdir(), 'knowledger-processes-')),
      ]);
      const services: Service[] = [];
      closing.push(async () => {
        await Promise.all(services.map((service) => service.end(signal)));
        await Promise.all([backing.close(), rm(dataDir, { recursive: true, force: true })]);
      });
      return async (roles, more) => {
        const given = { ...env, ...(roles !== undefined && { KNOWLEDGER_ROLES: roles }), ...more };
        const service = await startService(given, { dataDir, backing });
        services.push(service);
        return service;
      };
    },
    site: async (...pages) => {
      const site = await openSite(...pages);
      return opened(site, site.close);
    },
    closing: (close) => void closing.push(close),
  };
};

const newTenant = async (): Promise<Tenant> => {
  const found = await askBroker<SharedTenant>(new URL('/tenant', inject('serviceBroker')).href);
  const { base, key, tenant, dataDir, database } = found;
  return { ...clientOf(base, key), tenant, dataDir, backing: { env: {}, database, close: async () => {} } };
};
