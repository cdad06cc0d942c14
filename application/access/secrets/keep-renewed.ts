import { secret } from '../../../domain/secret/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import type { Clock, IdSource } from '../../ports/identity.ts';
import { secretStream } from '../../event-sourcing/streams.ts';
import type { KeptValue, SecretTexts } from './kept-value.ts';

export interface KeepRenewedDeps {
  readonly execute: Execute;
  readonly texts: SecretTexts;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Waits `ms`, or until aborted; never rejects. */
  readonly idle: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Keeps what a provider gave for the value `from`, in its place, unless a caller has given another one meanwhile. The old
 * token may be void by now: a store that is away for a moment must not cost the new one.
 */
export const keepRenewed = async (
  deps: KeepRenewedDeps,
  of: { readonly tenant: string; readonly secretId: string; readonly from: string },
  kept: KeptValue,
): Promise<void> => {
  const { tenant, secretId, from } = of;
  const valueId = deps.ids.newId();
  if (!(await tried(deps, () => deps.texts.put(tenant, secretId, valueId, kept)))) return;
  const command = { type: 'renew', from, valueId, at: deps.clock.now() } as const;
  const stream = secretStream(secretId);
  const done = await tried(deps, () => deps.execute(secret, stream, command, contextOf(tenant, valueId)));
  // Where a caller was faster with another value, that one stays.
  await deps.texts.forget(tenant, secretId, done.events.length > 0 ? from : valueId);
};

const TRIES = 5;
const PAUSE_MS = 1_000;
const NEVER = new AbortController().signal;

const tried = async <T>({ idle }: KeepRenewedDeps, work: () => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === TRIES || error instanceof DomainError) throw error;
      await idle(PAUSE_MS, NEVER);
    }
  }
};

const contextOf = (tenant: string, id: string) =>
  ({ tenant, actor: { kind: 'worker', id: 'credentials' }, correlationId: id, causationId: id }) as const;
