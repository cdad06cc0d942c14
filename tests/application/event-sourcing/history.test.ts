import { describe, expect, it } from 'vitest';
import { createMemoryEventStore } from '../../support/memory/event-store.ts';
import { createEventCodec } from '../../../application/event-sourcing/event-codec.ts';
import { createExecute } from '../../../application/event-sourcing/execute.ts';
import { tagStream } from '../../../application/event-sourcing/streams.ts';
import { tag } from '../../../domain/tag/decider.ts';
import { callerOf, refused } from '../../support/conversations.ts';
import { countingIds } from '../../support/ids.ts';
import { writeAsNewer } from '../../support/newer-version.ts';

const STREAM = tagStream('acme');

/** Three tags of a tenant. */
const setUp = async () => {
  const store = createMemoryEventStore(() => 7);
  const execute = createExecute({ store, codec: createEventCodec(), ids: countingIds() });
  for (const name of ['a', 'b', 'c']) {
    const command = { type: 'create', tagId: `tag ${name}`, name, description: '', at: 1 } as const;
    await execute(tag, STREAM, command, callerOf('acme').context);
  }
  return { store, history: execute.history };
};

describe('the history of an aggregate', () => {
  it('is its events in their order, each with what it was stored as', async () => {
    const { history } = await setUp();
    const past = await history(tag, STREAM, 'acme');
    expect(past.map(({ event }) => event.type === 'TagCreated' && event.name)).toEqual(['a', 'b', 'c']);
    expect(past[1]?.recorded).toMatchObject({ revision: 1n, recordedAt: 7, type: 'TagCreated' });
  });

  it('is refused where a newer version has written to it, in the part that is read', async () => {
    const { store, history } = await setUp();
    await writeAsNewer(store, STREAM);
    expect(await refused(history(tag, STREAM, 'acme'))).toBe('unavailable');
    await expect(history(tag, STREAM, 'acme')).rejects.toThrow(/newer version of the service \(\w+\)/);
    expect(await history(tag, STREAM, 'acme', { from: 0n, limit: 3 })).toHaveLength(3);
  });
});
