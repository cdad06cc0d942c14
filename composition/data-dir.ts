import { makeDirectory } from '../adapters/storage/disk/directories.ts';
import { dataDirError } from './store-error.ts';

/** As root, Postgres runs as another user, who must get through to its folder, but need not read any other. */
const MODE = process.getuid?.() === 0 ? 0o711 : 0o700;

/**
 * Makes the data directory where it is missing, and those above it.
 *
 * @throws ConfigError that says what to do
 */
export const makeDataDir = async (dataDir: string): Promise<void> =>
  makeDirectory(dataDir, MODE).catch((error: unknown) => {
    throw dataDirError(dataDir, error);
  });
