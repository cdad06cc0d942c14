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
export type Verdict =
  | { readonly kind: 'appended' | 'repeated'; readonly last: Stored }
  | { readonly kind: 'conflict'; readonly actual: bigint | null };

export interface StandInLog {
  readonly records: readonly Stored[];
  readonly stream: (name: string) => readonly Stored[];
  readonly append: (stream: string, expected: Expected, events: readonly Sent[]) => Verdict;
  /** Called after each growth. Answers how to stop. */
  readonly onGrowth: (listener: () => void) => () => void;
}

/** What a record needs beside its data. */
const FRAME_BYTES = 96;

/** One log in memory, with what every server has in it from its start: events of its own. */
export const createLog = (): StandInLog => {
  const records: Stored[] = [];
  const streams = new Map<string, Stored[]>();
  const listeners = new Set<() => void>();
  let end = 0n;

  const store = (stream: string, events: readonly Sent[]): Stored => {
    const recorded = streams.get(stream) ?? [];
    for (const event of events) {
      const created = BigInt(Date.now()) * 10_000n;
      const entry = { ...event, stream, revision: BigInt(recorded.length), position: end, created };
      end += BigInt(FRAME_BYTES + event.data.length + event.metadata.length);
      records.push(entry);
      recorded.push(entry);
    }
    streams.set(stream, recorded);
    for (const listener of listeners) listener();
    return recorded.at(-1)!;
  };

  store('$users', [systemEvent('$User')]);
  return {
    records,
    stream: (name) => streams.get(name) ?? [],
    append: (stream, expected, events) => {
      const recorded = streams.get(stream) ?? [];
      const verdict = check(recorded, expected, events);
      return verdict ?? { kind: 'appended', last: store(stream, events) };
    },
    onGrowth: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

/** Null: it may be written. At an exact revision the ids at its very place decide, else those of the whole stream. */
const check = (recorded: readonly Stored[], expected: Expected, events: readonly Sent[]): Verdict | null => {
  const actual = recorded.at(-1)?.revision ?? null;
  const conflict = { kind: 'conflict', actual } as const;
  if (expected === 'any' || expected === 'streamExists') {
    if (expected === 'streamExists' && actual === null) return conflict;
    const known = events.map(({ id }) => recorded.find((event) => event.id === id));
    const last = known.at(-1);
    if (known.every((event) => event === undefined)) return null;
    return last && known.every((event) => event !== undefined) ? { kind: 'repeated', last } : conflict;
  }
  const after = expected === 'noStream' ? -1n : expected;
  if (after === (actual ?? -1n)) return null;
  if (after > (actual ?? -1n)) return conflict;
  const there = recorded.slice(Number(after) + 1, Number(after) + 1 + events.length);
  const same = there.length === events.length && there.every((event, at) => event.id === events[at]?.id);
  return same ? { kind: 'repeated', last: there.at(-1)! } : conflict;
};

export const systemEvent = (type: string): Sent => ({
  id: crypto.randomUUID(),
  type,
  contentType: 'application/json',
  data: Buffer.from('{}'),
  metadata: new Uint8Array(),
});
