import { beforeEach, describe, expect, it } from 'vitest';
import { createMemoryEventStore } from '../../../support/memory/event-store.ts';
import { createMemoryVault } from '../../../support/memory/vault.ts';
import type { TurnRequest } from '../../../../application/answers/conversations/turn-command.ts';
import { createEventCodec } from '../../../../application/event-sourcing/event-codec.ts';
import { createExecute } from '../../../../application/event-sourcing/execute.ts';
import type { PageRequest } from '../../../../application/ports/page.ts';
import type { EventStore } from '../../../../application/ports/event-store.ts';
import type { RowOverlay } from '../../../../application/ports/read-your-writes.ts';
import { type Vault } from '../../../../application/ports/vault.ts';
import { conversationStream } from '../../../../application/event-sourcing/streams.ts';
import { asking, callerOf, conversationsOf, NOW } from '../../../support/conversations.ts';
import { countingIds } from '../../../support/ids.ts';

const ACME = callerOf('acme');
const NARROW = callerOf('acme', ['g1']);
const idOf = (n: number): string => `0199d2a0-0000-7000-8000-00000000000${n}`;
const notFound = { code: 'not_found' };

let store: EventStore;
let vault: Vault;
let conversations: ReturnType<typeof opened>;
const ids = countingIds();
const listed: unknown[] = [];
const opened = (changes: Partial<{ store: EventStore; vault: Vault; overlay: RowOverlay }> = {}) => {
  const parts = { store, vault, codec: createEventCodec(), ids, ...changes };
  const view = {
    list: async (...asked: unknown[]) => {
      listed.push(asked);
      return { rows: [], hasMore: false, total: 0 };
    },
  };
  return conversationsOf({ ...parts, execute: createExecute(parts), view });
};
beforeEach(() => {
  store = createMemoryEventStore();
  vault = createMemoryVault();
  listed.length = 0;
  conversations = opened();
});
const typesIn = async (id: string): Promise<readonly string[]> =>
  (await store.readStream(conversationStream(id))).map(({ type }) => type);

describe('a turn whose texts are not there', () => {
  const without = (texts: ReadonlyMap<string, string> | null) =>
    opened({ vault: { ...vault, read: async () => texts } });

  it('is of no conversation where the key is gone', async () => {
    const { conversationId } = await conversations.ask(ACME, 'a', 'b');
    const { turns, operations } = without(null);
    await expect(turns.open(ACME, asking('c', { conversationId }))).rejects.toMatchObject(notFound);
    const again = asking('a', { conversationId, regenerate: true });
    await expect(turns.open(ACME, again)).rejects.toMatchObject(notFound);
    await expect(operations.get(ACME, conversationId, null)).rejects.toMatchObject(notFound);
  });

  it('goes on with what there is, as in a restored backup', async () => {
    const { conversationId, userMessageId } = await conversations.ask(ACME, 'a', 'b');
    await vault.forget('acme', conversationStream(conversationId), [userMessageId]);
    const { history } = await conversations.turns.open(ACME, asking('c', { conversationId }));
    expect(history.map(({ content }) => content)).toEqual(['b', 'c']);
    const again = { conversationId, regenerate: true, parentMessageId: userMessageId };
    expect((await conversations.turns.open(ACME, asking('what?', again))).history).toEqual([]);
    const { messages } = await conversations.operations.get(ACME, conversationId, null);
    expect(messages[0]).toMatchObject({ content: null, preceding: [], webCitations: [] });
  });

  it('shows no answer that was kept and not recorded, and nothing before one', async () => {
    const turn = await conversations.turns.open(ACME, asking('a'));
    const { conversationId, assistantMessageId: id } = turn;
    await vault.put('acme', conversationStream(conversationId), [{ id, text: 'half' }]);
    const [question, answer] = (await conversations.operations.get(ACME, conversationId, null)).messages;
    expect(answer).toMatchObject({ content: null, preceding: [], webCitations: [] });
    expect(question).toMatchObject({ content: 'a', preceding: [], webCitations: [] });
  });
});

describe('a turn that fails while it is recorded', () => {
  it('is refused where a wider key has asked in between, and so is a deletion', async () => {
    const wider = async (conversationId: string) =>
      void (await conversations.ask(ACME, 'c', 'of another group', { conversationId }));
    const first = await conversations.ask(NARROW, 'a', 'b');
    const slowly = opened({
      vault: {
        ...vault,
        put: async (...of) => {
          await wider(first.conversationId);
          return vault.put(...of);
        },
      },
    });
    const { conversationId } = first;
    await expect(slowly.turns.open(NARROW, asking('d', { conversationId }))).rejects.toMatchObject(notFound);
    const second = await conversations.ask(NARROW, 'a', 'b');
    const removing = opened({
      vault: { ...vault, destroy: async () => wider(second.conversationId) },
    });
    await expect(removing.operations.remove(NARROW, second.conversationId, null)).rejects.toMatchObject(
      notFound,
    );
    expect(await typesIn(second.conversationId)).not.toContain('ConversationDeleted');
  });
});

describe('a request for a turn', () => {
  const refused: readonly (readonly [string, Partial<TurnRequest>])[] = [
    ['the last message must be from the user', { messages: [{ role: 'assistant', content: 'x' }] }],
    ['parent_message_id needs its conversation_id', { parentMessageId: null }],
    ['regenerate needs a conversation_id', { regenerate: true }],
    [
      'regenerate takes the user message to answer again',
      { conversationId: idOf(1), regenerate: true, parentMessageId: null },
    ],
  ];
  it.each(refused)('is refused in words: %s', async (message, more) => {
    await conversations.turns.open(ACME, asking('a'), { ids: [1, 2, 3].map(idOf), at: NOW });
    await expect(conversations.turns.open(ACME, asking('x', more))).rejects.toMatchObject({
      code: 'invalid_request',
      message,
    });
  });
});

describe('a conversation', () => {
  it('of two groups is hidden from a key of one of them', async () => {
    const { conversationId } = await conversations.ask(callerOf('acme', ['g1', 'g2']), 'a', 'b');
    await expect(conversations.operations.get(NARROW, conversationId, null)).rejects.toMatchObject(notFound);
    await expect(
      conversations.operations.get(callerOf('acme', ['g2', 'g1', 'g3']), conversationId, null),
    ).resolves.toMatchObject({ row: { id: conversationId } });
  });

  it('is listed for those whose it is, behind any that they have seen there', async () => {
    const { operations, ask } = conversations;
    const list = (by = ACME, principalId: string | null = null, page: PageRequest = { limit: 5 }) =>
      operations.list(by, principalId, page);
    await list();
    await list(NARROW, 'jo');
    expect(listed).toEqual([
      ['acme', null, { limit: 5 }, null],
      ['acme', 'jo', { limit: 5 }, ['g1']],
    ]);
    const { conversationId: after } = await ask(ACME, 'a', 'b', { principalId: 'jo' });
    const { conversationId: narrow } = await ask(NARROW, 'a', 'b', { principalId: 'jo' });
    await expect(list(ACME, 'jo', { limit: 5, after })).resolves.toMatchObject({ total: 0 });
    await expect(list(NARROW, 'jo', { limit: 5, after: narrow })).resolves.toMatchObject({ total: 0 });
    await operations.remove(ACME, after, 'jo');
    await expect(list(ACME, 'jo', { limit: 5, after })).resolves.toMatchObject({ total: 0 });
    const refused = [
      list(ACME, 'jo', { limit: 5, after: idOf(9) }),
      list(ACME, null, { limit: 5, after }),
      list(ACME, 'al', { limit: 5, after }),
      list(NARROW, 'jo', { limit: 5, after }),
      list(callerOf('umbrella'), 'jo', { limit: 5, after: narrow }),
    ];
    for (const one of refused) await expect(one).rejects.toMatchObject({ code: 'invalid_cursor' });
  });
});
