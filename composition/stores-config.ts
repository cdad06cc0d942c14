import { InvalidConnectionString, readConnectionString } from '../adapters/eventstoredb/connection-string.ts';
import { type FilesAddress, InvalidFilesUrl, parseFilesUrl } from '../adapters/storage/s3/files-url.ts';
import { parseMasterKey } from '../adapters/system/cipher.ts';
import { ConfigError, type Environment, list } from './environment.ts';
import { type GivenMasterKey, isWrappedText, parseWrapped } from './wrapped-master-key.ts';

/** Checked at once, so that a start fails by what is wrong with it and not by an event store that is away. */
export const readEventStoreUrl = (env: Environment): string | undefined => {
  const text = env['EVENTSTORE_URL'];
  if (text === undefined || text === '') return undefined;
  try {
    readConnectionString(text);
    return text.trim();
  } catch (error) {
    if (error instanceof InvalidConnectionString) throw new ConfigError(`EVENTSTORE_URL: ${error.message}`);
    throw error;
  }
};

export const readFiles = (env: Environment): FilesAddress | undefined => {
  const text = env['FILES_URL'];
  if (text === undefined || text === '') return undefined;
  try {
    return parseFilesUrl(text);
  } catch (error) {
    throw error instanceof InvalidFilesUrl ? new ConfigError(`FILES_URL ${error.message}`) : error;
  }
};

export const readMasterKey = (env: Environment): GivenMasterKey | null => {
  const text = env['KNOWLEDGER_MASTER_KEY'];
  if (text === undefined || text === '') return null;
  const key = givenKey(text);
  if (key !== null) return key;
  throw new ConfigError(
    isWrappedText(text)
      ? 'KNOWLEDGER_MASTER_KEY takes kms: with what a KMS has wrapped, in base64: make one with npm run make-master-key'
      : 'KNOWLEDGER_MASTER_KEY takes 32 bytes in base64: make one with openssl rand -base64 32',
  );
};

const givenKey = (text: string): GivenMasterKey | null => parseMasterKey(text) ?? parseWrapped(text);

export const readPreviousMasterKeys = (env: Environment): readonly GivenMasterKey[] => {
  const texts = list(env, 'KNOWLEDGER_MASTER_KEY_PREVIOUS');
  if (texts.length > 0 && !env['KNOWLEDGER_MASTER_KEY'])
    throw new ConfigError(
      'KNOWLEDGER_MASTER_KEY_PREVIOUS needs KNOWLEDGER_MASTER_KEY, the one that is in use',
    );
  return texts.map((text) => {
    const key = givenKey(text);
    if (key !== null) return key;
    throw new ConfigError('KNOWLEDGER_MASTER_KEY_PREVIOUS takes master keys in base64, separated by commas');
  });
};

export const readBootstrapKey = (env: Environment): string | undefined => {
  const key = env['KNOWLEDGER_BOOTSTRAP_KEY'];
  if (key === undefined || key === '') return undefined;
  if (/^[\x21-\x7e]{20,200}$/.test(key)) return key;
  throw new ConfigError('KNOWLEDGER_BOOTSTRAP_KEY takes 20 to 200 visible ASCII characters without spaces');
};
