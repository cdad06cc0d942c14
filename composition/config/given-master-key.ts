import { masterKeyOf, parseMasterKey } from '../../adapters/system/cipher.ts';
import type { MasterKey, KeyWrapping } from '../../application/ports/vault.ts';

import { ConfigError, list, type Variable } from './environment.ts';

/** A master key as configured: in plain, or wrapped by a KMS. */
export type GivenMasterKey = MasterKey | { readonly wrapped: Uint8Array };

const PREFIX = 'kms:';
/** The largest ciphertext that KMS unwraps is 6,144 bytes. */
const WRITTEN = /^kms:[A-Za-z0-9+/]{40,8192}={0,2}$/;

export const writeWrapped = (wrapped: Uint8Array): string =>
  `${PREFIX}${Buffer.from(wrapped).toString('base64')}`;

/** Has the KMS unwrap a wrapped key. @throws KeyWrappingFailed */
export const unwrapped = async (
  given: GivenMasterKey,
  wrapping: Pick<KeyWrapping, 'unwrap'>,
): Promise<MasterKey> => ('wrapped' in given ? masterKeyOf(await wrapping.unwrap(given.wrapped)) : given);

const keyIn = (text: string): GivenMasterKey | null =>
  parseMasterKey(text) ??
  (WRITTEN.test(text) ? { wrapped: Buffer.from(text.slice(PREFIX.length), 'base64') } : null);

export const masterKey: Variable<GivenMasterKey | null> = (text, name) => {
  if (text === undefined) return null;
  const key = keyIn(text);
  if (key !== null) return key;
  throw new ConfigError(
    text.startsWith(PREFIX)
      ? `${name} takes kms: and a key wrapped by a KMS, in base64: make one with npm run make-master-key`
      : `${name} takes 32 bytes in base64: make one with openssl rand -base64 32`,
  );
};

export const previousMasterKeys: Variable<readonly GivenMasterKey[]> = (text, name) =>
  list(text, name).map((item) => {
    const key = keyIn(item);
    if (key !== null) return key;
    throw new ConfigError(`${name} takes master keys in base64, separated by commas`);
  });
