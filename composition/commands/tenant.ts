import type { Container } from 'inversify';
import { createCheckpointMoves } from '../../adapters/postgres/projections/checkpoint-moves.ts';
import { runProjector } from '../../adapters/postgres/projections/projector.ts';
import { sleep } from '../../adapters/system/timing.ts';
import { apiKeyStream, derivedId } from '../../application/event-sourcing/streams.ts';
import { tenantId } from '../../application/access/people/sign-in.ts';
import { hasOurId, streamIdOf } from '../../application/event-sourcing/event-codec.ts';
import type { Execute } from '../../application/event-sourcing/execute.ts';
import { isDamagedStream } from '../../application/ports/event-checks.ts';
import { BEGINNING, type EventFeed, type Position } from '../../application/ports/event-store.ts';
import type { ReadGate } from '../../application/ports/read-gate.ts';
import { apiKey, type KeyRing } from '../../domain/api-key/decider.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/environment.ts';
import { openContainer } from '../container.ts';
import { openDatabasesBeside } from '../databases.ts';
import { keyDeps } from '../first-key.ts';
import { ensureKey, FIRST_TENANT, issueRecoveryKey } from '../bootstrap.ts';
import { CORE } from '../modules/core.ts';
import { VIEWS } from '../modules/roles.ts';
import { HELP } from './arguments.ts';

export type TenantRequest =
  | { readonly type: 'make'; readonly name: string }
  | { readonly type: 'key'; readonly tenant: string }
  | { readonly type: 'list' };

const NAMING =
  'a tenant is named by 1 to 100 ASCII letters, digits, underscores, dots, dashes and spaces between them, with a ' +
  'letter or a digit among them; "key" and "list" are taken';

/** @throws ConfigError that lists the valid requests */
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

/** Creates and lists tenants, and issues keys without the API: whoever can run commands here owns the data anyway. */
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

/** The tenant's id is derived from its name. */
const make = async (container: Container, name: string): Promise<string> => {
  const id = derivedId(container.get(CORE).hash, 'tenant', name);
  const { key, position } = await ensureKey(keyDeps(container), id, undefined);
  const made = `tenant ${name} is ${id}`;
  if (key === null) return `${made}\nIt has keys already. If all are lost: npm run tenant -- key ${id}`;
  const note = await takeUp(takeUpDeps(container), position);
  return `${made}\nIts first API key, shown only this once:\n\n  ${key}\n${note}`;
};

/** A tenant that never had a key does not exist: a mistyped name must not create one. */
const newKey = async (container: Container, tenant: string): Promise<string> => {
  const id = tenantId(container.get(CORE).hash, tenant);
  const found = await container.get(CORE).execute.load(apiKey, apiKeyStream(id), undefined);
  if (found === null || found.revision === 'none') {
    throw new ConfigError(`there is no tenant ${tenant}; to list the tenants: npm run tenant -- list`);
  }
  const { key, position } = await issueRecoveryKey(keyDeps(container), id);
  const note = await takeUp(takeUpDeps(container), position);
  return (
    `A new API key of tenant ${id} with every scope, shown only this once:\n\n  ${key}\n\n` +
    `The other keys of the tenant stay valid: revoke a key that others may have found.${note}`
  );
};

const list = async (container: Container): Promise<string> => {
  const now = container.get(CORE).clock.now();
  const rings = await keyRings(container.get(CORE));
  const lines = [...rings].map(([id, ring]) => {
    const note = id === FIRST_TENANT ? ', the tenant of the first start' : '';
    return `${id}  ${ring === null ? UNKNOWN : keysIn(ring, now)}${note}`;
  });
  return lines.length === 0 ? 'There are no tenants yet: "npm start" creates the first.' : lines.join('\n');
};

const UNKNOWN =
  'keys: unknown, because their events are damaged, or of a newer version of the service: see npm run views';

const keysIn = ({ keys }: KeyRing, now: number): string => {
  const living = [...keys.values()].filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
  const issuers = living.filter(({ scopes }) => scopes.includes('apikeys:issue'));
  return `keys: ${living.length}, of which issue keys: ${issuers.length}`;
};

export interface KeyRingDeps {
  readonly feed: Pick<EventFeed, 'read'>;
  readonly execute: Pick<Execute, 'load'>;
}

const EVENTS_AT_ONCE = 1_000;

/**
 * The keys of every tenant, oldest tenant first; null when a newer version or another program has written to them, or
 * events are missing. Reads events, because the views may have another version or be stopped.
 */
export const keyRings = async ({
  feed,
  execute,
}: KeyRingDeps): Promise<ReadonlyMap<string, KeyRing | null>> => {
  const rings = new Map<string, KeyRing | null>();
  for (const id of await tenantsOf(feed)) {
    const found = await execute.load(apiKey, apiKeyStream(id), undefined).catch((error: unknown) => {
      const isUnknown = error instanceof DomainError && error.code === 'unavailable';
      if (isUnknown || isDamagedStream(error)) return null;
      throw error;
    });
    rings.set(id, found && found.state);
  }
  return rings;
};

const tenantsOf = async (feed: Pick<EventFeed, 'read'>): Promise<ReadonlySet<string>> => {
  const ids = new Set<string>();
  for (let after = BEGINNING; ;) {
    const { events, position, more } = await feed.read(after, { categories: ['apiKey'] }, EVENTS_AT_ONCE);
    for (const event of events) if (hasOurId(event)) ids.add(streamIdOf(event.stream));
    if (!more) return ids;
    after = position;
  }
};

/** How long to wait for a new key to work before it is shown anyway. */
const WORKS_WITHIN_MS = 10_000;

export interface RetryDeps {
  readonly gate: ReadGate;
  /** Projects the view of keys until the signal aborts, unless another process does. */
  readonly project: (signal: AbortSignal) => Promise<void>;
}

/**
 * Waits until a new key works on every process: all processes authenticate with the view of keys, and none caches that
 * a key is unknown. Projects the view itself while no other process does.
 *
 * @returns a note to print with the key; empty when the key works
 */
export const takeUp = async (
  { gate, project }: RetryDeps,
  position: Position,
  withinMs = WORKS_WITHIN_MS,
): Promise<string> => {
  const over = new AbortController();
  const projecting = project(over.signal);
  try {
    const works = await gate.reached(['api_key'], position, withinMs);
    return works ? '' : NOT_YET;
  } finally {
    over.abort();
    await projecting;
  }
};

const NOT_YET =
  '\nIt does not work yet: the view of keys is not being updated. It will work as soon as a process with the role projector has ' +
  'processed it; see /readyz and the log of that process.';

const takeUpDeps = (container: Container): RetryDeps => {
  const core = container.get(CORE);
  const projection = container.get(VIEWS).projections.find(({ view }) => view === 'api_key')!;
  const deps = { ...core, moves: createCheckpointMoves(core.db), sleep };
  return { gate: core.gate, project: (signal) => runProjector(deps, projection, signal) };
};
