import type { Container } from 'inversify';
import { tieToFiles } from '../adapters/postgres/work/files-mark.ts';
import { FileStoreUnavailable } from '../application/ports/file-store.ts';
import { type Config, ConfigError } from './config.ts';
import type { Databases } from './startup.ts';
import { TOKENS as T } from './tokens.ts';

/**
 * Makes sure of the place of the files, once in each process that reads or writes them: it is the one that was used
 * before, and files can be kept there.
 *
 * @throws ConfigError, or FileStoreUnavailable of a store on a server: they say what to do
 */
export const openFiles = async (
  container: Container,
  { files }: Pick<Config, 'files'>,
  { events: { pool } }: Pick<Databases, 'events'>,
  signal?: AbortSignal,
): Promise<void> => {
  const areas = container.get(T.FileAreas);
  try {
    await tieToFiles(pool, areas, container.get(T.IdSource).newId());
    await areas.check(signal);
  } catch (error) {
    if (signal?.aborted === true) return;
    if (files !== undefined) throw error;
    throw new ConfigError(`${(error as Error).message}${remedyOf(error)}`);
  }
};

/** What is missing says itself what to do. */
const remedyOf = (error: unknown): string => {
  const reason = error instanceof FileStoreUnavailable ? error.reason : 'failed';
  if (reason === 'missing') return '';
  if (reason === 'full') return ': make room, or set KNOWLEDGER_DATA_DIR to another disk';
  return ': set KNOWLEDGER_DATA_DIR to a folder that can be written';
};
