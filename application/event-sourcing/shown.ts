import type { ExpectedRevision } from '../ports/event-store.ts';
import type { Loaded } from './load.ts';

/**
 * How often a stream is looked at until it shows what a conflict named: for about 4 s. Longer than a copy of the log lags
 * behind the leader's own; what does not come was of a leader that has lost its place, and will never come.
 */
const LOOKS = 16;

/**
 * A stream as it is once it shows revision `known`. To decide on less is in vain, and may refuse what is allowed by then.
 *
 * @throws WaitedTooLong, and what `load` throws
 */
export const shown = async <State>(
  load: () => Promise<Loaded<State> | null>,
  known: ExpectedRevision,
  pause: () => Promise<void>,
): Promise<Loaded<State> | null> => {
  for (let looks = 1; ; looks += 1) {
    const found = await load();
    const isShown =
      found === null || known === 'none' || (found.revision !== 'none' && found.revision >= known);
    if (isShown || looks >= LOOKS) return found;
    await pause();
  }
};
