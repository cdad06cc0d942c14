import { masterKeyOf } from '../adapters/system/cipher.ts';
import type { MasterKey, KeyWrapping } from '../application/ports/vault.ts';

/** A master key as its configuration has it where a KMS has wrapped it. */
export interface WrappedMasterKey {
  readonly wrapped: Uint8Array;
}
export type GivenMasterKey = MasterKey | WrappedMasterKey;

const PREFIX = 'kms:';
/** The largest ciphertext that KMS unwraps is 6,144 bytes. */
const WRITTEN = /^kms:[A-Za-z0-9+/]{40,8192}={0,2}$/;

export const isWrappedText = (text: string): boolean => text.startsWith(PREFIX);

export const writeWrapped = (wrapped: Uint8Array): string =>
  `${PREFIX}${Buffer.from(wrapped).toString('base64')}`;

/** Null: the text stands for none. */
export const parseWrapped = (text: string): WrappedMasterKey | null =>
  WRITTEN.test(text) ? { wrapped: Buffer.from(text.slice(PREFIX.length), 'base64') } : null;

/** Asks the KMS for a wrapped one. @throws KeyWrappingFailed */
export const unwrapped = async (
  given: GivenMasterKey,
  wrapping: Pick<KeyWrapping, 'unwrap'>,
): Promise<MasterKey> => ('wrapped' in given ? masterKeyOf(await wrapping.unwrap(given.wrapped)) : given);
