import type { Clock } from '../ports/identity.ts';
import type { LastUses } from '../ports/last-uses.ts';
import type { Logger } from '../ports/logger.ts';
import type { Caller } from './caller.ts';

/** Unix milliseconds by id, without those that were never used. No event tells of uses, so the past has none. */
export const lastUsed = async (
  lastUses: Pick<LastUses, 'lastUsed'>,
  { past }: Caller,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> => (past === undefined ? lastUses.lastUsed(ids) : new Map());

/** Notes that an API key or a secret is used now. Nobody waits for the write, and none fails with it. */
export type NoteUse = (id: string) => void;

/** Minimum interval between two writes about one id. */
const NOTE_MS = 60_000;
const MAX_NOTED = 10_000;

export const createNoteUse = ({
  lastUses,
  clock,
  log,
}: {
  readonly lastUses: Pick<LastUses, 'used'>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
}): NoteUse => {
  const noted = new Map<string, number>();
  return (id) => {
    const now = clock.now();
    if (now - (noted.get(id) ?? -NOTE_MS) < NOTE_MS) return;
    if (noted.size >= MAX_NOTED) noted.clear();
    noted.set(id, now);
    lastUses
      .used(id, now)
      .catch((error: unknown) => log.warn('a use could not be noted', { error: (error as Error).message }));
  };
};
