import {
  authzPolicy,
  type AuthzPolicyEvent,
  authzSubject,
  type PolicyState,
  type SubjectState,
} from '../../../domain/authz/decider.ts';
import { derivedId } from '../../event-sourcing/derived-id.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import type { PastEvent } from '../../event-sourcing/load.ts';
import type { Hash } from '../../ports/identity.ts';
import { authzPolicyStream, authzSubjectStream } from '../../event-sourcing/streams.ts';

/** What a newer version has written may forbid more than this one understands: then nothing is allowed. */
export interface AuthzLogDeps {
  readonly execute: Execute;
  readonly hash: Hash;
}

export const policyId = (hash: Hash, tenant: string, name: string): string =>
  derivedId(hash, 'authz policy', tenant, name);
export const subjectId = (hash: Hash, tenant: string, principalId: string): string =>
  derivedId(hash, 'authz subject', tenant, principalId);

/** The policy as of its stream: what was written last holds from its answer on, however far the views are. */
export const readPolicy = async (
  { execute, hash }: AuthzLogDeps,
  tenant: string,
  name: string,
): Promise<PolicyState> => {
  const found = await execute.load(authzPolicy, authzPolicyStream(policyId(hash, tenant, name)), tenant);
  return found === null ? authzPolicy.initial : found.state;
};

/** What is known of a principal, as of its stream. */
export const readSubject = async (
  { execute, hash }: AuthzLogDeps,
  tenant: string,
  principalId: string,
): Promise<SubjectState> => {
  const stream = authzSubjectStream(subjectId(hash, tenant, principalId));
  const found = await execute.load(authzSubject, stream, tenant);
  return found === null ? authzSubject.initial : found.state;
};

export const policyHistory = (
  { execute, hash }: AuthzLogDeps,
  tenant: string,
  name: string,
): Promise<readonly PastEvent<AuthzPolicyEvent>[]> =>
  execute.history(authzPolicy, authzPolicyStream(policyId(hash, tenant, name)), tenant);
