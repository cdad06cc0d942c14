import { HttpAgent } from '@ag-ui/client';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { openJourney } from '../support/journey.ts';
import { issued } from '../support/keys.ts';
import { STORE } from '../support/backing.ts';
import { crawl, emptyGroup, ended } from '../support/crawls.ts';
import { inDatabase } from '../support/database.ts';
import { holding, onDisk } from '../support/on-disk.ts';
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
const ask = async (content: string, more: object = {}) =>
  (await service.api('POST', '/completions', { messages: [{ role: 'user', content }], ...more })).body;

describe('completions without a provider', { timeout: 180_000 }, () => {
  it('answer with sentences of the right page, word by word, and cite it', async () => {
    const answer = await ask(QUESTION);
    const [{ message, citations, finish_reason: finishReason }] = answer.choices;
    expect(answer.model).toBe('extractive');
    expect(finishReason).toBe('stop');
    expect(answer).not.toHaveProperty('usage');
    expect(message.content).toContain('The vacuum daemon reclaims storage occupied by dead tuples. [1]');
    expect(citations[0].url).toBe(`${site.origin}/vacuum`);
    for (const { id } of citations) expect((await service.api('GET', `/contents/${id}`)).status).toBe(200);
    const marks = [...message.content.matchAll(/\[(\d+)\]/g)].map(([, digit]) => Number(digit));
    expect(Math.max(...marks)).toBe(citations.length);
  });

  it('say that nothing answers, and name the nearest pages without citing them', async () => {
    const question = 'Which harbour do the ships of the vacuum daemon anchor in?';
    const answer = await ask(question);
    const [{ message, citations, finish_reason: finishReason }] = answer.choices;
    expect([answer.model, finishReason, citations]).toEqual(['extractive', 'stop', []]);
    const said =
      'The indexed content does not answer this question.\n\n' +
      `The nearest pages:\n- Vacuum ${site.origin}/vacuum`;
    expect(message.content.slice(0, said.length)).toBe(said);
    const messages = [{ role: 'user', content: question }];
    const streamed = await service.api('POST', '/completions', { messages, stream: true });
    expect(streamed.body).toBe(message.content);
    const kept = await service.api('GET', `/conversations/${answer.conversation_id}`);
    expect(kept.body.messages.at(-1)).toMatchObject({ content: message.content, model: 'extractive' });
  });

  it('go on in a conversation, branch, and answer again beside the first answer', async () => {
    const first = await ask(QUESTION);
    const second = await ask('What does a backup copy?', { conversation_id: first.conversation_id });
    expect(second.conversation_id).toBe(first.conversation_id);
    const branch = await ask('What does a lock table list?', {
      conversation_id: first.conversation_id,
      parent_message_id: first.assistant_message_id,
    });
    const again = await ask('', {
      conversation_id: first.conversation_id,
      parent_message_id: second.user_message_id,
      regenerate: true,
    });
    expect(again.user_message_id).toBe(second.user_message_id);
    expect(again.choices[0].message).toEqual(second.choices[0].message);
    const { messages } = (await service.api('GET', `/conversations/${first.conversation_id}`)).body;
    const parents = Object.fromEntries(
      messages.map(({ id, parent_id: parentId }: { id: string; parent_id: string | null }) => [id, parentId]),
    );
    expect(parents).toEqual({
      [first.user_message_id]: null,
      [first.assistant_message_id]: first.user_message_id,
      [second.user_message_id]: first.assistant_message_id,
      [second.assistant_message_id]: second.user_message_id,
      [branch.user_message_id]: first.assistant_message_id,
      [branch.assistant_message_id]: branch.user_message_id,
      [again.assistant_message_id]: second.user_message_id,
    });
  });

  it('stream through the client of the agent-UI protocol', async () => {
    class CompletionsAgent extends HttpAgent {
      protected override requestInit(input: Parameters<HttpAgent['run']>[0]): RequestInit {
        const messages = input.messages.map(({ role, content }) => ({ role, content }));
        return { ...super.requestInit(input), body: JSON.stringify({ stream: true, messages }) };
      }
    }
    const url = `${service.base}/api/v1/completions`;
    const agent = new CompletionsAgent({ url, headers: { 'x-api-key': service.key }, threadId: 'any' });
    agent.addMessage({ id: '1', role: 'user', content: QUESTION });
    const { result } = await agent.runAgent();
    expect(agent.messages.at(-1)?.content).toBe(result.choices[0].message.content);
    expect(result.choices[0].citations[0].url).toBe(`${site.origin}/vacuum`);
  });

  it('find nothing of other groups for a restricted key, nor unknown conversations', async () => {
    const nobody = { scopes: ['inference:run'], source_group_ids: [await emptyGroup(service)] };
    const { key } = await issued(service, nobody);
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

describe('a deleted conversation', { timeout: 180_000 }, () => {
  it('leaves none of its words in any table, file, event or log', async () => {
    const word = 'Quetzalcoatlus';
    const { conversation_id: conversationId } = await ask(`Does the vacuum daemon know ${word}?`);
    const read = await service.api('GET', `/conversations/${conversationId}`);
    expect(JSON.stringify(read.body)).toContain(word);
    expect((await service.api('DELETE', `/conversations/${conversationId}`)).status).toBe(200);
    expect((await service.api('GET', `/conversations/${conversationId}`)).status).toBe(404);

    const accept = { accept: 'application/x-ndjson' };
    const { body: events } = await service.api('GET', '/events', undefined, accept);
    expect(events).toContain('ConversationDeleted');
    const tables = await inDatabase(service, async ({ db }) => {
      const { rows } = await sql<{ name: string }>`
        select format('%I.%I', table_schema, table_name) as name from information_schema.tables
        where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`.execute(
        db,
      );
      const dumps = await Promise.all(
        rows.map(({ name }) =>
          sql<{ row: string }>`select t::text as row from ${sql.raw(name)} t`.execute(db),
        ),
      );
      return dumps.flatMap((dump) => dump.rows.map(({ row }) => row)).join('\n');
    });
    const files = await onDisk(service.dataDir);
    for (const text of [events, service.output(), tables, ...files.map((file) => file.text)])
      expect(text.includes(word)).toBe(false);
    // What was not deleted is found in each of these places.
    const plain = 'reclaims storage occupied by dead tuples';
    expect(holding(files, plain)).not.toEqual([]);
    expect([tables.includes(plain), service.output().includes('listening on')]).toEqual([true, true]);
    const inPostgres = holding(files, conversationId).filter((path) => path.includes('postgres'));
    expect(inPostgres.length > 0).toBe(STORE === 'embedded');
    expect(events).toContain(conversationId);
  });
});
