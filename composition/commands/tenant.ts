import type { Container } from 'inversify';
import { derivedId } from '../../application/event-sourcing/derived-id.ts';
import { apiKeyStream } from '../../application/event-sourcing/streams.ts';
import { apiKey, type KeyRing } from '../../domain/api-key/decider.ts';
import { ensureKey, FIRST_TENANT, issueRecoveryKey } from '../bootstrap.ts';
import { type Config, ConfigError } from '../config.ts';
import { openContainer } from '../container.ts';
import { bootstrapDeps } from '../first-key.ts';
import { openDatabasesBeside } from '../startup.ts';
import { TOKENS as T } from '../tokens.ts';
import { HELP } from './help.ts';
import { keyRings } from './key-rings.ts';
import { takeUp, takeUpDeps } from './new-key.ts';

export type TenantRequest =
  | { readonly type: 'make'; readonly name: string }
  | { readonly type: 'key'; readonly tenant: string }
  | { readonly type: 'list' };

const NAMING =
  'a tenant is named by 1 to 100 ASCII letters, digits, underscores, dots, dashes and spaces between them, with a ' +
  'letter or a digit among them; "key" and "list" are taken';
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @throws ConfigError saying what can be asked for */
export const readTenantRequest = (args: readonly string[]): TenantRequest => {
  const [first, second] = args;
  if (first === 'list' && args.length === 1) return { type: 'list' };
  if (first === 'key' && second !== undefined && args.length === 2) return { type: 'key', tenant: second };
  if (first === undefined || first === 'key' || first === 'list' || args.length > 1) {
    throw new ConfigError(HELP.tenant);
  }
  const named = /^[\w.-](?:[\w .-]{0,98}[\w.-])?$/.test(first) && /[A-Za-z0-9]/.test(first);
  if (!named) throw new ConfigError(`${NAMING}\n${HELP.tenant}`);
  return { type: 'make', name: first };
};

/** Makes and lists tenants, and issues keys past the API: whoever may run commands here owns the data anyway. */
export const manageTenants = async (config: Config, args: readonly string[]): Promise<void> => {
  const request = readTenantRequest(args);
  const databases = await openDatabasesBeside(config, (line) => console.error(line));
  const container = await openContainer(config, databases);
  try {
    console.log(await answer(container, request));
  } finally {
    await container.unbindAllAsync();
  }
};

const answer = (container: Container, request: TenantRequest): Promise<string> => {
  switch (request.type) {
    case 'make':
      return make(container, request.name);
    case 'key':
      return newKey(container, request.tenant);
    case 'list':
      return list(container);
  }
};

/** The id of a tenant follows from its name. */
const make = async (container: Container, name: string): Promise<string> => {
  const id = derivedId(container.get(T.Hash), 'tenant', name);
  const { key, position } = await ensureKey(bootstrapDeps(container), id, undefined);
  const made = `tenant ${name} is ${id}`;
  if (key === null) return `${made}\nIt has keys already. If all are lost: npm run tenant -- key ${id}`;
  const note = await takeUp(takeUpDeps(container), position);
  return `${made}\nIts first API key, shown only this once:\n\n  ${key}\n${note}`;
};

/** A tenant that never had a key does not exist: a mistyped name must not make one. */
const newKey = async (container: Container, tenant: string): Promise<string> => {
  const id = UUID.test(tenant) ? tenant.toLowerCase() : derivedId(container.get(T.Hash), 'tenant', tenant);
  const found = await container.get(T.Execute).load(apiKey, apiKeyStream(id), undefined);
  if (found === null || found.revision === 'none') {
    throw new ConfigError(`there is no tenant ${tenant}; those that are: npm run tenant -- list`);
  }
  const { key, position } = await issueRecoveryKey(bootstrapDeps(container), id);
  const note = await takeUp(takeUpDeps(container), position);
  return (
    `A new API key of tenant ${id} with every scope, shown only this once:\n\n  ${key}\n\n` +
    `The other keys of the tenant are as they were: revoke a key that others may have found.${note}`
  );
};

const list = async (container: Container): Promise<string> => {
  const now = container.get(T.Clock).now();
  const rings = await keyRings({ feed: container.get(T.EventFeed), execute: container.get(T.Execute) });
  const lines = [...rings].map(([id, ring]) => {
    const note = id === FIRST_TENANT ? ', the tenant of the first start' : '';
    return `${id}  ${ring === null ? UNKNOWN : keysIn(ring, now)}${note}`;
  });
  return lines.length === 0 ? 'There are no tenants yet: "npm start" makes the first.' : lines.join('\n');
};

const UNKNOWN = 'keys: a newer version of the service has written to them, ask that one';

const keysIn = ({ keys }: KeyRing, now: number): string => {
  const living = [...keys.values()].filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
  const issuers = living.filter(({ scopes }) => scopes.includes('apikeys:issue'));
  return `keys: ${living.length}, of which issue keys: ${issuers.length}`;
};
