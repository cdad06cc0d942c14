import { sha256 } from '../../../../adapters/system/identity.ts';
import { fingerprintOf } from '../../../../application/answers/completions/claim-completion.ts';
import { ProviderError } from '../../../../application/ports/language-model.ts';
import { HOLD_MS, completionsOnce, ended } from '../../../support/completions-once.ts';
import { contentOf, request, scripted, webOf } from '../../../support/completions.ts';
import { callerOf, refused } from '../../../support/conversations.ts';
import { describe, expect, it } from 'vitest';

const USAGE = { kind: 'finish', reason: 'stop', usage: { inputTokens: 9, outputTokens: 2 } } as const;

const other = { messages: [{ role: 'user', content: 'Something else?' }] } as const;

/** A model whose answers fail or are given one after the other. */
const inTurn = (...answers: readonly (string | Error)[]) => {
  const left = [...answers];
  const asked: unknown[] = [];
  return {
    ...scripted(),
    asked,
    async *stream() {
      asked.push(1);
      const said = left.shift() ?? 'no more';
      if (said instanceof Error) throw said;
      yield { kind: 'delta', text: said } as const;
      yield { ...USAGE };
    },
  };
};

const broken = new ProviderError('it broke', { retryable: false });

describe('a completion with an Idempotency-Key', () => {
  it('is answered once: repeated, it gives the first answer again, and asks no model', async () => {
    const model = scripted('First [3], then [1].', USAGE);
    const { ground } = webOf();
    const once = completionsOnce(model, { ground });
    const first = await once.ask('k1', { grounding: true });
    once.pass(5_000);
    const again = await once.ask('k1', { grounding: true });
    expect([first.replayed, again.replayed]).toEqual([false, true]);
    expect(again).toEqual({ ...first, replayed: true, web: again.web });
    const told = (web: typeof first.web) => ({
      ...web,
      results: web.results.map(({ url, title }) => ({ url, title })),
    });
    expect(told(again.web)).toEqual(told(first.web));
    expect(model.asked).toHaveLength(1);
    const { messages } = await once.conversations.get(
      callerOf('acme'),
      first.completion.conversationId,
      null,
    );
    expect(messages).toHaveLength(2);
  });

  it('keeps its key to itself: another request with it is refused, another tenant does not know of it', async () => {
    const { ask, start } = completionsOnce(scripted('Yes.'));
    const first = await ask('k1');
    expect(await refused(start('k1', other))).toBe('idempotency_conflict');
    expect(await refused(start('k1', { principalId: 'jo' }))).toBe('idempotency_conflict');
    expect(await refused(start('k1', {}, callerOf('acme', ['g1'])))).toBe('not_found');
    const foreign = await ask('k1', other, callerOf('umbrella'));
    expect(foreign.completion.conversationId).not.toBe(first.completion.conversationId);
  });

  it('is told to come back while the first one is being answered, however long that takes', async () => {
    const once = completionsOnce(scripted('Yes.'));
    const running = await once.start('k1');
    expect(await refused(once.start('k1'))).toBe('conflict');
    expect(await refused(once.start('k1', other))).toBe('idempotency_conflict');
    once.pass(HOLD_MS - 1);
    await Promise.all(once.renewals.map((renew) => renew()));
    once.pass(HOLD_MS - 1);
    expect(await refused(once.start('k1'))).toBe('conflict');
    const first = await ended(running);
    expect((await once.ask('k1')).completion).toEqual(first.completion);
    expect(once.renewals).toEqual([]);
  });

  it('is answered by one of several that race', async () => {
    const model = scripted('Yes.');
    const { start } = completionsOnce(model);
    const running = await Promise.allSettled(Array.from({ length: 8 }, () => start('k1')));
    const through = running.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(through).toHaveLength(1);
    await ended(through[0]!);
    expect(model.asked).toHaveLength(1);
    const reasons = running.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
    expect(reasons).toEqual(Array.from({ length: 7 }, () => 'conflict'));
  });

  it('is answered when it is repeated after a failure, in the conversation that it began', async () => {
    const model = inTurn(broken, broken, 'At last.');
    const once = completionsOnce(model);
    for (const _ of [1, 2]) await expect(once.ask('k1')).rejects.toThrow(broken);
    const { completion, replayed } = await once.ask('k1');
    expect([completion.choices[0].message.content, replayed]).toEqual(['At last.', false]);
    const { messages } = await once.conversations.get(callerOf('acme'), completion.conversationId, null);
    expect(messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'What are the facts?'],
      ['assistant', null],
      ['assistant', null],
      ['assistant', 'At last.'],
    ]);
    expect((await once.ask('k1')).completion).toEqual(completion);
    expect(model.asked).toHaveLength(3);
  });

  it('frees its key when it fails or is refused: another request may use it', async () => {
    const once = completionsOnce(inTurn(broken, 'Yes.'));
    await expect(once.ask('k1')).rejects.toThrow(broken);
    const { completion } = await once.ask('k1', other);
    const { messages } = await once.conversations.get(callerOf('acme'), completion.conversationId, null);
    expect(messages[0]).toMatchObject({ content: 'Something else?' });

    const nowhere = { conversationId: '0199d2a0-0000-7000-8000-00000000dead' };
    expect(await refused(once.start('k2', nowhere))).toBe('not_found');
    const { conversationId } = completion;
    const parentMessageId = completion.userMessageId;
    expect(await refused(once.start('k2', { conversationId, parentMessageId }))).toBe('invalid_request');
    expect((await once.ask('k2')).replayed).toBe(false);
  });

  it('is answered when the process that was at it died, once its hold has run out', async () => {
    const once = completionsOnce(scripted('Yes.'));
    const lost = await once.start('k1');
    once.pass(HOLD_MS + 1);
    const { completion } = await once.ask('k1');
    expect(completion.conversationId).toBe(lost.conversationId);
    // Who was thought dead cannot overwrite it.
    expect(await refused(ended(lost))).toBe('conflict');
    expect((await once.ask('k1')).completion).toEqual(completion);
  });

  it('cites no more what cannot be read any more, and numbers the rest anew', async () => {
    const once = completionsOnce(scripted('First [3], then [1], `a[1]`, and [2].'));
    const first = await once.ask('k1');
    expect(first.said).toBe('First [1], then [2], `a[1]`, and [3].');
    once.gone.add(contentOf(3).id);
    const { completion, contents } = await once.ask('k1');
    const [{ message, citations }] = completion.choices;
    expect(message.content).toBe('First, then [1], `a[1]`, and [2].');
    expect(citations).toEqual([contentOf(1), contentOf(2)]);
    expect(contents).toEqual([contentOf(1), contentOf(2)]);
  });

  it('is gone with its conversation', async () => {
    const once = completionsOnce(scripted('Yes.'));
    const { completion } = await once.ask('k1');
    await once.conversations.remove(callerOf('acme'), completion.conversationId, null);
    expect(await refused(once.start('k1'))).toBe('not_found');
    expect(await refused(once.start('k1', other))).toBe('not_found');
  });

  it('leaves in the events no word, and no hash of one', async () => {
    const once = completionsOnce(scripted('zyxquon'));
    await once.ask('k1', { messages: [{ role: 'user', content: 'quetzal?' }] });
    const told = JSON.stringify(once.written);
    expect(told).toContain('CompletionKeyClaimed');
    expect(told).not.toMatch(/zyxquon|quetzal|[0-9a-f]{64}/);
  });

  it('keeps through the sweep what a repetition needs', async () => {
    const once = completionsOnce(scripted('Yes [1].'));
    const first = await once.ask('k1');
    expect(await once.sweep()).toEqual({ keys: 0, texts: 0 });
    expect((await once.ask('k1')).completion).toEqual(first.completion);
  });
});

type Once = ReturnType<typeof completionsOnce>;

const kept = async ({ vault }: Once) =>
  vault.writtenBetween({ olderMs: -1_000, youngerMs: 3_600_000 }, '', 99);

describe('a request that was slower than another with its key', () => {
  it('leaves nothing of it in a conversation that was there', async () => {
    const once = completionsOnce(scripted('Yes.'));
    const { conversationId } = (await once.ask()).completion;
    const more = { ...other, conversationId };
    const running = await Promise.allSettled([once.start('k1', more), once.start('k1', more)]);
    const [won] = running.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    await ended(won!);
    const [{ ids } = { ids: [] }] = await kept(once);
    const requests = ids.filter((id) => id.endsWith('/request'));
    expect(requests).toEqual([`${won!.assistantMessageId}/request`]);
    expect((await once.ask('k1', more)).replayed).toBe(true);
  });
});

const raw = { logic: 'AND', filters: [{ key: 'teamName', operator: 'eq', val: 'a' }] };

const asked = request({
  filter: { limit: 8, onSources: [{ name: 'metadata', raw }] } as never,
  principalId: 'jo',
});

it('a request is kept under the names that callers use', () => {
  const first = fingerprintOf(sha256, asked);
  const written = request({ filter: { limit: 8, metadata: raw } as never, principalId: 'jo' });
  expect(fingerprintOf(sha256, written)).toBe(first);
});
