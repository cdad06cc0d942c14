import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../../adapters/system/identity.ts';
import { derivedId } from '../../../../application/event-sourcing/derived-id.ts';
import { idempotencyStream } from '../../../../application/event-sourcing/streams.ts';
import { scripted } from '../../../support/completions.ts';
import { completionsOnce, ended } from '../../../support/completions-once.ts';
import { refused } from '../../../support/conversations.ts';

type Once = ReturnType<typeof completionsOnce>;
const STREAM = idempotencyStream(derivedId(sha256, 'idempotency', 'acme', 'createCompletion', 'k1'));
const other = { messages: [{ role: 'user', content: 'Something else?' }] } as const;
const kept = async ({ vault }: Once) =>
  vault.writtenBetween({ olderMs: -1_000, youngerMs: 3_600_000 }, '', 99);
const claims = async ({ store }: Once) => (await store.readStream(STREAM)).length;

describe('a key of a completion', () => {
  it('is left alone by a request that is refused for its conversation', async () => {
    const once = completionsOnce(scripted('Yes.'));
    const nowhere = { conversationId: '0199d2a0-0000-7000-8000-00000000dead' };
    expect(await refused(once.start('k1', nowhere))).toBe('not_found');
    expect([await claims(once), await kept(once)]).toEqual([0, []]);
  });

  it('is free where the first request began no conversation', async () => {
    const once = completionsOnce(scripted('Yes.'));
    const away = new Error('away');
    once.failNext('conversation', away);
    await expect(once.ask('k1')).rejects.toThrow(away);
    for (const { owner } of await kept(once)) await once.vault.destroy('acme', owner);
    expect((await once.ask('k1', other)).replayed).toBe(false);
  });
});

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
