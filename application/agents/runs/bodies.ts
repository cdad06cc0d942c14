import type { BodyRef } from '../../../domain/agent-run/index.ts';
import { noSuchThread } from '../../../domain/agent-thread/decider.ts';
import { redactData } from '../../answers/extract/extraction.ts';
import type { Hash, IdSource } from '../../ports/identity.ts';
import { type VaultText, KeyDestroyed, type Vault } from '../../ports/vault.ts';
import type { CompiledRules } from '../../redaction/redactor.ts';
import { agentThreadStream } from '../../event-sourcing/streams.ts';

/**
 * Bodies of runs are stored in the vault under the key of their thread: destroying that key erases them all. The id of
 * a body begins with the id of its run.
 */
export const requestOf = (runId: string): string => `${runId}/request`;
export const titleOf = (runId: string): string => `${runId}/title`;
/** The salt of the digests of a run's bodies. */
export const saltOf = (runId: string): string => `${runId}/salt`;
/**
 * Distinguishes a repeated request from a different one. In the vault, since a hash of the request could be guessed.
 */
export const fingerprintOf = (runId: string): string => `${runId}/fingerprint`;
/** The run that a body belongs to. */
export const runOf = (bodyId: string): string => bodyId.split('/', 1)[0]!;

export interface BodyDeps {
  readonly vault: Vault;
  readonly hash: Hash;
}

/** Stores bodies of the runs of one thread. @throws DomainError not_found when the key of the thread was destroyed */
export const storeBodies = async (
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

/** Like `storeBodies`, for a new thread: creates the thread's key. */
export const storeFirstBodies = async (
  { vault }: Pick<BodyDeps, 'vault'>,
  tenant: string,
  threadId: string,
  bodies: readonly VaultText[],
): Promise<void> => {
  await vault.create(tenant, agentThreadStream(threadId), bodies).catch(ofNoThread);
};

/**
 * Reads bodies of the runs of one thread, by id. Omits those that do not exist.
 *
 * @throws DomainError not_found when the key of the thread was destroyed
 */
export const readBodies = async (
  { vault }: Pick<BodyDeps, 'vault'>,
  tenant: string,
  threadId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const texts = await vault.read(tenant, agentThreadStream(threadId), ids);
  if (texts === null) throw noSuchThread();
  return texts;
};

export const newSalt = (ids: IdSource): string => `${ids.newId()} ${ids.newId()}`;

export const digestOf = (hash: Hash, salt: string, text: string): string => hash.sha256(`${salt}\n${text}`);

export const bodyRefOf = (hash: Hash, salt: string, { id, text }: VaultText): BodyRef => ({
  bodyId: id,
  digest: digestOf(hash, salt, text),
  bytes: Buffer.byteLength(text),
});

/** Loads the rules that redact a tenant's runs. Fails when the rules cannot be read: then nothing may be stored. */
export type RulesFor = (tenant: string) => Promise<CompiledRules>;

/** Redacts every string in a JSON text and keeps it valid JSON. Redacts a text that is not JSON as a whole. */
export const redactJson = (text: string, rules: CompiledRules): string => {
  if (rules.rules.length === 0) return text;
  try {
    return JSON.stringify(redactData(JSON.parse(text), rules));
  } catch {
    return redactData(text, rules) as string;
  }
};
