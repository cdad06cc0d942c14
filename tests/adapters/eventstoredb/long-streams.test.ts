import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BEGINNING, type Position, type RecordedEvent } from '../../../application/ports/event-store.ts';
import { systemEvent } from '../../support/eventstoredb/log.ts';
import { eventsOf, followUntil } from '../contracts/event-feed.ts';
import { newEvent, newStream } from '../contracts/event-store.ts';
import { type OpenStandIn, PATIENT, openStandIn } from './open-store.ts';

/** As many events as no single answer is asked for. */
const LENGTH = 2_100;

describe('a long stream in EventStoreDB', () => {
  let open: OpenStandIn;
  beforeEach(async () => {
    open = await openStandIn({}, PATIENT);
  });
  afterEach(() => open.close());

  const filled = (): string => {
    const stream = newStream();
    const events = Array.from({ length: LENGTH }, () => systemEvent('Counted'));
    open.standIn.log.append(stream, 'noStream', events);
    return stream;
  };
  const isWhole = (events: readonly { readonly revision: bigint }[]): void => {
    expect(events).toHaveLength(LENGTH);
    expect(events.every(({ revision }, index) => revision === BigInt(index))).toBe(true);
  };

  it('is read in parts, and no part twice', async () => {
    const stream = filled();
    isWhole(await open.store.readStream(stream));
    expect(open.standIn.calls.read).toBe(2);
    expect(open.standIn.calls.eventsRead).toBe(LENGTH);
  });

  it('is read on where a part of it fails, and from its beginning only where that does', async () => {
    const stream = filled();
    open.standIn.faults.reads.push({ kind: 'fine' }, { kind: 'cut', after: 7 });
    isWhole(await open.store.readStream(stream));
    expect(open.standIn.calls.read).toBe(3);
  });

  it('is read on where the server stops in the middle of a part and says nothing more', async () => {
    const hasty = await openStandIn({}, { callMs: 1_000, outageMs: 15_000 });
    const stream = newStream();
    hasty.standIn.log.append(stream, 'noStream', [systemEvent('A'), systemEvent('B'), systemEvent('C')]);
    hasty.standIn.faults.reads.push({ kind: 'stall', after: 2 });
    expect(await hasty.store.readStream(stream)).toHaveLength(3);
    expect(hasty.standIn.network.connections().ever).toBeGreaterThan(1);
    await hasty.close();
  });

  it('is read for as long as events come, however long that is', async () => {
    // Longer than the silence that is borne, in pieces that each keep well within it.
    const slow = await openStandIn({}, { ...PATIENT, callMs: 1_500, attempts: 1, outageMs: 0 });
    const stream = newStream();
    slow.standIn.log.append(
      stream,
      'noStream',
      Array.from({ length: 100 }, () => systemEvent('Slow')),
    );
    slow.standIn.faults.reads.push({ kind: 'drip', everyMs: 20 });
    expect(await slow.store.readStream(stream)).toHaveLength(100);
    await slow.close();
  });

  it('is read no further than asked', async () => {
    const stream = filled();
    expect(await open.store.readStream(stream, 10n, 2_050)).toHaveLength(2_050);
    expect(await open.store.readStream(stream, 2_099n, 2_500)).toHaveLength(1);
    expect(await open.store.readStream(stream, 0n, 0)).toEqual([]);
  });

  describe('through the feed', () => {
    const PAGE = 100;
    /** With events of other streams before, between and after its own. */
    const spread = () => {
      const { log } = open.standIn;
      const stream = newStream();
      log.append(newStream(), 'noStream', [systemEvent('Other')]);
      for (let part = 0; part < LENGTH / PAGE; part += 1) {
        log.append(
          stream,
          'any',
          Array.from({ length: PAGE }, () => systemEvent('Counted')),
        );
        log.append(newStream(), 'noStream', [systemEvent('Other')]);
      }
      const events = log.stream(stream);
      const positionAt = (revision: number): Position => {
        const digits = String(events[revision]!.position).padStart(20, '0');
        return `${digits}:${digits}`;
      };
      const between = (revision: number): Position => {
        const next = log.records.findIndex((record) => record === events[revision]) + 1;
        const digits = String(log.records[next]!.position).padStart(20, '0');
        return `${digits}:${digits}`;
      };
      return { stream, positionAt, between };
    };
    /** Events that the server sent for the work. */
    const sentFor = async (work: () => Promise<void>): Promise<number> => {
      const before = open.standIn.calls.eventsRead;
      await work();
      return open.standIn.calls.eventsRead - before;
    };
    const revisionsOf = (events: readonly RecordedEvent[]) => events.map(({ revision }) => Number(revision));
    const range = (from: number, to = LENGTH) => Array.from({ length: to - from }, (_, at) => from + at);

    it('is sent once to its follower, from the beginning and from any place', async () => {
      const { stream, positionAt, between } = spread();
      // The place of an event of the stream, and of one of another stream.
      for (const [after, first] of [
        [BEGINNING, 0],
        [positionAt(LENGTH / 2), LENGTH / 2 + 1],
        [between(PAGE * 3 - 1), PAGE * 3],
        [between(LENGTH - 1), LENGTH],
      ] as const) {
        const sent = await sentFor(async () => {
          const caughtUp = (messages: readonly { readonly kind: string }[]) =>
            messages.at(-1)?.kind === 'caughtUp';
          const messages = await followUntil(open.feed, after, { stream }, caughtUp, PAGE);
          expect(revisionsOf(eventsOf(messages))).toEqual(range(first));
        });
        expect(sent).toBeLessThan(LENGTH - first + 40);
      }
    });

    it('is paged through in either direction at a cost for each page that does not grow', async () => {
      const { stream } = spread();
      const { feed } = open;
      const forwards: RecordedEvent[] = [];
      const ahead = await sentFor(async () => {
        for (let after = BEGINNING, more = true; more;) {
          const page = await feed.read(after, { stream }, PAGE);
          forwards.push(...page.events);
          [after, more] = [page.position, page.events.length === PAGE];
        }
      });
      expect(revisionsOf(forwards)).toEqual(range(0));
      const backwards: RecordedEvent[] = [];
      const back = await sentFor(async () => {
        for (let more = true; more;) {
          const { events: page } = await feed.readBack(
            backwards.at(-1)?.position ?? BEGINNING,
            { stream },
            PAGE,
          );
          backwards.push(...page);
          more = page.length === PAGE;
        }
      });
      expect(revisionsOf(backwards)).toEqual(range(0).toReversed());
      for (const sent of [ahead, back]) expect(sent).toBeLessThan(2 * LENGTH);
    });

    it('is read on by its follower without a search', async () => {
      const { stream } = spread();
      const { log, calls } = open.standIn;
      const more = async (): Promise<void> => {
        log.append(stream, 'any', [systemEvent('Live')]);
        await open.store.append(newStream(), 'none', [newEvent()]);
      };
      let [live, before] = [0, 0];
      const messages = await followUntil(open.feed, BEGINNING, { stream }, async (seen) => {
        const { kind } = seen.at(-1)!;
        if (kind === 'caughtUp' && live === 0) [live, before] = [1, calls.readStream];
        else if (kind === 'events' && live > 0) live += 1;
        else return false;
        if (live < 5) await more();
        return live === 5;
      });
      expect(eventsOf(messages)).toHaveLength(LENGTH + 4);
      expect(calls.readStream - before).toBe(4);
    });
  });
});
