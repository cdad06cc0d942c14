import { sweepVault } from '../../../../application/agents/sweep-vault.ts';
import { createEventCodec } from '../../../../application/event-sourcing/event-codec.ts';
import { createExecute } from '../../../../application/event-sourcing/execute.ts';
import { conversationStream } from '../../../../application/event-sourcing/streams.ts';
import type { EventStore } from '../../../../application/ports/event-store.ts';
import type { PageRequest } from '../../../../application/ports/page.ts';
import type { RowOverlay } from '../../../../application/ports/read-your-writes.ts';
import type { Vault } from '../../../../application/ports/vault.ts';
import { asking, callerOf, conversationsOf, endingOf, refused } from '../../../support/conversations.ts';
import { countingIds } from '../../../support/ids.ts';
import { createMemoryEventStore } from '../../../support/memory/event-store.ts';
import { createMemoryVault } from '../../../support/memory/vault.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { OUR_MARKS } from '../../../support/newer-version.ts';

const ACME = callerOf('acme');

const NOTHING = '0199d2a0-0000-7000-8000-00000000dead';

const AGE = { olderMs: 0, youngerMs: 3_600_000 };

const codec = createEventCodec();

const idsOf = (prefix: string) => {
  let made = 0;
  return { newId: () => `0199d2a0-0000-7000-${prefix}-${String((made += 1)).padStart(12, '0')}` };
};

const executeOn = (store: EventStore) => createExecute({ store, codec, ids: idsOf('a000') });

let store: EventStore;

let vault: Vault;

describe('turns', () => {
  let conversations: ReturnType<typeof conversationsOf>;

  const opened = (changes: Partial<{ store: EventStore; vault: Vault }> = {}) => {
    const parts = { store, vault, codec, ids: idsOf('9000'), ...changes };
    const execute = executeOn(parts.store);
    const view = { list: async () => ({ rows: [], hasMore: false, total: 0 }) };
    return conversationsOf({ ...parts, execute, view });
  };

  beforeEach(() => {
    store = createMemoryEventStore();
    vault = createMemoryVault();
    conversations = opened();
  });

  describe('a turn', () => {
    it('starts a conversation, and goes on with all that was said', async () => {
      const { ask, turns } = conversations;
      const first = await ask(ACME, 'Which falcons?', 'Peregrines [1].');
      expect(first.history).toEqual([{ role: 'user', content: 'Which falcons?' }]);
      const { conversationId } = first;
      const next = await turns.open(ACME, asking('How fast?', { conversationId }));
      expect(next.conversationId).toBe(conversationId);
      expect(next.history).toEqual([
        { role: 'user', content: 'Which falcons?' },
        { role: 'assistant', content: 'Peregrines [1].' },
        { role: 'user', content: 'How fast?' },
      ]);
      expect(new Set([first.userMessageId, next.userMessageId, next.assistantMessageId]).size).toBe(3);
    });

    it('leaves no word in the events', async () => {
      const { ask, turns } = conversations;
      const { conversationId } = await ask(ACME, 'zyxquon?', 'zyxquon indeed');
      const failing = await turns.open(ACME, asking('zyxquon again', { conversationId }));
      await turns.fail(ACME, failing, 'provider_timeout');
      const events = await told(conversationId);
      expect(events).toContain('AnswerFailed');
      expect(events).not.toContain('zyxquon');
    });

    it('keeps the pages of the web that an answer cites beside its words, and neither in the events', async () => {
      const { turns, operations } = conversations;
      const pages = [{ url: 'https://zyxquon.example/', title: 'Zyxquon' }];
      const turn = await turns.open(ACME, asking('What is it?'));
      await turns.finish(ACME, turn, { ...endingOf('It is [W1].'), webCitations: pages });
      const { conversationId } = turn;
      const next = await turns.open(ACME, asking('And then?', { conversationId }));
      await turns.finish(ACME, next, endingOf('Nothing.'));
      await sweep();
      const { messages } = await operations.get(ACME, conversationId, null);
      expect(messages.map(({ content, webCitations }) => [content, webCitations])).toEqual([
        ['What is it?', []],
        ['It is [W1].', pages],
        ['And then?', []],
        ['Nothing.', []],
      ]);
      expect(next.history.map(({ content }) => content)).toEqual(['What is it?', 'It is [W1].', 'And then?']);
      expect((await told(conversationId)).toLowerCase()).not.toContain('zyxquon');
    });

    it('hides in the titles of those pages what policies hide now', async () => {
      const { turns, operations } = conversations;
      const page = { url: 'https://a.example/', title: 'Ask jane@example.org' };
      const turn = await turns.open(ACME, asking('Whom?'));
      await turns.finish(ACME, turn, { ...endingOf('Her [W1].'), webCitations: [page] });
      const { messages } = await operations.get(ACME, turn.conversationId, null);
      expect(messages.at(-1)?.webCitations).toEqual([{ ...page, title: 'Ask [email]' }]);
    });

    it('forgets those pages with an answer that was never recorded', async () => {
      const { turns } = conversations;
      const turn = await turns.open(ACME, asking('What is it?'));
      const owner = conversationStream(turn.conversationId);
      const id = turn.assistantMessageId;
      const kept = async () => [...(await vault.read('acme', owner, [id, `${id}/web`]))!.keys()];
      await vault.put('acme', owner, [
        { id, text: 'x' },
        { id: `${id}/web`, text: '[]' },
      ]);
      expect(await kept()).toHaveLength(2);
      await sweep();
      expect(await kept()).toEqual([]);
    });

    it('keeps what was sent before a question, and no instruction', async () => {
      const messages = [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: 'Good day' },
        { role: 'user', content: 'Which falcons?' },
      ] as const;
      const turn = await conversations.turns.open(ACME, asking('', { messages }));
      expect(turn.history).toEqual(messages.slice(1));
      const { messages: kept } = await conversations.operations.get(ACME, turn.conversationId, null);
      expect(kept[0]).toMatchObject({ content: 'Which falcons?', preceding: messages.slice(1, 3) });
    });

    it('keeps of a conversation that goes on the question alone, whatever is sent before it', async () => {
      const { ask, turns } = conversations;
      const { conversationId } = await ask(ACME, 'Which falcons?', 'Peregrines.');
      const messages = [
        { role: 'user', content: 'Which falcons?' },
        { role: 'assistant', content: 'Peregrines.' },
        { role: 'user', content: 'How fast?' },
      ] as const;
      const { history } = await turns.open(ACME, asking('', { messages, conversationId }));
      expect(history).toEqual(messages);
    });

    it('branches where it is told to: an edit is a sibling', async () => {
      const { ask, turns } = conversations;
      const one = await ask(ACME, 'one', 'uno');
      const { conversationId } = one;
      await ask(ACME, 'two', 'due', { conversationId });
      const parentMessageId = one.assistantMessageId;
      const edited = await turns.open(ACME, asking('zwei', { conversationId, parentMessageId }));
      expect(edited.history.map(({ content }) => content)).toEqual(['one', 'uno', 'zwei']);
      const root = await turns.open(ACME, asking('eins', { conversationId, parentMessageId: null }));
      expect(root.history.map(({ content }) => content)).toEqual(['eins']);
    });

    it('answers a question again beside the first answer', async () => {
      const { ask, turns, operations } = conversations;
      const one = await ask(ACME, 'one', 'uno');
      const { conversationId } = one;
      await ask(ACME, 'two', 'due', { conversationId });
      const again = { conversationId, regenerate: true, parentMessageId: one.userMessageId };
      const turn = await turns.open(ACME, asking('one', again));
      expect(turn.userMessageId).toBe(one.userMessageId);
      expect(turn.history.map(({ content }) => content)).toEqual(['one']);
      await turns.finish(ACME, turn, endingOf('eins'));
      const { messages } = await operations.get(ACME, conversationId, null);
      const answers = messages.filter(({ parentId }) => parentId === one.userMessageId);
      expect(answers.map(({ content }) => content)).toEqual(['uno', 'eins']);
      // Without a message to answer again it is the last one.
      const last = await turns.open(ACME, asking('', { conversationId, regenerate: true }));
      expect(last.userMessageId).toBe(one.userMessageId);
    });

    it('does not answer again what is another text than the question that was kept, and records nothing', async () => {
      const { ask, turns, operations } = conversations;
      const { conversationId } = await ask(ACME, 'one', 'uno');
      const again = (text: string) => turns.open(ACME, asking(text, { conversationId, regenerate: true }));
      expect(await refused(again('one more'))).toBe('invalid_request');
      expect((await operations.get(ACME, conversationId, null)).messages).toHaveLength(2);
      expect(await refused(again(' \n'))).toBeNull();
    });

    it.each([
      ['a parent without its conversation', { parentMessageId: NOTHING }, 'invalid_request'],
      ['a regeneration without its conversation', { regenerate: true }, 'invalid_request'],
      ['no question', { messages: [{ role: 'assistant', content: 'x' }] }, 'invalid_request'],
      ['nothing at all', { messages: [] }, 'invalid_request'],
      ['an unknown conversation', { conversationId: NOTHING }, 'not_found'],
      ['an unknown conversation to answer again', { conversationId: NOTHING, regenerate: true }, 'not_found'],
    ] as const)('is refused for %s, and leaves nothing', async (_, more, code) => {
      expect(await refused(conversations.turns.open(ACME, asking('x', more)))).toBe(code);
      expect(await vault.writtenBetween(AGE, '', 10)).toEqual([]);
    });

    it('finds no message of another conversation, no other principal, and no other tenant', async () => {
      const { ask, turns } = conversations;
      const [mine, other] = [await ask(ACME, 'a', 'b', { principalId: 'jo' }), await ask(ACME, 'c', 'd')];
      const { conversationId } = mine;
      const tried = [
        turns.open(ACME, asking('x', { conversationId })),
        turns.open(ACME, asking('x', { conversationId, principalId: 'al' })),
        turns.open(callerOf('umbrella'), asking('x', { conversationId, principalId: 'jo' })),
        turns.open(
          ACME,
          asking('x', { conversationId, principalId: 'jo', parentMessageId: other.assistantMessageId }),
        ),
        turns.finish(callerOf('umbrella'), mine, endingOf('x')),
        turns.fail(callerOf('umbrella'), mine, 'x'),
      ];
      expect(await Promise.all(tried.map(refused))).toEqual(tried.map(() => 'not_found'));
      expect(await refused(turns.open(ACME, asking('x', { conversationId, principalId: 'jo' })))).toBeNull();
      const [holding] = await vault.writtenBetween(AGE, '', 10);
      expect(holding?.ids.length).toBe(3);
    });

    it('of a wider key is hidden from a narrower one', async () => {
      const { ask, turns, operations } = conversations;
      const narrow = callerOf('acme', ['g1']);
      const { conversationId } = await ask(narrow, 'a', 'b');
      expect(await refused(operations.get(callerOf('acme', ['g2']), conversationId, null))).toBe('not_found');
      expect(await refused(operations.get(narrow, conversationId, null))).toBeNull();
      await ask(ACME, 'c', 'd of another group', { conversationId });
      expect(await refused(operations.get(narrow, conversationId, null))).toBe('not_found');
      expect(await refused(turns.open(narrow, asking('x', { conversationId })))).toBe('not_found');
      expect(await refused(operations.remove(narrow, conversationId, null))).toBe('not_found');
    });

    it('that was given up takes no answer any more, nor keeps its text', async () => {
      const { turns, operations } = conversations;
      const turn = await turns.open(ACME, asking('a'));
      await turns.fail(ACME, turn, 'provider_timeout');
      expect(await refused(turns.finish(ACME, turn, endingOf('late')))).toBe('conflict');
      const { messages } = await operations.get(ACME, turn.conversationId, null);
      expect(messages[1]).toMatchObject({ status: 'failed', errorCode: 'provider_timeout', content: null });
      const [holding] = await vault.writtenBetween(AGE, '', 10);
      expect(holding?.ids).toEqual([turn.userMessageId]);
    });
  });

  describe('a deletion', () => {
    it('takes every text, and ends what is still being written', async () => {
      const { ask, turns, operations } = conversations;
      const kept = await ask(ACME, 'kept', 'kept');
      const { conversationId } = await ask(ACME, 'a', 'b');
      const late = await turns.open(ACME, asking('c', { conversationId }));
      const done = await operations.remove(ACME, conversationId, null);
      expect(done).toMatchObject({ record: conversationId, changed: true });
      const tried = [
        operations.get(ACME, conversationId, null),
        operations.remove(ACME, conversationId, null),
        turns.finish(ACME, late, endingOf('late')),
        turns.fail(ACME, late, 'x'),
        turns.open(ACME, asking('x', { conversationId })),
      ];
      expect(await Promise.all(tried.map(refused))).toEqual(tried.map(() => 'not_found'));
      const holdings = await vault.writtenBetween(AGE, '', 10);
      expect(holdings.map(({ owner }) => owner)).toEqual([conversationStream(kept.conversationId)]);
    });

    it('broken off before its event leaves what nobody can read, and the next one finishes', async () => {
      const { ask } = conversations;
      const { conversationId } = await ask(ACME, 'a', 'b');
      const crash = new Error('crash');
      const broken = opened({
        store: {
          ...store,
          append: () => Promise.reject(crash),
          readStream: (...args) => store.readStream(...args),
        },
      });
      await expect(broken.operations.remove(ACME, conversationId, null)).rejects.toThrow(crash);
      const { operations, turns } = conversations;
      expect(await refused(operations.get(ACME, conversationId, null))).toBe('not_found');
      expect(await refused(turns.open(ACME, asking('x', { conversationId })))).toBe('not_found');
      expect(await refused(operations.remove(ACME, conversationId, null))).toBeNull();
      expect(await told(conversationId)).toContain('ConversationDeleted');
    });
  });

  describe('the sweep of the vault', () => {
    it('deletes what crashes have left between a text and its event, and nothing else', async () => {
      const { ask, turns } = conversations;
      const one = await ask(ACME, 'a', 'b');
      const { conversationId } = one;
      const pending = await turns.open(ACME, asking('c', { conversationId }));
      const owner = conversationStream(conversationId);
      await vault.put('acme', owner, [
        { id: pending.assistantMessageId, text: 'kept, but not recorded' },
        { id: NOTHING, text: 'a question that was never recorded' },
      ]);
      const never = conversationStream(NOTHING);
      await vault.create('acme', never);
      await vault.put('acme', never, [{ id: 'x', text: 'x' }]);
      await vault.create('acme', 'visit-1');
      expect(await sweep()).toEqual({ keys: 1, texts: 3 });
      const left = await vault.writtenBetween(AGE, '', 10);
      expect(left.map((holding) => holding.owner)).toEqual([owner, 'visit-1'].toSorted());
      const toldOf = [one.userMessageId, one.assistantMessageId, pending.userMessageId];
      expect(left[0]?.ids).toEqual(toldOf.toSorted());
      expect(await sweep()).toEqual({ keys: 0, texts: 0 });
    });

    it('leaves alone what a newer version has written to, and goes on', async () => {
      const { ask } = conversations;
      const { conversationId } = await ask(ACME, 'a', 'b');
      const stream = conversationStream(conversationId);
      const newer = { id: NOTHING, type: 'MessagePinned', data: {}, metadata: OUR_MARKS };
      await store.append(stream, 3n, [newer]);
      await vault.put('acme', stream, [{ id: 'of tomorrow', text: 'x' }]);
      expect(await sweep()).toEqual({ keys: 0, texts: 0 });
      expect(await refused(conversations.operations.get(ACME, conversationId, null))).toBe('unavailable');
    });
  });
});

const told = async (conversationId: string): Promise<string> =>
  JSON.stringify(await store.readStream(conversationStream(conversationId)), (_, value: unknown) =>
    typeof value === 'bigint' ? Number(value) : value,
  );

const sweep = (using = store) =>
  sweepVault({ vault, execute: executeOn(using) }, new AbortController().signal, AGE);

const NARROW = callerOf('acme', ['g1']);

const idOf = (n: number): string => `0199d2a0-0000-7000-8000-00000000000${n}`;

const notFound = { code: 'not_found' };

const ids = countingIds();

const listed: unknown[] = [];

describe('edges of a turn', () => {
  let conversations: ReturnType<typeof opened>;

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
      await expect(slowly.turns.open(NARROW, asking('d', { conversationId }))).rejects.toMatchObject(
        notFound,
      );
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

  describe('a conversation', () => {
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
      const orphans = [
        list(ACME, 'jo', { limit: 5, after: idOf(9) }),
        list(ACME, null, { limit: 5, after }),
        list(ACME, 'al', { limit: 5, after }),
        list(NARROW, 'jo', { limit: 5, after }),
        list(callerOf('umbrella'), 'jo', { limit: 5, after: narrow }),
      ];
      for (const one of orphans) await expect(one).rejects.toMatchObject({ code: 'invalid_cursor' });
    });
  });
});

const typesIn = async (id: string): Promise<readonly string[]> =>
  (await store.readStream(conversationStream(id))).map(({ type }) => type);
