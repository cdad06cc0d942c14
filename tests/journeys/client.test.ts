import { beforeAll, expect, it } from 'vitest';
import { type Client, createClient } from '../../clients/typescript/src/index.ts';
import { openJourney } from '../support/journey.ts';

const journey = openJourney();
let client: Client;
beforeAll(async () => {
  const { base, key } = await journey.tenant();
  client = createClient({ url: base, key });
}, 120_000);

it('the client for TypeScript uploads, waits, reads lists, searches, answers, follows and deletes', async () => {
  const form = new FormData();
  form.set('name', 'Birds');
  const texts = Array.from({ length: 5 }, (_, i) => `The osprey number${i} dives feet first. `.repeat(2_000));
  for (const [i, text] of texts.entries()) {
    form.append('files', new Blob([text]), `birds/osprey${i}.txt`);
    form.append('last_modified', '1790000000000');
  }
  const bytes = texts.join('').length + 'Birds'.length + 5 * '1790000000000'.length;
  const progress: number[] = [];
  const { source_group_id: id } = await client.upload('/local-file-groups', form, {
    onProgress: (sent, total) => {
      expect(total).toBe(bytes);
      progress.push(sent);
    },
  });
  expect(progress.length).toBeGreaterThan(2);
  expect([progress.toSorted((a, b) => a - b), progress.at(-1)]).toEqual([progress, bytes]);
  const done = await client.waitFor('/local-file-groups', id);
  expect([done.status, done.progress.indexed]).toEqual(['success', 5]);

  const names: string[] = [];
  const query = { source_group_id: id, limit: 2 };
  for await (const { title } of client.all('/sources', { query })) names.push(title);
  expect(names.toSorted()).toEqual(texts.map((_, i) => `osprey${i}`));

  const { results } = await client.post('/search', { body: { query: 'osprey number3' } });
  expect(results[0]!.content.text).toContain('number3');
  let answer = '';
  const question = { role: 'user', content: 'how does osprey number3 dive?' } as const;
  const body = { messages: [question], stream: true };
  for await (const { data } of client.stream<{ readonly delta?: string }>('POST', '/completions', { body }))
    answer += data.delta ?? '';
  expect(answer).toContain('feet first');

  const over = new AbortController();
  const types: string[] = [];
  const path = { path: { id }, signal: over.signal };
  for await (const { data } of client.follow<{ readonly type: string }>(
    '/local-file-groups/{id}/events',
    path,
  )) {
    types.push(data.type);
    if (data.type === 'JobSucceeded') await client.delete('/local-file-groups/{id}', { path: { id } });
    if (data.type === 'DataSourceDeleted') over.abort();
  }
  expect(types.at(-1)).toBe('DataSourceDeleted');
  await expect(client.waitFor('/local-file-groups', id)).rejects.toMatchObject({ type: 'not_found' });
  await expect(client.post('/tags', { body: { name: '' } })).rejects.toMatchObject({
    status: 400,
    type: 'invalid_request',
  });
});
