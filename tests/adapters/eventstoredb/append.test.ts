import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  AppendTooLarge,
  EventStoreUnavailable,
  InvalidEvent,
  MAX_EVENT_BYTES,
  OutcomeUnknown,
} from '../../../application/ports/event-store.ts';
import { type AppendFate, accessDenied, notReady, timedOut } from '../../support/eventstoredb/faults.ts';
import { newEvent, newStream } from '../contracts/event-store.ts';
import { type OpenStandIn, PATIENT, failureOf, openStandIn } from './open-store.ts';

describe('appends to EventStoreDB', () => {
  let open: OpenStandIn;
  beforeEach(async () => {
    open = await openStandIn();
  });
  afterEach(() => open.close());

  const suffer = (...fates: AppendFate[]): void => {
    open.standIn.faults.appends.push(...fates);
  };
  const kept = (stream: string): number => open.standIn.log.stream(stream).length;

  it('sends all appends of a connection over one call', async () => {
    const patient = await openStandIn({}, PATIENT);
    const { store, standIn, close } = patient;
    await Promise.all(Array.from({ length: 20 }, () => store.append(newStream(), 'none', [newEvent()])));
    expect(standIn.calls).toMatchObject({ append: 20, batchAppend: 1 });
    await close();
  });

  describe('without an answer', () => {
    const events = [newEvent('A'), newEvent('B')] as const;
    const fates: readonly (readonly [string, AppendFate])[] = [
      ['a silence before it is kept', { kind: 'silence', commit: false }],
      ['a silence after it is kept', { kind: 'silence', commit: true }],
      ['a connection that dies before it is kept', { kind: 'cut', commit: false }],
      ['a connection that dies after it is kept', { kind: 'cut', commit: true }],
      ['a time-out of the cluster', { kind: 'refuse', with: timedOut }],
      ['a server that is not ready', { kind: 'refuse', with: notReady }],
    ];
    it.each(fates)('tries again after %s, and keeps the events once', async (_, fate) => {
      const stream = newStream();
      suffer(fate);
      const result = await open.store.append(stream, 'none', events);
      const recorded = await open.store.readStream(stream);
      expect(recorded.map(({ id }) => id)).toEqual(events.map(({ id }) => id));
      expect(result).toEqual({ revision: 1n, position: recorded[1]?.position });
      expect(open.standIn.calls.append).toBeGreaterThan(1);
    });

    it('looks into the stream when no try was answered, and finds what was kept', async () => {
      const stream = newStream();
      suffer(
        { kind: 'silence', commit: false },
        { kind: 'silence', commit: true },
        { kind: 'cut', commit: true },
      );
      expect(await open.store.append(stream, 'none', events)).toMatchObject({ revision: 1n });
      expect(kept(stream)).toBe(2);
    });

    it('names the outcome unknown when the stream does not show the events, and a retry settles it', async () => {
      const stream = newStream();
      for (let tries = 0; tries < 3; tries += 1) suffer({ kind: 'silence', commit: false });
      expect(await failureOf(open.store.append(stream, 'none', events))).toBeInstanceOf(OutcomeUnknown);
      // Their deadlines ended the calls on the server too.
      await expect.poll(() => open.standIn.open.size).toBe(0);
      expect(await open.store.append(stream, 'none', events)).toMatchObject({ revision: 1n });
      expect(kept(stream)).toBe(2);
    });

    it('is not troubled by an answer that comes after its deadline', async () => {
      const stream = newStream();
      const { promise, resolve } = Promise.withResolvers<void>();
      suffer({ kind: 'late', until: promise });
      const result = await open.store.append(stream, 'none', events);
      resolve();
      expect(await open.store.append(stream, 1n, [newEvent('C')])).toMatchObject({ revision: 2n });
      expect(result.revision).toBe(1n);
    });

    it('does not fail because the connection of another client died', async () => {
      const other = await openStandIn({}, PATIENT);
      const { promise, resolve } = Promise.withResolvers<void>();
      other.standIn.faults.appends.push({ kind: 'late', until: promise });
      const waiting = other.store.append(newStream(), 'none', [newEvent()]);
      suffer({ kind: 'cut', commit: false });
      await open.store.append(newStream(), 'none', [newEvent()]);
      resolve();
      expect(await waiting).toMatchObject({ revision: 0n });
      expect(other.standIn.calls.append).toBe(1);
      await other.close();
    });
  });

  describe('with an answer that is not the whole truth', () => {
    it('recognises its events behind a conflict', async () => {
      const stream = newStream();
      suffer({ kind: 'forgetful' });
      const result = await open.store.append(stream, 'none', [newEvent('A'), newEvent('B')]);
      const recorded = await open.store.readStream(stream);
      expect(result).toEqual({ revision: 1n, position: recorded[1]?.position });
    });

    it('reads a position that the answer does not hold', async () => {
      const stream = newStream();
      suffer({ kind: 'noPosition' });
      const result = await open.store.append(stream, 'none', [newEvent('A'), newEvent('B')]);
      expect(result.position).toBe((await open.store.readStream(stream))[1]?.position);
    });

    it('names the outcome unknown when the stream cannot be asked', async () => {
      suffer({ kind: 'forgetful' });
      for (let tries = 0; tries < 3; tries += 1) open.standIn.faults.reads.push({ kind: 'silence' });
      const lost = failureOf(open.store.append(newStream(), 'none', [newEvent()]));
      expect(await lost).toBeInstanceOf(OutcomeUnknown);
    });
  });

  describe('what is refused', () => {
    it('sends nothing that is no JSON', async () => {
      const event = { ...newEvent(), data: { n: 1n } as never };
      await expect(open.store.append(newStream(), 'none', [event])).rejects.toBeInstanceOf(InvalidEvent);
      expect(open.standIn.calls.append).toBe(0);
    });

    it('fits into what a server takes without configuration, and reports a server that takes less', async () => {
      const big = () => newEvent('A', { a: 'x'.repeat(MAX_EVENT_BYTES - 1_000) });
      const events = [big(), big(), big()] as const;
      expect(await open.store.append(newStream(), 'none', events)).toMatchObject({ revision: 2n });
      const strict = await openStandIn({ maxAppendBytes: 1_000 });
      const refused = failureOf(strict.store.append(newStream(), 'none', events));
      expect(await refused).toBeInstanceOf(AppendTooLarge);
      await strict.close();
    });

    it('is unavailable where the user may not write, and does not try again', async () => {
      const patient = await openStandIn({}, PATIENT);
      patient.standIn.faults.appends.push({ kind: 'refuse', with: accessDenied });
      const refused = await failureOf(patient.store.append(newStream(), 'none', [newEvent()]));
      expect(refused).toBeInstanceOf(EventStoreUnavailable);
      expect(String(refused)).toContain(
        'asks for a user, and none was sent, as the connection does not use TLS',
      );
      expect(patient.standIn.calls.append).toBe(1);
      expect(patient.standIn.log.records).toHaveLength(1);
      await patient.close();
    });
  });

  it('is unavailable while no server can be reached, keeps nothing, and works again afterwards', async () => {
    const stream = newStream();
    await open.store.append(newStream(), 'none', [newEvent()]);
    await open.standIn.network.isolate();
    // The first one finds out: it may have been on its way when the connection died.
    const first = await failureOf(open.store.append(stream, 'none', [newEvent()]));
    expect([EventStoreUnavailable, OutcomeUnknown]).toContain((first as Error).constructor);
    const second = await failureOf(open.store.append(stream, 'none', [newEvent()]));
    expect(second).toBeInstanceOf(EventStoreUnavailable);
    expect(await failureOf(open.store.readStream(stream))).toBeInstanceOf(EventStoreUnavailable);
    await open.standIn.network.restore();
    expect(kept(stream)).toBe(0);
    const settled = async (): Promise<unknown> =>
      failureOf(open.store.append(stream, 'none', [newEvent('A')]));
    await expect.poll(settled).toMatchObject({ succeeded: { revision: 0n } });
  });
});
