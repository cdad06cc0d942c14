import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { HAS_DUCKDB, reported } from '../support/duckdb.ts';
import { eventually } from '../support/eventually.ts';
import { openJourney, type Tenant } from '../support/journey.ts';
import { issued } from '../support/keys.ts';
import { openModelProvider, raw } from '../support/model-provider.ts';
import { openPush } from '../support/pushes.ts';
import { page } from '../support/site.ts';
import { startedProgram } from '../support/started-program.ts';
import { unusedPort } from '../support/unused-port.ts';
import { uploaded } from '../support/uploads.ts';
import { openReceiver } from '../support/webhook-receiver.ts';

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url));
const PATIENT = { timeout: 180_000 };
const journey = openJourney();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'knowledger-examples-'));
  journey.closing(() => rm(folder, { recursive: true, force: true }));
});

type Variables = Readonly<Record<string, string>>;

/** Runs a program as somebody does who has this key. */
const started = (path: string, args: readonly string[], env: Variables) => {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [path, ...args], { cwd: folder, env: { PATH, HOME, ...env } });
  // Where a test breaks off before it has ended it.
  journey.closing(async () => child.kill());
  const lines: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => lines.push(...chunk.toString().split('\n').filter(Boolean)));
  const ended = (async () => {
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { code: child.exitCode, out, err };
  })();
  return { child, lines, ended };
};
const example = (path: string, { base, key }: Tenant, args: readonly string[] = [], env: Variables = {}) =>
  started(join(EXAMPLES, path), args, { KNOWLEDGER_URL: base, KNOWLEDGER_API_KEY: key, ...env });

it('docs-bot reads a site once, and answers from its pages', PATIENT, async () => {
  const tenant = await journey.tenant();
  const site = await journey.site({
    '/': page('Birds', 'Birds of the lake.', ['/osprey', '/dipper']),
    '/osprey': page('Osprey', 'The osprey dives feet first.'),
    '/dipper': page('Dipper', 'The dipper walks under water.'),
  });
  const asked = async (questions: string) => {
    const bot = example('docs-bot/bot.ts', tenant, [`${site.origin}/`]);
    bot.child.stdin.end(questions);
    return bot.ended;
  };
  const { code, out, err } = await asked('how does the osprey dive?\nwho walks under water?\n');
  expect([code, err]).toEqual([0, expect.not.stringContaining('Error')]);
  const [, first = '', second = ''] = out.split('> ');
  expect(first).toContain('dives feet first');
  expect(first).toContain(`] Osprey ${site.origin}/osprey\n`);
  expect(second).toContain('walks under water');
  expect((await asked('osprey?')).out).toContain('feet first');
  expect((await tenant.get('/crawls')).crawls).toHaveLength(1);
  expect((await tenant.get('/conversations')).conversations).toHaveLength(2);
});

it.skipIf(!HAS_DUCKDB)(
  'compliance-report tells what was given, changed, deleted and hidden',
  PATIENT,
  async () => {
    const tenant = await journey.tenant();
    const rules = [{ name: 'mail', kind: 'email' }] as const;
    await tenant.post('/redaction-policies', { body: { name: 'mail', applies_to: ['content'], rules } });
    const { id } = await issued(tenant, { name: 'short', scopes: ['knowledge:read'] });
    await tenant.delete('/api-keys/{id}', { path: { id } });
    const group = await uploaded(tenant, [['heron.md', 'A heron.']], { name: 'Birds' });
    await tenant.delete('/local-file-groups/{id}', { path: { id: group } });
    await eventually(
      async () =>
        (await tenant.get('/local-file-groups/{id}/events', { path: { id: group }, query: { limit: 100 } }))
          .events,
      (events) => events.some(({ type }: { readonly type: string }) => type === 'DataSourceDeleted'),
    );
    const { events: newest } = await tenant.get('/events', { query: { order: 'desc', limit: 1 } });
    await tenant.api('GET', '/audit/checkpoint', undefined, { 'x-min-position': newest[0]!.position });
    const { dataDir, backing } = tenant;
    const env = {
      KNOWLEDGER_DATA_DIR: dataDir,
      ...(backing.database !== null && { DATABASE_URL: backing.database }),
    };
    const path = join(folder, 'log.duckdb');
    const command = ['events', 'into', path, '--tenant', tenant.tenant];
    expect(await started(await startedProgram(), command, env).ended).toMatchObject({ code: 0 });

    const report = await reported(
      path,
      await readFile(join(EXAMPLES, 'compliance-report/report.sql'), 'utf8'),
    );
    const [, keys, changes, deletions, hidden, writers, whole] = report;
    expect(keys).toMatchObject([{ finding: 'never expires, may issue keys' }]);
    const first = keys![0]!['valid_key'];
    expect(changes).toMatchObject([
      { change: 'ApiKeyIssued', name: first },
      { change: 'RedactionPolicyCreated', name: 'mail', changed_by: first },
      { change: 'ApiKeyIssued', name: 'short', changed_by: first },
      { change: 'ApiKeyRevoked', name: 'short', changed_by: first },
    ]);
    expect(deletions).toMatchObject([
      { what: 'apiKey', name: 'short', deleted_by: first, finding: null },
      { what: 'dataSource', name: 'Birds', deleted_by: first, gone_at: expect.any(String), finding: null },
    ]);
    expect(hidden).toMatchObject([{ redaction_policy: 'mail', applies_to: ['content'], hides: ['email'] }]);
    expect(writers).toMatchObject([{ writer: 'api_key', name: first }]);
    expect(whole).toMatchObject([{ tenant: tenant.tenant, finding: null }]);
  },
);

it('siem-feed tells each security event once, also after a stop', PATIENT, async () => {
  const tenant = await journey.tenant();
  /** Reads the feed to its line that fits, and stops it. */
  const fed = async (action: string, name: string) => {
    const { child, lines, ended } = example('siem-feed/feed.ts', tenant, ['position']);
    await eventually(
      async () => lines,
      (all) => all.some((line) => line.includes(`"action":"${action}"`) && line.includes(name)),
    );
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0, err: '' });
    return lines.map((line) => JSON.parse(line));
  };
  await tenant.post('/tags', { body: { name: 'no concern of security' } });
  const { id } = await issued(tenant, { name: 'reader' });
  const first = await fed('ApiKeyIssued', 'reader');
  expect(first).toMatchObject([
    { event: { action: 'ApiKeyIssued' } },
    {
      '@timestamp': expect.stringMatching(/^\d{4}-.*Z$/),
      event: { action: 'ApiKeyIssued', category: ['iam'], type: ['creation'], outcome: 'success' },
      user: { id: expect.any(String) },
      organization: { id: tenant.tenant },
    },
  ]);
  await tenant.delete('/api-keys/{id}', { path: { id } });
  const second = await fed('ApiKeyRevoked', id);
  expect(second).toMatchObject([{ event: { category: ['iam'], type: ['deletion'] } }]);
});

it('agent lets a model call the tools of MCP until it answers', PATIENT, async () => {
  const tenant = await journey.tenant();
  await uploaded(tenant, [['dipper.md', '# The dipper\n\nThe dipper walks under water.']]);
  const provider = await openModelProvider();
  journey.closing(provider.close);
  const json = (message: object) =>
    raw([JSON.stringify({ choices: [{ message: { role: 'assistant', content: null, ...message } }] })], {
      contentType: 'application/json',
    });
  const call = (name: string, args: string) =>
    json({ tool_calls: [{ id: name, type: 'function', function: { name, arguments: args } }] });
  provider.next.push(
    call('search', '{"query":"dipper"}'),
    call('search', 'no JSON'),
    json({ content: 'It walks under water.' }),
  );
  const { ended } = example('agent/agent.ts', tenant, ['What', 'does', 'the dipper do?'], {
    LLM_URL: provider.baseUrl,
    LLM_MODEL: 'a-model',
  });
  expect(await ended).toMatchObject({ code: 0, out: 'It walks under water.\n' });
  const [first, second, third] = provider.asked.map(({ body }) => body);
  expect(first!.messages.at(-1)).toEqual({ role: 'user', content: 'What does the dipper do?' });
  expect(first!.tools!.map((tool) => tool.function.name)).toContain('search');
  expect(second!.messages.at(-1)).toMatchObject({
    role: 'tool',
    tool_call_id: 'search',
    content: expect.stringContaining('The dipper walks under water.'),
  });
  expect(third!.messages.at(-1)!.content).toContain('JSON');
});

describe('connector', PATIENT, () => {
  let tenant: Tenant;
  let source: string;
  beforeAll(async () => {
    tenant = await journey.tenant();
    source = join(folder, 'source');
    await mkdir(join(source, 'in'), { recursive: true });
  }, 120_000);

  const run = async (args: readonly string[] = ['Feed', source], key = tenant.key) => {
    const { code, out, err } = await example('connector/push.ts', { ...tenant, key }, args).ended;
    const lines = `${out}${err}`.trim().split('\n');
    return { code, lines: lines.map((line) => line.trim()) };
  };
  const titles = async (): Promise<readonly string[]> => {
    const body = await tenant.get('/sources');
    return body.sources.map(({ title }: { title: string }) => title).toSorted();
  };

  it('says in a line what is missing', async () => {
    const usage = 'usage: push.ts <name of the push> <folder>';
    expect(await run(['Feed'])).toEqual({ code: 1, lines: [usage] });
    const { code, lines } = await run(undefined, 'kn_unknown');
    expect([code, lines]).toEqual([1, [expect.stringContaining('API key')]]);
  });

  it('brings a folder, and later what has changed in it', async () => {
    await writeFile(join(source, 'heron.md'), '# Herons\n\nThe heron stands in reeds.');
    await writeFile(join(source, 'in', 'kestrel.txt'), 'the kestrel hovers');
    await writeFile(join(source, 'in', 'left.bin'), 'nobody reads this');
    const first = await run();
    expect(first.lines.toSorted()).toEqual(['indexed heron.md', 'indexed in/kestrel.txt', 'success']);
    expect([first.code, await titles()]).toEqual([0, ['Herons', 'kestrel']]);

    await rm(join(source, 'in', 'kestrel.txt'));
    await writeFile(join(source, 'heron.md'), '# Grey herons\n\nThe heron fishes.');
    expect(await run()).toEqual({ code: 0, lines: ['indexed heron.md', 'gone in/kestrel.txt', 'success'] });
    await expect.poll(titles, { timeout: 30_000 }).toEqual(['Grey herons']);
    const body = await tenant.get('/pushes');
    expect(body.pushes).toMatchObject([{ name: 'Feed', status: 'success' }]);
  });

  it('goes on past a document that is refused, and past folders, and says so', async () => {
    await writeFile(join(source, 'empty.txt'), '');
    await mkdir(join(source, 'folder.md'));
    const { code, lines } = await run();
    expect([code, lines.toSorted()]).toEqual([
      0,
      ['indexed heron.md', 'refused empty.txt the document has no bytes', 'success'],
    ]);
    await rm(join(source, 'empty.txt'));
    await rm(join(source, 'folder.md'), { recursive: true });
  });

  it('takes out next time what a run brought that broke off', async () => {
    await writeFile(join(source, 'wren.md'), '# Wrens');
    const memory = join(source, '.pushed.json');
    // A name that cannot be asked for breaks the run off behind the documents.
    await writeFile(memory, JSON.stringify(['heron.md', '\ud800']));
    expect((await run()).code).toBe(1);
    expect(JSON.parse(await readFile(memory, 'utf8'))).toContain('wren.md');
    expect((await tenant.get('/pushes')).pushes).toMatchObject([{ status: 'failure' }]);
    await writeFile(memory, JSON.stringify(['heron.md', 'wren.md']));
    await rm(join(source, 'wren.md'));
    expect((await run()).lines).toContain('gone wren.md');
    await expect.poll(titles, { timeout: 30_000 }).toEqual(['Grey herons']);
  });
});

it('chat-bot tells a channel of failed jobs, and answers questions of the chat alone', PATIENT, async () => {
  const tenant = await journey.tenant();
  await uploaded(tenant, [['dipper.md', '# The <dipper>\n\nThe dipper walks under water.']]);
  const chat = await openReceiver(() => 200);
  journey.closing(chat.close);
  const said = () => chat.received.map(({ body }) => JSON.parse(body).text as string);
  const port = await unusedPort();
  const hook = await tenant.post('/webhooks', {
    body: {
      url: `http://127.0.0.1:${port}/events`,
      types: ['JobFailed'],
    },
  });
  const { child, lines, ended } = example('chat-bot/bot.ts', tenant, [], {
    PORT: `${port}`,
    KNOWLEDGER_WEBHOOK_SECRET: hook.secret!,
    CHAT_WEBHOOK_URL: chat.url,
    CHAT_SIGNING_SECRET: 'of the chat',
  });
  await eventually(
    async () => lines.length,
    (n) => n > 0,
  );
  const push = await openPush(tenant, 'Feed & seed');
  const error = { title: 'Broken', message: '<!channel>' };
  await tenant.post('/pushes/{id}/jobs/{job_id}/fail', {
    path: { id: push.id, job_id: push.jobId },
    body: { error },
  });
  await eventually(
    async () => said(),
    (all) => all.length === 1,
  );
  expect(said()).toEqual(['Feed &amp; seed failed. Broken: &lt;!channel&gt;']);

  const form = new URLSearchParams({ text: 'who walks under water?', response_url: chat.url }).toString();
  const time = `${Math.floor(Date.now() / 1_000)}`;
  const ask = async (secret: string, at = time) => {
    const signature = createHmac('sha256', secret).update(`v0:${at}:${form}`).digest('hex');
    const headers = { 'x-slack-request-timestamp': at, 'x-slack-signature': `v0=${signature}` };
    return (await fetch(`http://127.0.0.1:${port}/ask`, { method: 'POST', headers, body: form })).status;
  };
  const hour = `${Number(time) - 3_600}`;
  expect([await ask('of another'), await ask('of the chat', hour), await ask('of the chat')]).toEqual([
    401, 401, 200,
  ]);
  const forged = await fetch(`http://127.0.0.1:${port}/events`, { method: 'POST', body: '{}' });
  expect(forged.status).toBe(401);
  await eventually(
    async () => said(),
    (all) => all.length === 2,
  );
  expect(said()[1]).toMatch(/walks under water[^]*\[1\] <[^|]+\|The &lt;dipper&gt;>/);
  child.kill('SIGTERM');
  await ended;
});
