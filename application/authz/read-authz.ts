import {
  authzPolicy,
  type AuthzPolicyEvent,
  authzSubject,
  type AuthzSubjectEvent,
  type PolicyState,
  type SubjectState,
} from '../../domain/authz/index.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import { fold } from '../../domain/shared/decider.ts';
import { derivedId } from '../derived-id.ts';
import type { DomainEvent } from '../domain-event.ts';
import { decodeKnown, type EventCodec } from '../event-codec.ts';
import type { EventStore, Position } from '../ports/event-store.ts';
import type { Hash } from '../ports/identity.ts';
import { authzPolicyStream, authzSubjectStream } from '../streams.ts';

export interface AuthzLogDeps {
  readonly store: EventStore;
  readonly codec: EventCodec;
  readonly hash: Hash;
}

export const policyId = (hash: Hash, tenant: string, name: string): string =>
  derivedId(hash, 'authz policy', tenant, name);
export const subjectId = (hash: Hash, tenant: string, principal_id: string): string =>
  derivedId(hash, 'authz subject', tenant, principal_id);

/** The policy as of its stream: what was written last holds from its answer on, however far the views are. */
export const readPolicy = async (deps: AuthzLogDeps, tenant: string, name: string): Promise<PolicyState> =>
  fold(
    authzPolicy,
    (await policyHistory(deps, tenant, name)).map(({ event }) => event),
    authzPolicy.initial,
  );

/** What is known of a principal, as of its stream. */
export const readSubject = async (
  deps: AuthzLogDeps,
  tenant: string,
  principal_id: string,
): Promise<SubjectState> => {
  const history = (await read(
    deps,
    authzSubjectStream(subjectId(deps.hash, tenant, principal_id)),
  )) as History<AuthzSubjectEvent>;
  return fold(
    authzSubject,
    history.map(({ event }) => event),
    authzSubject.initial,
  );
};

export const policyHistory = async (
  deps: AuthzLogDeps,
  tenant: string,
  name: string,
): Promise<History<AuthzPolicyEvent>> =>
  (await read(deps, authzPolicyStream(policyId(deps.hash, tenant, name)))) as History<AuthzPolicyEvent>;

type History<Event extends DomainEvent> = readonly { readonly event: Event; readonly position: Position }[];

/** What a newer version has written may forbid more than this one understands: then nothing is allowed. */
const read = async ({ store, codec }: AuthzLogDeps, stream: string): Promise<History<DomainEvent>> =>
  (await store.readStream(stream)).map((recorded) => {
    const event = decodeKnown(codec, recorded);
    if (event !== null) return { event, position: recorded.position };
    throw new DomainError(
      'unavailable',
      `a newer version of the service has written ${recorded.type}: ask that one`,
    );
  });
