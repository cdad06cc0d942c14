import { join } from 'node:path';
import { createKmsKeyWrapping } from '../adapters/storage/kms/key-wrapping.ts';
import { makeKeyFile, readKeyFile } from '../adapters/system/cipher.ts';
import { ed25519Signer } from '../adapters/system/proof.ts';
import type { CheckpointSigner } from '../application/audit/checkpoints.ts';
import type { KeyWrapping } from '../application/ports/vault.ts';
import type { Config } from './config/config.ts';
import { unwrapped } from './config/given-master-key.ts';

/** Beside the master key. Another key in its place signs from then on, and the old one stays published. */
const FILE = 'checkpoint.key';

/**
 * The key that signs checkpoints: the given one, else that in the data directory. With the embedded Postgres the first
 * checkpoint makes one there; an external database outlives this machine, so there the result is null.
 *
 * @throws KeyWrappingFailed when a KMS does not unwrap the key
 */
export const openCheckpointKey = async (
  { checkpoints, dataDir }: Pick<Config, 'checkpoints' | 'dataDir'>,
  embedded: boolean,
  wrapping: Pick<KeyWrapping, 'unwrap'> = createKmsKeyWrapping(),
): Promise<CheckpointSigner | null> => {
  if (checkpoints.key !== null) return ed25519Signer((await unwrapped(checkpoints.key, wrapping)).bytes);
  const path = join(dataDir, FILE);
  const found = (await readKeyFile(path)) ?? (embedded ? await makeKeyFile(path) : null);
  return found && ed25519Signer(found.bytes);
};
