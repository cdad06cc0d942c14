import { createKmsKeyWrapping } from '../../adapters/storage/kms/key-wrapping.ts';
import type { KeyWrapping } from '../../application/ports/vault.ts';
import type { Config } from '../config/config.ts';
import { ConfigError, type Environment } from '../config/environment.ts';
import { writeWrapped } from '../config/given-master-key.ts';
import { HELP } from './arguments.ts';

/** Lets a KMS generate a master key, and prints it wrapped so that only that KMS can unwrap it. */
export const makeMasterKey = async (
  _config: Config,
  args: readonly string[],
  _env: Environment,
  wrapping: Pick<KeyWrapping, 'generate'> = createKmsKeyWrapping(),
): Promise<void> => {
  const [keyId, ...more] = args;
  if (keyId === undefined || keyId === '' || more.length > 0) throw new ConfigError(HELP['make-master-key']);
  console.log(`KNOWLEDGER_MASTER_KEY=${writeWrapped(await wrapping.generate(keyId))}`);
};
