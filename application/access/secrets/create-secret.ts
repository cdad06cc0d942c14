import { type KeptSecret, secret, type SecretType, type SecretValue } from '../../../domain/secret/index.ts';
import { fold } from '../../../domain/shared/decider.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { Caller } from '../caller.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import type { Claimed } from '../../event-sourcing/idempotent.ts';
import { secretStream } from '../../event-sourcing/streams.ts';
import type { Written } from '../../event-sourcing/written.ts';
import type { SecretTexts } from './kept-value.ts';
import { recordOfState, type SecretRecord } from './record.ts';

interface CreateSecretDeps {
  readonly execute: Execute;
  readonly texts: SecretTexts;
}
/** Of a new secret all but its value. */
export interface SecretFacts {
  readonly name: string;
  readonly secretType: SecretType;
  /** Unix milliseconds; null: never. */
  readonly expiresAt: number | null;
}

/** Keeps the value, then records the secret. Repeated, it answers as it first did. @throws DomainError idempotency_conflict */
export const createSecret = async (
  deps: CreateSecretDeps,
  { tenant, context }: Caller,
  facts: SecretFacts,
  value: SecretValue,
  { ids, at, replayed }: Claimed,
): Promise<Written<SecretRecord>> => {
  const [id, valueId] = ids as [string, string];
  const { execute, texts } = deps;
  const stream = secretStream(id);
  const there = replayed ? await execute.load(secret, stream, tenant) : null;
  if (there === null || there.state.status === 'none') {
    await texts.open(tenant, id);
    await texts.put(tenant, id, valueId, { value });
  }
  if (replayed) await mustBeSameValue(deps, tenant, id, valueId, value);
  const command = { type: 'create', ...facts, valueId, at } as const;
  const done = await execute(secret, stream, command, context, { probablyNew: !replayed });
  // Somebody else's repetition was faster, and it was deleted since: no key may come back.
  if (done.state.status === 'deleted') await texts.destroy(tenant, id);
  const first = fold(secret, secret.decide(command, secret.initial), secret.initial) as KeptSecret;
  const record = recordOfState(id, first, undefined);
  return { record, position: done.position, changed: done.events.length > 0 };
};

/** The request is told by all but the value; the first value is looked at where it is still kept. */
const mustBeSameValue = async (
  { texts }: CreateSecretDeps,
  tenant: string,
  id: string,
  valueId: string,
  value: SecretValue,
): Promise<void> => {
  const first = await texts.read(tenant, id, valueId);
  if (first === null || JSON.stringify(first.value) === JSON.stringify(value)) return;
  const message = 'this Idempotency-Key was used with another value: send a new key with a new request';
  throw new DomainError('idempotency_conflict', message);
};
