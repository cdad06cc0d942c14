import { type GivenValue, parseSecretValue, type SecretValue } from '../../../domain/secret/value.ts';
import {
  type ActiveSecret,
  secret,
  type SecretState,
  type SecretType,
} from '../../../domain/secret/decider.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { type Caller, mustBeUnrestricted } from '../caller.ts';
import {
  type Claimed,
  type IdempotentDeps,
  type Written,
  idempotently,
} from '../../event-sourcing/idempotent.ts';
import type { LastUses } from '../../ports/last-uses.ts';
import type { Page, PageRequest } from '../../ports/page.ts';
import type { TokenSigner, SecretView } from '../../ports/secrets.ts';
import { secretStream } from '../../event-sourcing/streams.ts';
import { type SecretRecord, type SecretTexts, recordOfRow, recordOfState } from './stored-value.ts';
import { lastUsed } from '../last-uses.ts';
import type { SecretAttachments } from './attachments.ts';
import { fold } from '../../../domain/shared/decider.ts';
import type { Execute } from '../../event-sourcing/execute.ts';

interface CreateSecretDeps {
  readonly execute: Execute;
  readonly texts: SecretTexts;
}
/** All fields of a new secret except its value. */
interface SecretFacts {
  readonly name: string;
  readonly secretType: SecretType;
  /** Unix milliseconds; null for never. */
  readonly expiresAt: number | null;
}

/**
 * Stores the value, then records the secret. Idempotent: a repeat returns the first response. @throws DomainError
 * idempotency_conflict
 */
const createSecret = async (
  deps: CreateSecretDeps,
  { tenant, context }: Caller,
  facts: SecretFacts,
  value: SecretValue,
  { ids, at, replayed }: Claimed,
): Promise<Written<SecretRecord>> => {
  const [id, valueId] = ids as [string, string];
  const { execute, texts } = deps;
  const stream = secretStream(id);
  const existing = replayed ? await execute.load(secret, stream, tenant) : null;
  if (existing === null || existing.state.status === 'none') {
    await texts.createKey(tenant, id);
    await texts.put(tenant, id, valueId, { value });
  }
  if (replayed) await mustBeSameValue(deps, tenant, id, valueId, value);
  const command = { type: 'create', ...facts, valueId, at } as const;
  const done = await execute(secret, stream, command, context, { probablyNew: !replayed });
  // If the secret was created by a concurrent repeat and deleted since, its key must not come back.
  if (done.state.status === 'deleted') await texts.destroyKey(tenant, id);
  // A repeat gets the first response, whatever changed since.
  const created = fold(secret, secret.decide(command, secret.initial), secret.initial) as ActiveSecret;
  const record = recordOfState(id, created, undefined);
  return { record, position: done.position, changed: done.events.length > 0 };
};

/**
 * The fingerprint excludes the value, so a repeated request is compared with the first value while that is still
 * stored.
 */
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

interface SecretRequest extends SecretFacts {
  readonly value: GivenValue;
}
/** Absent fields keep their values. */
export interface SecretChange {
  readonly name?: string;
  /** Cannot change: must equal the type of the secret. */
  readonly secretType?: SecretType;
  readonly value?: GivenValue;
  readonly expiresAt?: number | null;
}

export interface SecretDeps extends IdempotentDeps {
  readonly view: SecretView;
  readonly lastUses: LastUses;
  readonly texts: SecretTexts;
  readonly secretAttachments: SecretAttachments;
  readonly signer: TokenSigner;
}

/**
 * Operations on secrets. No response contains a value. A secret may serve every source group, so keys that are
 * restricted to source groups are refused with DomainError key_restricted.
 */
export const createSecretOperations = (deps: SecretDeps) => {
  const { execute, view, lastUses, texts, clock } = deps;
  const allow = (caller: Caller): void => mustBeUnrestricted(caller, 'a secret');
  const viewFor = ({ past }: Caller): SecretView => past?.secrets ?? view;

  return {
    /** @throws DomainError invalid_request, idempotency_conflict; not_configured without a master key */
    create: async (
      caller: Caller,
      request: SecretRequest,
      idempotencyKey: string | undefined,
    ): Promise<Written<SecretRecord>> => {
      allow(caller);
      const { value: given, ...facts } = request;
      const value = checkedValue(deps, parseSecretValue(request.secretType, given));
      // No event may contain a hash of a value: a short value could be guessed from it.
      const body = { operation: 'createSecret', key: idempotencyKey, body: facts };
      return idempotently(deps, body, 2, caller.context, (claimed) =>
        createSecret(deps, caller, facts, value, claimed),
      );
    },

    /** Newest first. @throws DomainError invalid_cursor */
    list: async (caller: Caller, page: PageRequest): Promise<Page<SecretRecord>> => {
      allow(caller);
      const { rows, ...rest } = await viewFor(caller).list(caller.tenant, page);
      const ids = rows.map(({ id }) => id);
      const used = await lastUsed(lastUses, caller, ids);
      return { ...rest, rows: rows.map((row) => recordOfRow(row, used.get(row.id))) };
    },

    get: async (caller: Caller, id: string): Promise<SecretRecord> => {
      allow(caller);
      const row = await viewFor(caller).get(caller.tenant, id);
      if (row === null) throw noSuch();
      return recordOfRow(row, (await lastUsed(lastUses, caller, [id])).get(id));
    },

    /** A new value applies to the next request that uses the secret. @throws DomainError invalid_request */
    change: async (caller: Caller, id: string, request: SecretChange): Promise<Written<SecretRecord>> => {
      allow(caller);
      const { value, ...facts } = request;
      const found = await loadActive(deps, caller, id);
      mustBeOfType(found, request.secretType);
      const valueId =
        value === undefined
          ? undefined
          : await putValue(deps, caller, id, checkedValue(deps, parseSecretValue(found.secretType, value)));
      let before: SecretState = found;
      const { name, expiresAt } = facts;
      const command = {
        type: 'change',
        ...(name !== undefined && { name }),
        ...(expiresAt !== undefined && { expiresAt }),
        ...(valueId !== undefined && { valueId }),
        at: clock.now(),
      } as const;
      // The state that the last attempt decided on.
      const captureState = (state: SecretState): void => void (before = state);
      const done = await execute(secret, secretStream(id), command, caller.context, { guard: captureState });
      if (valueId !== undefined && before.status === 'active')
        await texts.forget(caller.tenant, id, before.valueId);
      if (done.state.status !== 'active') throw noSuch();
      const record = recordOfState(id, done.state, (await lastUses.lastUsed([id])).get(id));
      return { record, position: done.position, changed: done.events.length > 0 };
    },

    /** When it resolves, the value can no longer be read. @throws DomainError secret_in_use */
    remove: async (caller: Caller, id: string): Promise<Written<string>> => {
      allow(caller);
      const { tenant, context } = caller;
      await deps.secretAttachments.detachStale(context, id);
      const found = await execute.load(secret, secretStream(id), tenant);
      // Completes a deletion that was interrupted after its event.
      if (found?.state.status === 'deleted') await texts.destroyKey(tenant, id);
      const command = { type: 'delete', at: clock.now() } as const;
      const { position } = await execute(secret, secretStream(id), command, context);
      await texts.destroyKey(tenant, id);
      await lastUses.forget(id);
      return { record: id, position, changed: true };
    },
  };
};
export type SecretOperations = ReturnType<typeof createSecretOperations>;

const loadActive = async ({ execute }: SecretDeps, caller: Caller, id: string): Promise<ActiveSecret> => {
  const state = (await execute.load(secret, secretStream(id), caller.tenant))?.state;
  if (state?.status !== 'active') throw noSuch();
  return state;
};

const putValue = async (
  { texts, ids }: SecretDeps,
  { tenant }: Caller,
  id: string,
  value: SecretValue,
): Promise<string> => {
  const valueId = ids.newId();
  if (!(await texts.put(tenant, id, valueId, { value }))) throw noSuch();
  return valueId;
};

const checkedValue = ({ signer }: SecretDeps, value: SecretValue): SecretValue => {
  if ('privateKey' in value && !signer.canSign(value.privateKey))
    throw new DomainError('invalid_request', 'value.private_key is not an RSA private key');
  return value;
};

const mustBeOfType = ({ secretType }: ActiveSecret, given: SecretType | undefined): void => {
  if (given === undefined || given === secretType) return;
  throw new DomainError(
    'invalid_request',
    `the type of a secret cannot change: this one is ${secretType}; create another one`,
  );
};

const noSuch = (): DomainError => new DomainError('not_found', 'there is no such secret');
