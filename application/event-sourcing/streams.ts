import { agentRun } from '../../domain/agent-run/index.ts';
import { agentThread } from '../../domain/agent-thread/decider.ts';
import { apiKey } from '../../domain/api-key/decider.ts';
import { authzPolicy, authzSubject } from '../../domain/authz/decider.ts';
import { conversation } from '../../domain/conversation/index.ts';
import { dataSource } from '../../domain/data-source/index.ts';
import { idempotencyKey } from '../../domain/idempotency/request-key.ts';
import { ingestionSetting } from '../../domain/ingestion-setting/index.ts';
import { redactionPolicy } from '../../domain/redaction/index.ts';
import { secret } from '../../domain/secret/decider.ts';
import type { StreamOf } from '../../domain/shared/decider.ts';
import { uuidFromHash } from '../../domain/shared/uuid-from-hash.ts';
import { source } from '../../domain/source/decider.ts';
import { tag } from '../../domain/tag/decider.ts';
import { webhook } from '../../domain/webhook/decider.ts';
import type { Hash } from '../ports/identity.ts';
import { AGGREGATES } from './aggregates.ts';

type Category = (typeof AGGREGATES)[number]['category'];

/** Prefixes of stream names: `category-id`. */
export const CATEGORIES: readonly Category[] = [...new Set(AGGREGATES.map(({ category }) => category))];

const streamsOf =
  <Of extends Category>({ category }: { readonly category: Of }) =>
  (id: string): StreamOf<Of> =>
    `${category}-${id}`;

export const dataSourceStream = streamsOf(dataSource);
export const ingestionSettingStream = streamsOf(ingestionSetting);
export const sourceStream = streamsOf(source);
/** By tenant: all API keys of a tenant share a stream. */
export const apiKeyStream = streamsOf(apiKey);
export const conversationStream = streamsOf(conversation);
/** By tenant: all tags of a tenant and their bindings share a stream. */
export const tagStream = streamsOf(tag);
export const redactionPolicyStream = streamsOf(redactionPolicy);
/** By an id derived from tenant and name. */
export const authzPolicyStream = streamsOf(authzPolicy);
/** By an id derived from tenant and principal. */
export const authzSubjectStream = streamsOf(authzSubject);
/** The vault stores the texts of the thread and its runs under this name. */
export const agentThreadStream = streamsOf(agentThread);
export const agentRunStream = streamsOf(agentRun);
export const secretStream = streamsOf(secret);
export const webhookStream = streamsOf(webhook);
export const idempotencyStream = streamsOf(idempotencyKey);

/** A deterministic id: the same names always give the same UUID (version 8, RFC 9562 §5.8, over SHA-256). */
export const derivedId = (hash: Hash, kind: string, ...names: readonly string[]): string =>
  uuidFromHash(Buffer.from(hash.sha256(JSON.stringify([kind, ...names])), 'hex'));
