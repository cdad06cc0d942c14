import { expect, it } from 'vitest';
import { createEventStoreDb } from '../../../adapters/eventstoredb/eventstoredb.ts';
import {
  assignIdentity,
  LOG_IDENTITY_STREAM,
} from '../../../application/event-sourcing/store-health/compare-log.ts';
import { BEGINNING } from '../../../application/ports/event-store.ts';
import { createIdSource } from '../../../adapters/system/identity.ts';
import { systemEvent } from '../../support/eventstoredb/log.ts';
import { startStandIn } from '../../support/eventstoredb/stand-in.ts';
import { newEvent, newStream } from '../contracts/event-store.ts';

it('keeps two services and another program apart on one server', async () => {
  const standIn = await startStandIn();
  const open = (prefix: string) => createEventStoreDb({ connectionString: standIn.connectionString, prefix });
  const [one, other, plain] = [open('one_'), open('other_'), open('')];
  const stream = newStream();
  for (const { store } of [one, other, plain]) await store.append(stream, 'none', [newEvent('Ours')]);
  standIn.log.append('contract-42', 'any', [systemEvent('Theirs')]);

  const filters = [{}, { categories: ['contract'] }, { types: ['Ours', 'Theirs'] }, { stream }];
  for (const { feed } of [one, other]) {
    for (const filter of filters) {
      const { events } = await feed.read(BEGINNING, filter, 10);
      expect(events.map((event) => [event.stream, event.type])).toEqual([[stream, 'Ours']]);
      const [last] = (await feed.readBack(BEGINNING, filter, 1)).events;
      expect(last).toMatchObject({ stream, type: 'Ours' });
    }
    const followed = [];
    for await (const message of feed.follow(BEGINNING, {}, { signal: new AbortController().signal })) {
      if (message.kind === 'events') followed.push(...message.events.map((event) => event.stream));
      if (message.kind === 'caughtUp') break;
    }
    expect(followed).toEqual([stream]);
  }
  expect(standIn.log.stream(`one_${stream}`)).toHaveLength(1);

  const identity = await assignIdentity(one.store, createIdSource());
  expect(await one.probe(LOG_IDENTITY_STREAM)).toMatchObject({ identity });
  expect(await other.probe(LOG_IDENTITY_STREAM)).toMatchObject({ identity: null });
  for (const { close } of [one, other, plain]) await close();
  await standIn.close();
});
