import { createKmsKeyWrapping } from '../../adapters/storage/kms/key-wrapping.ts';
import type { KeyWrapping } from '../../application/ports/vault.ts';
import { ConfigError } from '../environment.ts';
import { writeWrapped } from '../wrapped-master-key.ts';
import { HELP } from './help.ts';

/** Has a KMS make a master key, and prints it as only that KMS can read it. */
export const makeMasterKey = async (
  args: readonly string[],
  wrapping: Pick<KeyWrapping, 'generate'> = createKmsKeyWrapping(),
): Promise<void> => {
  const [keyId, ...more] = args;
  if (keyId === undefined || keyId === '' || more.length > 0) throw new ConfigError(HELP['make-master-key']);
  console.log(`KNOWLEDGER_MASTER_KEY=${writeWrapped(await wrapping.generate(keyId))}`);
};
