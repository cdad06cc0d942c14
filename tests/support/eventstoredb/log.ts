import { createReplication } from './replication.ts';
import { type Verdict, judge } from './verdict.ts';

/** An event as it was sent: the stand-in keeps bytes and does not look into them. */
export interface Sent {
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

export interface Stored extends Sent {
  readonly stream: string;
  readonly revision: bigint;
  /** Byte in the log at which the record begins; commit and prepare position alike. */
  readonly position: bigint;
  /** 100 ns since 1970. */
  readonly created: bigint;
}

export type Expected = bigint | 'noStream' | 'any' | 'streamExists';

/** What reads of a stream are shown. */
export type Shown = readonly Stored[] | 'no stream' | 'deleted';

export interface StandInLog {
  /** What reads of the log show. */
  readonly records: readonly Stored[];
  /** All that is kept of a stream, whether reads of it show it or not. */
  readonly stream: (name: string) => readonly Stored[];
  /** What reads of a stream show. `asOf`: by a node that has only so many records. */
  readonly shown: (name: string, asOf?: number) => Shown;
  readonly append: (stream: string, expected: Expected, events: readonly Sent[]) => Verdict;
  /** Called after each growth. Answers how to stop. */
  readonly onGrowth: (listener: () => void) => () => void;
  /** From now on the other nodes lag behind: what is written is shown and confirmed only so many turns later. */
  readonly lag: (turns: number) => void;
  /** For ever: no append is taken any more. */
  readonly tombstone: (stream: string) => void;
  /** Until the next append, whose revision goes on counting. */
  readonly softDelete: (stream: string) => void;
  /** As `$maxAge`, `$maxCount` or `$tb` in the stream's metadata do: earlier events are not shown any more. */
  readonly truncate: (stream: string, before: bigint) => void;
  /** Removes for good what reads of streams do not show, but the last event of each stream. */
  readonly scavenge: () => void;
}

/** What a record needs beside its data. */
const FRAME_BYTES = 96;

/** One log in memory, with what every server has in it from its start: events of its own. */
export const createLog = (): StandInLog => {
  const records: Stored[] = [];
  /** As the leader has written them, and as they are shown. */
  const [written, streams] = [new Map<string, Stored[]>(), new Map<string, Stored[]>()];
  const [deleted, softDeleted] = [new Set<string>(), new Set<string>()];
  const begins = new Map<string, bigint>();
  const listeners = new Set<() => void>();
  const replication = createReplication();
  let end = 0n;

  const place = (stream: string, revision: bigint, event: Sent): Stored => {
    const created = BigInt(Date.now()) * 10_000n;
    const entry = { ...event, stream, revision, position: end, created };
    end += BigInt(FRAME_BYTES + event.data.length + event.metadata.length);
    return entry;
  };
  const grow = (map: Map<string, Stored[]>, stream: string, entries: readonly Stored[]): void => {
    const before = map.get(stream);
    if (before === undefined) map.set(stream, [...entries]);
    else before.push(...entries);
  };
  const show = (stream: string, entries: readonly Stored[]) => (): void => {
    records.push(...entries);
    grow(streams, stream, entries);
    for (const listener of listeners) listener();
  };
  const store = (stream: string, events: readonly Sent[]): Verdict => {
    const next = BigInt(written.get(stream)?.length ?? 0);
    const entries = events.map((event, at) => place(stream, next + BigInt(at), event));
    grow(written, stream, entries);
    softDeleted.delete(stream);
    return {
      kind: 'appended',
      last: entries.at(-1)!,
      replicated: replication.after(show(stream, entries)),
    };
  };

  const setMetadata = (stream: string, truncateBefore: bigint): void =>
    void store(`$$${stream}`, [
      { ...systemEvent('$metadata'), data: Buffer.from(`{"$tb":${truncateBefore}}`) },
    ]);
  const kept = (name: string): readonly Stored[] => streams.get(name) ?? [];
  store('$users', [systemEvent('$User')]);
  return {
    records,
    stream: kept,
    shown: (name, asOf = Infinity) => {
      if (deleted.has(name)) return 'deleted';
      const last = records[asOf]?.position;
      const all = kept(name);
      const there = last === undefined ? all : all.filter(({ position }) => position < last);
      if (there.length === 0 || softDeleted.has(name)) return 'no stream';
      const from = begins.get(name) ?? 0n;
      return from === 0n ? there : there.filter(({ revision }) => revision >= from);
    },
    append: (stream, expected, events) => {
      if (deleted.has(stream)) return { kind: 'deleted' };
      const of = {
        recorded: written.get(stream) ?? [],
        replicated: kept(stream).length,
        isSoftDeleted: softDeleted.has(stream),
        shownFrom: begins.get(stream) ?? 0n,
      };
      return judge(of, expected, events) ?? store(stream, events);
    },
    onGrowth: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    lag: replication.lag,
    tombstone: (stream) => {
      deleted.add(stream);
      const entry = place(stream, 2n ** 63n - 1n, systemEvent('$streamDeleted'));
      void replication.after(() => {
        records.push(entry);
        for (const listener of listeners) listener();
      });
    },
    softDelete: (stream) => {
      softDeleted.add(stream);
      begins.set(stream, BigInt(kept(stream).length));
      setMetadata(stream, 2n ** 63n - 1n);
    },
    truncate: (stream, before) => {
      begins.set(stream, before);
      setMetadata(stream, before);
    },
    scavenge: () => {
      const isKept = ({ stream, revision }: Stored): boolean =>
        revision >= (begins.get(stream) ?? 0n) || revision === kept(stream).at(-1)?.revision;
      records.splice(0, records.length, ...records.filter(isKept));
    },
  };
};

export const systemEvent = (type: string): Sent => ({
  id: crypto.randomUUID(),
  type,
  contentType: 'application/json',
  data: Buffer.from('{}'),
  metadata: new Uint8Array(),
});
