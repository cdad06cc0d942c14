import type { JsonValue } from './event-store.ts';

/** A state folded from a stream, up to one of its events. */
export interface Snapshot {
  readonly stream: string;
  /** Name and version of the state's shape. */
  readonly shape: string;
  readonly version: number;
  /** Of the last event that is in it. */
  readonly revision: bigint;
  readonly eventId: string;
  /** To whom the stream belongs. */
  readonly tenant: string;
  readonly state: JsonValue;
}

/**
 * Snapshots save reading long streams from their beginning. They are no truth: any of them may be lost at any time, and
 * whoever reads one checks that its event is in the stream.
 */
export interface SnapshotStore {
  /** The snapshot of this shape in exactly this version; null where there is none, or one that cannot be read. */
  read(stream: string, shape: string, version: number): Promise<Snapshot | null>;

  /**
   * Keeps one per stream and shape: an older version, and an older revision of the same version, are replaced; what is
   * newer stays. One that lies ahead of its stream, whose log was lost, is therefore to be forgotten first.
   */
  write(snapshot: Snapshot): Promise<void>;

  /** Of every version. */
  forget(stream: string, shape: string): Promise<void>;
}
