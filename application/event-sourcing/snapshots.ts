import type { JsonValue } from '../ports/event-store.ts';
import type { Snapshot, SnapshotStore } from '../ports/snapshot-store.ts';
import type { Fold, Kept } from './fold.ts';

type Shape<State> = NonNullable<Fold<never, State>['shape']>;

/** What is kept, in the shape that outlives the process. */
export const snapshotOf = <State>(
  { name, version, toJson }: Shape<State>,
  stream: string,
  { state, ...kept }: Kept<State>,
): Snapshot => ({ ...kept, stream, shape: name, version, state: toJson(state) as JsonValue });

/** What the snapshot says; undefined where there is none of this name and version. Throws what reading it throws. */
export const recalled = async <State>(
  snapshots: SnapshotStore,
  { name, version, fromJson }: Shape<State>,
  stream: string,
): Promise<Kept<State> | undefined> => {
  const found = await snapshots.read(stream, name, version);
  if (found === null) return undefined;
  const { revision, eventId, tenant } = found;
  return { state: fromJson(found.state), revision, eventId, tenant };
};
