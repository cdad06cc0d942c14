import { beforeAll, describe, expect, it } from 'vitest';
import type { CompletionCreate } from '../../clients/typescript/src/index.ts';
import { eventually } from '../support/eventually.ts';
import { openJourney } from '../support/journey.ts';
import { holding, onDisk } from '../support/on-disk.ts';
import { EVENTS, placesWith } from '../support/places.ts';
import type { Service } from '../support/service.ts';

/** A word of what is deleted, and of nothing else. */
const WORD = 'zyxquon';

const journey = openJourney();
let service: Service;
let kept: string;
let deleted: string;
let ofJo: string;
beforeAll(async () => {
  service = await journey.service({ KNOWLEDGER_MASTER_KEY: `${'A'.repeat(43)}=` });
  const ask = async (content: string, more: Partial<CompletionCreate> = {}): Promise<string> => {
    const body = { messages: [{ role: 'user', content }], ...more } as const;
    return (await service.post('/completions', { body })).conversation_id;
  };
  kept = await ask('Which falcons?');
  deleted = await ask(`Is there ${WORD}?`);
  await ask(`More ${WORD}`, { conversation_id: deleted });
  ofJo = await ask('Mine?', { principal_id: 'jo' });
}, 120_000);

const listed = async (query = ''): Promise<readonly string[]> => {
  const { body } = await service.api('GET', `/conversations${query}`);
  expect(body.pagination.total).toBe(body.conversations.length);
  return body.conversations.map(({ id }: { id: string }) => id);
};
const allListed = () =>
  eventually(
    () => listed(),
    (ids) => ids.length === 2,
  );
/** Files of the data directory with the text in them, those of the embedded Postgres and its log included. */
const filesWith = async (text: string) => holding(await onDisk(service.dataDir), text);

describe('a conversation', { timeout: 240_000 }, () => {
  it('is listed and read by its principal alone', async () => {
    expect((await allListed()).toSorted()).toEqual([kept, deleted].toSorted());
    const jos = () => listed('?principal_id=jo');
    expect(await eventually(jos, (ids) => ids.length === 1)).toEqual([ofJo]);
    expect(
      (await service.get('/conversations', { query: { principal_id: 'jo' } })).conversations,
    ).toMatchObject([{ title: 'Mine?' }]);
    expect(await listed('?principal_id=al')).toEqual([]);
    await expect(service.get('/conversations/{id}', { path: { id: ofJo } })).rejects.toMatchObject({
      type: 'not_found',
    });
    await expect(
      service.get('/conversations/{id}', { path: { id: kept }, query: { principal_id: 'jo' } }),
    ).rejects.toMatchObject({ type: 'not_found' });
    const body = await service.get('/conversations/{id}', {
      path: { id: ofJo },
      query: { principal_id: 'jo' },
    });
    expect(body).toMatchObject({ id: ofJo, principal_id: 'jo', message_count: 2 });
    expect(body.messages[0]!.content).toBe('Mine?');
    await expect(service.delete('/conversations/{id}', { path: { id: ofJo } })).rejects.toMatchObject({
      type: 'not_found',
    });
    expect((await service.api('GET', '/conversations?principal_id=')).status).toBe(400);
  });

  it('lies nowhere in clear: in no table, no event, no file, and not in the log of the database', async () => {
    expect(await placesWith(service, [deleted])).toContain('vault.body');
    expect(await placesWith(service, [WORD])).toEqual([]);
    expect(await filesWith(WORD)).toEqual([]);
    const body = await service.get('/events', { query: { category: ['conversation'], limit: 100 } });
    expect(JSON.stringify(body)).toContain('UserMessageAdded');
    expect(JSON.stringify(body)).not.toContain(WORD);
  });

  it('is read again after a restart', async () => {
    await service.end('SIGTERM');
    service = await service.again();
    const body = await service.get('/conversations/{id}', { path: { id: kept } });
    expect(body.messages[0]!.content).toBe('Which falcons?');
  });

  it('that is deleted leaves nothing but its events, and how far they were read', async () => {
    const done = await service.api('DELETE', `/conversations/${deleted}`);
    expect([done.status, done.body.message]).toEqual([200, `conversation ${deleted} was deleted`]);
    const seen = { 'x-min-position': done.headers.get('x-position') ?? '' };
    const { body } = await service.api('GET', '/conversations', undefined, seen);
    expect(body.conversations.map(({ id }: { id: string }) => id)).toEqual([kept]);
    await service.get('/conversations', { query: { after: deleted } });
    await expect(service.get('/conversations/{id}', { path: { id: deleted } })).rejects.toMatchObject({
      type: 'not_found',
    });
    await expect(service.delete('/conversations/{id}', { path: { id: deleted } })).rejects.toMatchObject({
      type: 'not_found',
    });
    // The mark that hides it in lists goes when their view has moved. How far that has read the stream stays, and when
    // it was there.
    const left = ['conversation_v1.stream_revision', 'lifetime_v1.lifetime', 'log_tree_v1.log_leaf', EVENTS];
    await expect.poll(() => placesWith(service, [deleted]), { timeout: 30_000 }).toEqual(left);
    expect(await filesWith(WORD)).toEqual([]);
    expect((await service.get('/conversations/{id}', { path: { id: kept } })).messages[0]!.content).toBe(
      'Which falcons?',
    );
  });
});
