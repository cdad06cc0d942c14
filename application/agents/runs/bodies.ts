import type { BodyRef } from '../../../domain/agent-run/index.ts';
import { noSuchThread } from '../../../domain/agent-thread/decider.ts';
import { redactData } from '../../answers/extract/extraction.ts';
import type { Hash, IdSource } from '../../ports/identity.ts';
import { type VaultText, KeyDestroyed, type Vault } from '../../ports/vault.ts';
import type { PoliciesInForce } from '../../redaction/policies-in-force.ts';
import type { CompiledRules } from '../../redaction/redactor.ts';
import { agentThreadStream } from '../../event-sourcing/streams.ts';
import { rowOf, textsIn } from './shared-rows.ts';

/**
 * Bodies of a run lie in the vault under the key of its thread: destroying that erases them all. The id of each begins
 * with that of its run.
 */
export const requestOf = (runId: string): string => `${runId}/request`;
export const titleOf = (runId: string): string => `${runId}/title`;
/** What the digests of the bodies of a run are salted with. */
export const saltOf = (runId: string): string => `${runId}/salt`;
/** What tells a repeated request from another one: a hash of what was asked could be guessed. */
export const fingerprintOf = (runId: string): string => `${runId}/fingerprint`;
/** The run that a body belongs to. */
export const runOf = (bodyId: string): string => bodyId.split('/', 1)[0]!;

export interface BodyDeps {
  readonly vault: Vault;
  readonly hash: Hash;
}

/** Keeps bodies of runs of one thread. @throws DomainError not_found when the key of the thread was destroyed */
export const keepBodies = async (
  { vault }: Pick<BodyDeps, 'vault'>,
  tenant: string,
  threadId: string,
  bodies: readonly VaultText[],
): Promise<void> => {
  await vault.put(tenant, agentThreadStream(threadId), bodies).catch(ofNoThread);
};
const ofNoThread = (error: unknown): never => {
  throw error instanceof KeyDestroyed ? noSuchThread() : error;
};

/** The same for a thread that begins: with its key. */
export const keepFirstBodies = async (
  { vault }: Pick<BodyDeps, 'vault'>,
  tenant: string,
  threadId: string,
  bodies: readonly VaultText[],
): Promise<void> => {
  await vault.create(tenant, agentThreadStream(threadId), bodies).catch(ofNoThread);
};

/** Bodies of runs of one thread, by id; those that share a row are read together. @throws DomainError not_found when the key of the thread was destroyed */
export const readBodies = async (
  { vault }: Pick<BodyDeps, 'vault'>,
  tenant: string,
  threadId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const rows = await vault.read(tenant, agentThreadStream(threadId), [...new Set(ids.map(rowOf))]);
  if (rows === null) throw noSuchThread();
  return textsIn(rows, ids);
};

export const newSalt = (ids: IdSource): string => `${ids.newId()} ${ids.newId()}`;

export const digestOf = (hash: Hash, salt: string, text: string): string => hash.sha256(`${salt}\n${text}`);

export const bodyRefOf = (hash: Hash, salt: string, { id, text }: VaultText): BodyRef => ({
  bodyId: id,
  digest: digestOf(hash, salt, text),
  bytes: Buffer.byteLength(text),
});

/** The rules by which runs of a tenant are kept and shown. Fails where they cannot be read: then nothing is kept. */
export type RulesFor = (tenant: string) => Promise<CompiledRules>;
export const createRulesFor =
  (policies: PoliciesInForce): RulesFor =>
  async (tenant) =>
    (await policies.at(tenant, 'agent')).compiled;

/** A JSON text with every text in it redacted; what is no JSON is redacted as a whole. It stays the JSON that it was. */
export const redactJson = (text: string, rules: CompiledRules): string => {
  if (rules.rules.length === 0) return text;
  try {
    return JSON.stringify(redactData(JSON.parse(text), rules));
  } catch {
    return redactData(text, rules) as string;
  }
};
