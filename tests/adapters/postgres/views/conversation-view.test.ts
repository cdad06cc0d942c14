import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVault } from '../../../../adapters/postgres/vault/vault.ts';
import { conversationProjection } from '../../../../adapters/postgres/projections/views.ts';
import { createConversationView } from '../../../../adapters/postgres/views/conversation-view.ts';
import { aesGcm, masterKeyOf } from '../../../../adapters/system/cipher.ts';
import type { Vault } from '../../../../application/ports/vault.ts';
import { conversationStream } from '../../../../application/event-sourcing/streams.ts';
import { callerOf, conversationsOf } from '../../../support/conversations.ts';
import { openWorld, type World } from '../../../support/world.ts';

let world: World;
let vault: Vault;
let conversations: ReturnType<typeof conversationsOf>;
beforeAll(async () => {
  world = await openWorld([conversationProjection]);
  world.project(conversationProjection);
  vault = createVault({ db: world.db, cipher: aesGcm, masterKey: masterKeyOf(aesGcm.newKey()) });
  conversations = conversationsOf({ ...world, vault, view: createConversationView(world.db) });
});
afterAll(() => world.close());

const [WIDE, G1, G12] = [callerOf('acme'), callerOf('acme', ['g1']), callerOf('acme', ['g1', 'g2'])];
const seen = (position: string) => world.gate.reached(['conversation'], position, 10_000);
const listed = async (caller = WIDE, principal: string | null = null, limit = 10, after?: string) => {
  const page = { limit, ...(after !== undefined && { after }) };
  const { rows, hasMore, total } = await conversations.operations.list(caller, principal, page);
  return { ids: rows.map(({ id }) => id), hasMore, total };
};

describe('the list of conversations', () => {
  let ids: readonly string[];
  beforeAll(async () => {
    const { turns, ask } = conversations;
    const [wide, one, both] = [await ask(WIDE, 'a', 'b'), await ask(G1, 'c', 'd'), await ask(G12, 'e', 'f')];
    const jo = await ask(WIDE, 'g', 'h', { principalId: 'jo' });
    const foreign = await ask(callerOf('umbrella'), 'i', 'j');
    const more = { conversationId: one.conversationId, regenerate: false, principalId: null };
    const last = await turns.open(G1, { ...more, messages: [{ role: 'user', content: 'k' }] });
    await seen(last.position);
    ids = [wide, one, both, jo, foreign].map(({ conversationId }) => conversationId);
  });

  it('has those of one principal and tenant, newest first, each with its count', async () => {
    const [wide, one, both, jo, foreign] = ids;
    expect(await listed()).toEqual({ ids: [both, one, wide], hasMore: false, total: 3 });
    expect(await listed(WIDE, 'jo')).toEqual({ ids: [jo], hasMore: false, total: 1 });
    expect(await listed(WIDE, 'al')).toEqual({ ids: [], hasMore: false, total: 0 });
    expect(await listed(callerOf('umbrella'))).toEqual({ ids: [foreign], hasMore: false, total: 1 });
    const { rows } = await conversations.operations.list(WIDE, null, { limit: 10 });
    expect(rows.map(({ messageCount }) => messageCount)).toEqual([2, 4, 2]);
  });

  it('shows a restricted key what lies within its source groups', async () => {
    const [, one, both] = ids;
    expect(await listed(G1)).toEqual({ ids: [one], hasMore: false, total: 1 });
    expect(await listed(G12)).toEqual({ ids: [both, one], hasMore: false, total: 2 });
    expect(await listed(callerOf('acme', ['g3']))).toEqual({ ids: [], hasMore: false, total: 0 });
  });

  it('has how each began, in one line, where that can be read', async () => {
    const caller = callerOf('titled');
    const { ask, operations } = conversations;
    const titles = async (of = operations) =>
      (await of.list(caller, null, { limit: 10 })).rows.map(({ title }) => title);
    const first = await ask(caller, '\n\n What  nests\nin reeds? ', 'b');
    const destroyed = await ask(caller, 'c', 'd');
    const damaged = await ask(caller, 'e', 'f');
    const long = await ask(caller, `${'x'.repeat(118)}🦉 ${'y'.repeat(9)}`, 'h');
    const again = { conversationId: first.conversationId, parentMessageId: null };
    const other = await ask(caller, 'And in trees?', 'i', again);
    await seen(other.position);
    await vault.destroy(caller.tenant, conversationStream(destroyed.conversationId));
    await sql`update vault.body set ciphertext = ciphertext || '!'
      where owner = ${conversationStream(damaged.conversationId)}`.execute(world.db);
    const beginning = `${'x'.repeat(118)}…`;
    expect(await titles()).toEqual([beginning, null, null, 'What nests in reeds?']);
    const { row } = await operations.get(caller, long.conversationId, null);
    expect(row.title).toBe(beginning);
    const keyless = createVault({ db: world.db, cipher: aesGcm, masterKey: null });
    const view = createConversationView(world.db);
    expect(await titles(conversationsOf({ ...world, vault: keyless, view }).operations)).toEqual(
      Array.from({ length: 4 }, () => null),
    );
  });

  it('is paged by what the caller sees or saw, and refuses any other id', async () => {
    const [wide, one, both, jo] = ids;
    expect(await listed(WIDE, null, 2)).toEqual({ ids: [both, one], hasMore: true, total: 3 });
    expect(await listed(WIDE, null, 2, one)).toEqual({ ids: [wide], hasMore: false, total: 3 });
    const { position } = await conversations.operations.remove(WIDE, one!, null);
    await seen(position);
    expect(await listed(WIDE, null, 2, one)).toEqual({ ids: [wide], hasMore: false, total: 2 });
    for (const [caller, after] of [
      [WIDE, jo],
      [G1, both],
      [callerOf('umbrella'), one],
      [WIDE, world.ids.newId()],
    ] as const) {
      await expect(listed(caller, null, 2, after)).rejects.toMatchObject({ code: 'invalid_cursor' });
    }
  });
});
