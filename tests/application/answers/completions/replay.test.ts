import { beforeEach, describe, expect, it } from 'vitest';
import { createMemoryVault } from '../../../support/memory/vault.ts';
import { createReplay } from '../../../../application/answers/completions/replay.ts';
import { createTurns, type OpenTurn } from '../../../../application/answers/conversations/turns.ts';
import { conversationStream } from '../../../../application/event-sourcing/streams.ts';
import { DomainError } from '../../../../domain/shared/domain-error.ts';
import { contentOf, request } from '../../../support/completions.ts';
import { asking, callerOf, endingOf } from '../../../support/conversations.ts';
import { memoryParts } from '../../../support/memory-parts.ts';

const caller = callerOf('acme');
const SHOWN = {
  contentIds: [contentOf(1).id, contentOf(2).id],
  pages: [{ url: 'https://web.example/1', title: 'A page' }],
  queries: ['facts'],
  suggestion: 'all facts',
};

const setUp = async () => {
  const parts = memoryParts();
  const vault = createMemoryVault();
  const turns = createTurns({ ...parts, vault });
  const behalf: unknown[] = [];
  const refusals = new Map<string, Error>();
  const content = async (_: unknown, id: string, onBehalfOf: unknown) => {
    behalf.push(onBehalfOf);
    const refusal = refusals.get(id);
    if (refusal !== undefined) throw refusal;
    return contentOf(Number(id.slice(-12)));
  };
  const replay = createReplay({ ...parts, vault, content });
  const again = async (turn: OpenTurn, more: Parameters<typeof request>[0] = {}) => {
    const { conversationId, assistantMessageId: answerId } = turn;
    const running = await replay(caller, request(more), { conversationId, answerId });
    return { ...running, events: await Array.fromAsync(running.events) };
  };
  const turn = await turns.open(caller, asking('What are the facts?'));
  const owner = conversationStream(turn.conversationId);
  return { ...parts, vault, turns, turn, owner, again, behalf, refusals };
};
let open: Awaited<ReturnType<typeof setUp>>;
beforeEach(async () => {
  open = await setUp();
});
const finished = async (content = 'It is so [1].') =>
  open.turns.finish(caller, open.turn, { ...endingOf(content), shown: SHOWN });

describe('the answer that a key leads to', () => {
  it('is given again, with what its model was shown, and no words of the web', async () => {
    const at = await finished();
    const { turn, again } = open;
    const answer = await again(turn);
    expect(answer).toMatchObject({
      contents: [contentOf(1), contentOf(2)],
      web: { results: [{ ...SHOWN.pages[0], snippet: '' }], queries: ['facts'], suggestion: 'all facts' },
      replayed: true,
    });
    expect(answer.events).toEqual([
      { kind: 'delta', text: 'It is so [1].' },
      expect.objectContaining({ kind: 'finished' }),
    ]);
    expect(answer.events[1]).toMatchObject({
      completion: { created: Math.floor(at / 1000), choices: [{ citations: [contentOf(1)] }] },
    });
  });

  it('is its own, and none of those before it in the conversation', async () => {
    await finished();
    open.time.now += 60_000;
    const { turns, turn, again } = open;
    const { conversationId } = turn;
    const second = await turns.open(caller, asking('And now?', { conversationId }));
    const ending = { ...endingOf('No more.'), model: 'small-2', usage: null, citedContentIds: [] };
    const at = await turns.finish(caller, second, ending);
    const { events } = await again(second);
    expect(events.at(-1)).toMatchObject({
      completion: {
        created: Math.floor(at / 1000),
        model: 'small-2',
        usage: null,
        userMessageId: second.userMessageId,
      },
    });
  });
});

describe('the contents of an answer that is given again', () => {
  it('are read once each, for whom the request names', async () => {
    await finished();
    await open.again(open.turn);
    await open.again(open.turn, { authzPolicy: 'strict' });
    expect(open.behalf).toStrictEqual([
      { principalId: null },
      { principalId: null },
      { principalId: null, authzPolicy: 'strict' },
      { principalId: null, authzPolicy: 'strict' },
    ]);
  });

  it('are left out where they are not there, and nothing is answered where they cannot be judged', async () => {
    await finished();
    const { again, turn, refusals } = open;
    refusals.set(contentOf(1).id, new DomainError('not_found', 'gone'));
    expect((await again(turn)).contents).toEqual([contentOf(2)]);
    for (const error of [new DomainError('authz_policy_not_found', 'no policy'), new Error('away')]) {
      refusals.set(contentOf(1).id, error);
      await expect(again(turn)).rejects.toBe(error);
    }
  });
});
