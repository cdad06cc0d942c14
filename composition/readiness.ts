import { viewHealth } from '../adapters/postgres/projections/health.ts';
import type { FileAreas } from '../application/ports/file-areas.ts';
import { FileStoreUnavailable } from '../application/ports/file-store.ts';
import type { Logger } from '../application/ports/logger.ts';
import type { EventLog } from './event-log.ts';
import type { StartState } from './start-state.ts';
import type { SqlDatabase } from '../adapters/postgres/sql.ts';

/** What is not ready, each with a short reason. Anybody may read it: the log says where, this only what. */
export type Reasons = Readonly<Record<string, string>>;

const ANSWER_MS = 2_000;

/** Asks everything that the service needs, at once. */
export const createReadiness =
  (
    database: SqlDatabase,
    files: FileAreas,
    { probe }: EventLog,
    { pending }: StartState,
    log: Logger,
  ): (() => Promise<Reasons>) =>
  async () => {
    const parts = [viewsNotReady(database, log), filesNotReady(files, log), eventsNotReady(probe, log)];
    const told = Object.assign({}, ...(await Promise.all(parts))) as Reasons;
    // Why a view of keys is halted says more than that it is behind.
    return 'projection api_key' in told ? told : { ...pending(), ...told };
  };

const viewsNotReady = async ({ db }: SqlDatabase, log: Logger): Promise<Reasons> => {
  try {
    const halted = (await viewHealth(db)).filter((view) => view.halted_because !== null);
    return Object.fromEntries(
      halted.map(({ view, halted_because }) => [`projection ${view}`, `halted: ${halted_because}`]),
    );
  } catch (error) {
    log.warn('the read models cannot be asked', { error: (error as Error).message });
    return { database: 'it does not answer' };
  }
};

const filesNotReady = async (files: FileAreas, log: Logger): Promise<Reasons> => {
  try {
    await files.check(AbortSignal.timeout(ANSWER_MS));
    return {};
  } catch (error) {
    log.warn('files cannot be kept', { error: (error as Error).message });
    const reason = error instanceof FileStoreUnavailable ? error.reason : 'failed';
    return { files: `down: ${reason === 'stopped' ? 'no answer in time' : reason}` };
  }
};

const eventsNotReady = async (probe: EventLog['probe'], log: Logger): Promise<Reasons> => {
  const reason = await probe();
  if (reason === null) return {};
  log.warn('events cannot be kept', { error: reason });
  return { 'event store': 'it does not answer as it should' };
};
