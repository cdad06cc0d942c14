import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RedactionPolicyCreate } from '../../clients/typescript/src/index.ts';
import { crawl, ended } from '../support/crawls.ts';
import { openJourney, type Tenant } from '../support/journey.ts';
import { type Site } from '../support/site.ts';

const EMAIL = 'jane.roe@example.org';
const CARD = '4111 1111 1111 1111';
const PLAIN = 'turbine';

const journey = openJourney();
let service: Tenant;
let site: Site;
beforeAll(async () => {
  const page = `<!doctype html><html><head><title>Ask ${EMAIL}</title></head><body><main>
    <h1>Contact ${EMAIL}</h1><p>The ${PLAIN} was paid with ${CARD}. Ticket T-123456. Write to ${EMAIL} about it.</p>
    </main></body></html>`;
  site = await journey.site({ '/': page });
  service = await journey.tenant();
}, 120_000);

const policy = (rules: RedactionPolicyCreate['rules'], appliesTo: RedactionPolicyCreate['applies_to']) =>
  service.post('/redaction-policies', { body: { name: 'p', rules, applies_to: appliesTo } });

/** The source events of the log as a stream: to its end, or as far as `until`. */
const readStream = async (accept: string, until?: string): Promise<string> => {
  const stop = new AbortController();
  const { body } = await fetch(`${service.base}/api/v1/events?category=source`, {
    headers: { 'x-api-key': service.key, accept },
    signal: stop.signal,
  });
  let text = '';
  const decoder = new TextDecoder();
  for await (const bytes of body as ReadableStream<Uint8Array>) {
    text += decoder.decode(bytes, { stream: true });
    if (until !== undefined && text.includes(until) && text.endsWith('\n\n')) break;
  }
  stop.abort();
  return text;
};

const everything = async (): Promise<string> => {
  const searched = await service.api('POST', '/search', { query: PLAIN });
  const listed = await service.api('POST', '/query', {});
  expect(listed.status).toBe(200);
  const id = listed.body.contents[0].id;
  const source = listed.body.contents[0].source_id;
  const paths = [`/contents/${id}`, `/sources/${source}/contents`, `/sources/${source}`, '/sources'];
  const read = await Promise.all(paths.map((path) => service.api('GET', path)));
  return JSON.stringify([searched, listed, ...read].map(({ body }) => body));
};

describe('redaction', { timeout: 180_000 }, () => {
  it('keeps what an ingestion policy finds out of chunk sets, views, index and events', async () => {
    await policy(
      [
        { name: 'email', kind: 'email' },
        { name: 'card', kind: 'card', replacement: '####' },
      ],
      ['ingestion'],
    );
    const made = await crawl(service, `${site.origin}/`);
    const trail = await ended(service, made.id);
    expect(trail.at(-1).type).toBe('JobSucceeded');

    const shown = await everything();
    expect(shown).toContain(PLAIN);
    expect(shown).toContain('paid with ####');
    expect(shown).toContain('[email]');
    for (const secret of [EMAIL, 'jane.roe', CARD]) expect(shown).not.toContain(secret);
    for (const query of [EMAIL, 'jane', 'roe', CARD, '4111']) {
      const body = await service.post('/search', { body: { query } });
      expect(body.results).toEqual([]);
    }
    const events = await service.api('GET', '/events?limit=100');
    expect(events.status).toBe(200);
    for (const secret of [EMAIL, CARD]) expect(JSON.stringify(events.body)).not.toContain(secret);
  });

  it('keeps the bytes as they were fetched, and them alone', async () => {
    const listed = await service.post('/query', { body: {} });
    const { id, source_group_id } = (await service.get('/sources')).sources[0]!;
    expect(listed.contents).not.toEqual([]);
    const raw = (await service.get('/sources/{id}', { path: { id } })).sha256;
    const files = filesIn(join(service.dataDir, 'files', source_group_id));
    const holding = files.filter((file) => readFileSync(file).includes(EMAIL));
    expect(holding.map((file) => file.split('/').at(-1))).toEqual([raw]);
  });

  it('hides what a content policy finds from the moment it is written, and no longer', async () => {
    expect(await everything()).toContain('T-123456');
    const rules = [{ name: 'ticket', kind: 'pattern', pattern: '\\bT-\\d+\\b' }] as const;
    const { id } = await policy(rules, ['content']);
    const hidden = await everything();
    expect(hidden).not.toContain('T-123456');
    expect(hidden).toContain('[ticket]');
    await service.delete('/redaction-policies/{id}', { path: { id } });
    expect(await everything()).toContain('T-123456');
  });

  it('hides titles in the event log too, by every way in which it is read', async () => {
    const inLog = async (): Promise<string> => {
      const page = await service.get('/events', { query: { category: ['source'] } });
      const lines = await readStream('application/x-ndjson');
      const followed = await readStream('text/event-stream', 'SourceIndexed');
      for (const shown of [JSON.stringify(page), lines, followed]) expect(shown).toContain('SourceIndexed');
      return JSON.stringify([page, lines, followed]);
    };
    expect(await inLog()).toContain('Ask [email]');
    const { id } = await policy([{ name: 'ask', kind: 'pattern', pattern: '\\bAsk\\b' }], ['content']);
    const hidden = await inLog();
    expect(hidden).toContain('[ask] [email]');
    expect(hidden).not.toContain('Ask');
    await service.delete('/redaction-policies/{id}', { path: { id } });
  });

  it('takes a changed policy into the index with a full sync', async () => {
    const body = await service.get('/redaction-policies');
    const [before] = body.redaction_policies;
    const ticket = { name: 'ticket', kind: 'pattern', pattern: 'T-\\d+' } as const;
    const change = { name: 'p', rules: [...before!.rules, ticket], applies_to: ['ingestion'] } as const;
    await service.put('/redaction-policies/{id}', { path: { id: before!.id }, body: change });
    expect(await everything()).toContain('T-123456');
    const crawls = await service.api('GET', '/crawls');
    const { id } = crawls.body.crawls[0];
    const trail = await ended(service, id);
    await service.post('/crawls/{id}/sync', { path: { id }, body: { mode: 'full' } });
    await ended(service, id, trail.at(-1).revision);
    expect(await everything()).not.toContain('T-123456');
  });
});

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
