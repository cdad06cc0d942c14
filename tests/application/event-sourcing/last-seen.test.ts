import { beforeEach, describe, expect, it } from 'vitest';
import { createMemoryEventStore } from '../../support/memory/event-store.ts';
import { createEventCodec } from '../../../application/event-sourcing/event-codec.ts';
import { createExecute, type Execute, type LastSeen } from '../../../application/event-sourcing/execute.ts';

import { tagStream } from '../../../application/event-sourcing/streams.ts';
import { tag, type TagCommand, type Tagging } from '../../../domain/tag/decider.ts';
import { countingIds } from '../../support/ids.ts';
import { createTag as create } from '../../support/tag-commands.ts';

const STREAM = tagStream('acme');

let calls: string[];
let execute: Execute;
const run = (command: TagCommand, lastSeen?: LastSeen<Tagging>, tenant = 'acme') =>
  execute(
    tag,
    STREAM,
    command,
    { tenant, actor: { kind: 'api_key', id: 'key-1' }, correlationId: 'c', causationId: 'c' },
    lastSeen && { lastSeen },
  );
/** What a command asks the store, in order. */
const asking = async (...command: Parameters<typeof run>) => {
  calls = [];
  const done = await run(...command).catch((error: Error) => error.message);
  return [calls, typeof done === 'string' ? done : done.state.tags.size];
};

beforeEach(() => {
  const memory = createMemoryEventStore(() => 1);
  const store: typeof memory = {
    ...memory,
    readStream: (...args) => {
      calls.push('read');
      return memory.readStream(...args);
    },
    append: (...args) => {
      calls.push('append');
      return memory.append(...args);
    },
  };
  calls = [];
  execute = createExecute({ store, codec: createEventCodec(), ids: countingIds() });
});

describe('a writer that says what it has last seen', () => {
  it('reads and decides again where somebody else has written since', async () => {
    const one = await run(create('one'));
    await run(create('two'));
    expect(await asking(create('three'), one)).toEqual([['append', 'read', 'append'], 3]);
  });

  it('is refused, and left as it is, only on what the stream says now', async () => {
    const one = await run(create('one'));
    await run({ type: 'delete', tagId: 'one', at: 1 });
    expect(await asking(create('one', 'other'), one)).toEqual([['read', 'append'], 1]);
    expect(await asking(create('other'), one)).toEqual([['append', 'read'], 1]);
    expect(await asking(create('one', 'third'), one)).toEqual([
      ['read'],
      'there is a tag of this name already',
    ]);
  });
});
