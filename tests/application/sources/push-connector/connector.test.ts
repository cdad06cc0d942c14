import { expect, it } from 'vitest';
import { createMemoryItemStore } from '../../../support/memory/item-store.ts';
import { createPushConnector } from '../../../../application/sources/push-connector/connector.ts';
import { ACME, pushesInMemory } from '../../../support/pushes-in-memory.ts';

it('a push is handed over as it is made, to whoever made it, and points at nothing', async () => {
  const world = pushesInMemory();
  const { id, status, subject } = await world.open().create();
  expect([status, subject]).toEqual(['managed', { kind: 'push' }]);
  expect(await world.eventsOf(id)).toEqual(['DataSourceRegistered', 'JobQueued', 'JobHandedOff']);
});

it('a job of a push that a worker is given all the same fails, and says who does it', async () => {
  const connector = createPushConnector(createMemoryItemStore());
  expect([connector.kind, connector.sourceType, connector.contentParameters]).toEqual(['push', 'push', []]);
  expect(await connector.run(null as never, new AbortController().signal)).toEqual({
    kind: 'failed',
    code: 'executed_outside',
    error: {
      title: 'Not supported here',
      message: 'an external process runs the jobs of a push',
    },
  });
});

it('a push knows which documents failed, and forgets what it is told to', async () => {
  const world = pushesInMemory();
  const one = world.open();
  const { id, jobId } = await one.create();
  const { record } = await one.put(id, 'a.txt', 'A\n1');
  await one.put(id, 'b.txt', '!broken');
  const { push } = world.deps.connectors;
  expect((await push.errors(id, { limit: 9 })).rows).toMatchObject([
    { locator: 'b.txt', code: 'parser_failed', message: 'it broke' },
  ]);
  await one.jobs.complete(ACME, id, jobId);
  await one.jobs.open(ACME, id, undefined);
  await push.forgetDocument({ dataSourceId: id, generation: 2 }, record.id);
  await one.put(id, 'a.txt', 'A\n1');
  expect(world.read).toEqual(['a.txt', 'b.txt', 'a.txt']);
  await push.forget(id);
  expect((await push.errors(id, { limit: 9 })).rows).toEqual([]);
});
