import { beforeAll, describe, expect, it } from 'vitest';
import { openJourney } from '../support/journey.ts';
import { crawl } from '../support/crawls.ts';
import { issued } from '../support/keys.ts';
import type { Answer } from '../support/client.ts';
import type { Service } from '../support/service.ts';
import { page, type Site } from '../support/site.ts';

const journey = openJourney();
let site: Site;
/** Two processes on the same data. */
let services: readonly [Service, Service];
beforeAll(async () => {
  site = await journey.site({ '/': page('Start', 'one page') });
  const start = await journey.processes({ KNOWLEDGER_ALLOW_ADDRESSES: site.host });
  services = [await start(), await start()];
}, 120_000);

const MANY = 64;
const atOnce = (path: string, bodyOf: (i: number) => object): Promise<readonly Answer[]> =>
  Promise.all(
    Array.from({ length: MANY }, (_, i) => services[i % 2 === 0 ? 0 : 1].api('POST', path, bodyOf(i))),
  );
const statuses = (answers: readonly Answer[]): readonly number[] => [
  ...new Set(answers.map(({ status }) => status)),
];
const newest = (answers: readonly Answer[]) => ({
  'x-min-position': answers
    .map(({ headers }) => headers.get('x-position') ?? '')
    .toSorted()
    .at(-1)!,
});

describe('writes of one tenant, at the same time and over two processes', { timeout: 240_000 }, () => {
  it('make every tag, and every binding of one', async () => {
    const made = await atOnce('/tags', (i) => ({ name: `tag ${i}` }));
    expect(statuses(made)).toEqual([201]);
    const { id } = await crawl(services[0], `${site.origin}/`);
    const bound = await atOnce('/tag-source-groups', (i) => ({
      tag_id: made[i]!.body.id,
      source_group_id: id,
    }));
    expect(statuses(bound)).toEqual([201]);
    const { body } = await services[1].api('GET', '/tags?limit=100', undefined, newest(bound));
    expect(body.pagination.total).toBe(MANY);
    expect(new Set(body.tags.map((one: { source_group_count: number }) => one.source_group_count))).toEqual(
      new Set([1]),
    );
  });

  it('issue every key, and revoke one while others are issued', async () => {
    const leaked = await issued(services[0], { name: 'leaked' });
    const making = atOnce('/api-keys', (i) => ({ name: `key ${i}`, scopes: ['knowledge:read'] }));
    const revoked = await services[1].api('DELETE', `/api-keys/${leaked.id}`);
    const made = await making;
    expect([statuses(made), revoked.status]).toEqual([[201], 200]);
    const list = await services[0].api('GET', '/api-keys?limit=100', undefined, newest([...made, revoked]));
    expect(list.body.pagination.total).toBe(MANY + 1);
  });
});
