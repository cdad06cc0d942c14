import { beforeAll, describe, expect, it } from 'vitest';
import { done } from '../support/agents.ts';
import { crawl, ended } from '../support/crawls.ts';
import { openJourney, type Tenant } from '../support/journey.ts';
import { page } from '../support/site.ts';

const journey = openJourney();
let service: Tenant;
// oxlint-disable-next-line typescript/no-explicit-any -- answers of the API
type Run = any;
let first: Run;
let second: Run;
let third: Run;
let edited: Run;
let again: Run;

beforeAll(async () => {
  const site = await journey.site({
    '/': page('Falcons', 'The peregrine falcon dives at 320 kilometres an hour. It nests on cliffs.'),
  });
  service = await journey.tenant();
  await ended(service, (await crawl(service, `${site.origin}/`)).id);
  first = await done(service, 'How fast does the peregrine falcon dive?', { title: 'Falcons' });
  const thread = { thread_id: first.thread_id };
  second = await done(service, 'Where does the peregrine falcon nest?', thread);
  third = await done(service, 'What else is said of the falcon?', thread);
  edited = await done(service, 'On what does the falcon nest?', {
    ...thread,
    parent_run_id: second.parent_run_id,
  });
  again = await done(service, 'On what does the falcon nest?', {
    ...thread,
    parent_run_id: edited.parent_run_id,
  });
}, 120_000);

const HEX = /^[0-9a-f]{32}$/;

describe('a thread of three turns, one of which was edited and regenerated', { timeout: 60_000 }, () => {
  it('has runs that succeeded, each with what it was asked and what came of it', () => {
    expect(first).toMatchObject({
      status: 'SUCCEEDED',
      parent_run_id: null,
      workflow_type: 'chat',
      execution_mode: 'LOCAL',
      input_history_mode: 'delta_v1',
      context_start_run_id: null,
      context_truncated: false,
      title: 'Falcons',
      input: { messages: [{ role: 'user', content: 'How fast does the peregrine falcon dive?' }] },
      result: { finish_reason: 'stop' },
    });
    expect(first.result.message.content).toContain('320 kilometres');
    for (const at of ['created_at', 'started_at', 'finished_at'])
      expect(new Date(first[at]).toISOString()).toBe(first[at]);
  });

  it('gives each run the context of those above it', () => {
    expect([second.parent_run_id, second.context_start_run_id]).toEqual([first.run_id, first.run_id]);
    expect([third.parent_run_id, third.context_start_run_id]).toEqual([second.run_id, first.run_id]);
    expect([edited.parent_run_id, edited.context_start_run_id]).toEqual([first.run_id, first.run_id]);
    expect([again.parent_run_id, again.status]).toEqual([first.run_id, 'SUCCEEDED']);
  });

  it('shows the log that analysts read nothing of what was said', async () => {
    const body = await service.get('/events', {
      query: { category: ['agentThread', 'agentRun'], limit: 100 },
    });
    expect(body.events.map(({ type }: Run) => type)).toContain('RunAdmitted');
    expect(JSON.stringify(body)).not.toMatch(/falcon|kilometres|cliffs/i);
    const begun = body.events.find(({ type }: Run) => type === 'RunStarted');
    expect(begun!.trace_id).toMatch(HEX);
  });
});
