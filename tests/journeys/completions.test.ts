import { beforeAll, describe, expect, it } from 'vitest';
import type { CompletionChoice } from '../../clients/typescript/src/index.ts';
import { openJourney } from '../support/journey.ts';
import { issued } from '../support/keys.ts';
import { crawl, emptyGroup, ended } from '../support/crawls.ts';
import type { Service } from '../support/service.ts';
import { page, type Site } from '../support/site.ts';

const PAGES = {
  '/': page('Home', '<a href="/vacuum">Vacuum</a> <a href="/backup">Backup</a> <a href="/locks">Locks</a>'),
  '/vacuum': page(
    'Vacuum',
    '<p>The vacuum daemon reclaims storage occupied by dead tuples. It runs by itself.</p>',
  ),
  '/backup': page(
    'Backup',
    '<p>A backup copies the whole cluster while it runs. Keep the write-ahead log with it.</p>',
  ),
  '/locks': page(
    'Locks',
    '<p>A lock table lists every lock that a transaction holds. Deadlocks end the younger one.</p>',
  ),
};

const journey = openJourney();
let service: Service;
let site: Site;
beforeAll(async () => {
  const env = { KNOWLEDGER_ALLOW_ADDRESSES: '127.0.0.1/32', KNOWLEDGER_MASTER_KEY: 'A'.repeat(43) + '=' };
  [service, site] = await Promise.all([journey.service(env), journey.site(PAGES)]);
  await ended(service, (await crawl(service, `${site.origin}/`)).id);
}, 120_000);

const QUESTION = 'What reclaims the storage of dead tuples?';
const ask = (content: string) =>
  service.post('/completions', { body: { messages: [{ role: 'user', content }] } });

describe('completions without a provider', { timeout: 180_000 }, () => {
  it('answer with passages of the right page, word by word, and cite it', async () => {
    const answer = await ask(QUESTION);
    const [{ message, citations, finish_reason: finishReason }] = answer.choices as [CompletionChoice];
    expect(answer.model).toBe('extractive');
    expect(finishReason).toBe('stop');
    expect(answer).not.toHaveProperty('usage');
    expect(message.content).toMatch(
      /^Closest passages:\n\n\*\*Vacuum\*\* \[1\]\n\n.*The vacuum daemon reclaims storage occupied by dead tuples\./s,
    );
    expect(citations[0]!.url).toBe(`${site.origin}/vacuum`);
    for (const { id } of citations) await service.get('/contents/{id}', { path: { id } });
    const marks = [...message.content.matchAll(/\[(\d+)\]/g)].map(([, digit]) => Number(digit));
    expect(Math.max(...marks)).toBe(citations.length);
  });

  it('say that the closest passages are weak where they hold little of the question', async () => {
    const question = 'Which harbour do the ships of the vacuum daemon anchor in?';
    const answer = await ask(question);
    const [{ message, citations }] = answer.choices as [CompletionChoice];
    expect(message.content).toMatch(/^No page seems to answer this\. Closest passages:/);
    expect(citations[0]!.url).toBe(`${site.origin}/vacuum`);
    const messages = [{ role: 'user', content: question }];
    const streamed = await service.api('POST', '/completions', { messages, stream: true });
    expect(streamed.body).toBe(message.content);
    const kept = await service.get('/conversations/{id}', { path: { id: answer.conversation_id } });
    expect(kept.messages.at(-1)).toMatchObject({ content: message.content, model: 'extractive' });
  });

  it('cite nothing where no content has a word of the question', async () => {
    const [{ message, citations, finish_reason: finishReason }] = (await ask('Xylophone quagmire?'))
      .choices as [CompletionChoice];
    expect([finishReason, citations]).toEqual(['stop', []]);
    expect(message.content).toContain('The indexed content does not answer this question.');
  });

  it('find nothing of other groups for a restricted key, nor unknown conversations', async () => {
    const { key } = await issued(service, {
      scopes: ['inference:run'],
      source_group_ids: [await emptyGroup(service)],
    });
    const body = { messages: [{ role: 'user', content: QUESTION }] };
    const answer = await service.api('POST', '/completions', body, { 'x-api-key': key });
    expect(answer.body.choices[0].citations).toEqual([]);
    const foreign = await service.api('POST', '/completions', {
      ...body,
      conversation_id: '0199d2a0-0000-7000-8000-000000000009',
    });
    expect([foreign.status, foreign.body.error.type]).toEqual([404, 'not_found']);
  });
});
