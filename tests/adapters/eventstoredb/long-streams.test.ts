import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemEvent } from '../../support/eventstoredb/log.ts';
import { newStream } from '../contracts/event-store.ts';
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
});
