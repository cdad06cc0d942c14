import { EventType } from '@ag-ui/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { answers, calls, cites, shownTo } from '../support/agent/acting-provider.ts';
import { openToolServer } from '../support/agent/tool-server.ts';
import { done, followed, runThatIs, started } from '../support/agents.ts';
import { after, MINE, startGuarded } from '../support/authz.ts';
import { openJourney } from '../support/journey.ts';
import { mcpClient } from '../support/mcp.ts';
import { follow, type StreamedEvent } from '../support/event-stream.ts';
import { chunk, DONE, type ModelProvider, openModelProvider, raw, says } from '../support/model-provider.ts';
import type { Service } from '../support/service.ts';
import { uploaded } from '../support/uploads.ts';

const journey = openJourney();
const never = new Promise<string>(() => {});
let provider: ModelProvider;
let crm: Awaited<ReturnType<typeof openToolServer>>;
let service: Service;
/** Contents by the bird that they are about. */
const contents: { [bird: string]: string } = {};
const JO = { authz_policy: 'mine', principal_id: 'jo' };

beforeAll(async () => {
  provider = await openModelProvider();
  crm = await openToolServer([
    {
      name: 'look_up',
      inputSchema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
      annotations: { readOnlyHint: true },
      answer: (given) => `Customer ${JSON.stringify(given)} is called Ada.`,
    },
    { name: 'wait', answer: () => never },
    { name: 'delete_all' },
  ]);
  const allowed = [{ name: 'crm', url: crm.url, tools: ['look_up', 'wait'] }];
  service = await startGuarded(journey, {
    LLM_URL: provider.baseUrl,
    LLM_MODEL: 'stand-in',
    KNOWLEDGER_MCP_SERVERS: JSON.stringify(allowed),
    KNOWLEDGER_LOG_LEVEL: 'warn',
  });
  await uploaded(service, [
    ['dipper.md', '# The dipper\n\nThe dipper is a bird that walks under water.'],
    ['wryneck.md', '# The wryneck\n\nThe wryneck is a bird that turns its head.'],
  ]);
  for (const { id: source, title } of await Array.fromAsync(service.all('/sources'))) {
    const bird = title.includes('dipper') ? 'dipper' : 'wryneck';
    contents[bird] = (await service.get('/sources/{id}/contents', { path: { id: source } })).contents[0]!.id;
    const records = [{ key: 'department', val: bird === 'dipper' ? 'sales' : 'legal' }];
    await service.put('/sources/{id}/metadata', { path: { id: source }, body: { records } });
  }
  await service.post('/authz-policies', { body: { name: 'mine', ...MINE } });
  const subject = { authz_policy: 'mine', attributes: { department: 'sales' } };
  const set = await service.api('PUT', '/authz-subject-attributes/jo', subject);
  await service.api('GET', '/sources', undefined, after(set));
}, 120_000);
journey.closing(async () => {
  await provider?.close();
  await crm?.close();
});

/** What models were asked since, as text. */
const askedSince = (first: number): string =>
  JSON.stringify(provider.asked.slice(first).map(({ body }) => body));
// oxlint-disable-next-line typescript/no-explicit-any -- journeys look into answers of every shape
const eventsOf = (id: string): Promise<any[]> =>
  Array.fromAsync(service.all('/agent/runs/{run_id}/events', { path: { run_id: id } }));

describe('a run with a language model', { timeout: 90_000 }, () => {
  it('searches, reads and cites what it was shown, and every step of it can be told', async () => {
    const search = { query: 'which bird walks under water?' };
    provider.next.push(
      calls('search', search),
      answers((asked) => calls('get_content', { id: shownTo(asked, 'walks under water').contentId })),
      cites('walks under water', 'The dipper does'),
    );
    const run = await done(service, 'Which bird walks under water?');
    expect(run).toMatchObject({ status: 'SUCCEEDED', result: { steps: 3, tool_calls: 2 } });
    expect(run.result.citations.map((one: { content_id: string }) => one.content_id)).toEqual([
      contents['dipper'],
    ]);
    const read = await service.get('/contents/{id}', { path: { id: contents['dipper']! } });
    expect(read.text).toContain('walks under water');
    const told = (await eventsOf(run.run_id)).flatMap(({ data, body }) =>
      data.emission?.kind === 'tool_called' ? [[data.emission.tool, body.arguments]] : [],
    );
    expect(told).toEqual([
      ['search', JSON.stringify(search)],
      ['get_content', JSON.stringify({ id: contents['dipper'] })],
    ]);
    const types = (await followed(service, run.run_id)).map(({ type }) => type);
    expect(types.filter((type) => type === EventType.TOOL_CALL_RESULT)).toHaveLength(2);
    expect(types.at(-1)).toBe('RUN_FINISHED');
  });

  it('tells what the model thinks as events of their own, and neither answers with it nor asks with it', async () => {
    const first = provider.asked.length;
    const search = { name: 'search', arguments: '{"query":"dipper"}' };
    const call = { tool_calls: [{ index: 0, id: 'c1', type: 'function', function: search }] };
    provider.next.push(
      raw([
        chunk({ reasoning: 'I ponder ' }),
        chunk({ reasoning: 'what to search.' }),
        chunk(call, 'tool_calls'),
        DONE,
      ]),
      raw([chunk({ content: '<think>I ponder what to say.</think>It walks.' }), chunk({}, 'stop'), DONE]),
    );
    const run = await done(service, 'What does the dipper do?');
    expect(run.result.message.content).toBe('It walks.');
    const thoughts: Record<string, string> = {};
    for (const event of await followed(service, run.run_id)) {
      const { messageId = '', delta } = event as { messageId?: string; delta?: string };
      if (event.type === EventType.REASONING_MESSAGE_CONTENT)
        thoughts[messageId] = (thoughts[messageId] ?? '') + delta;
    }
    expect(thoughts).toEqual({
      [`${run.run_id}-1-reasoning`]: 'I ponder what to search.',
      [`${run.run_id}-2-reasoning`]: 'I ponder what to say.',
    });
    const more = { thread_id: run.thread_id };
    const next = await done(service, 'And the wryneck?', more);
    expect(askedSince(first)).toContain('It walks.');
    const others = (await eventsOf(run.run_id)).filter(
      ({ data }: { data: { emission?: { kind: string } } }) => data.emission?.kind !== 'reasoning',
    );
    const said = JSON.stringify([run, next, others]) + askedSince(first) + service.output();
    expect(said).not.toContain('ponder');
  });

  it('calls tools of a server that the operator allows, and no other', async () => {
    const first = provider.asked.length;
    provider.next.push(
      calls('crm__look_up', { id: 7 }),
      calls('crm__delete_all', {}),
      answers(({ body }) =>
        says(JSON.stringify(body.messages).includes('is called Ada') ? 'Ada.' : 'Nobody.'),
      ),
    );
    const run = await done(service, 'Who is customer 7?');
    expect(run.result.message.content).toBe('Ada.');
    expect(crm.calls).toEqual([{ tool: 'look_up', given: { id: 7 } }]);
    const offered = provider.asked[first]?.body.tools?.map((tool) => tool.function.name);
    expect(offered).toEqual(expect.arrayContaining(['search', 'get_content', 'crm__look_up', 'crm__wait']));
    expect(offered).not.toContain('crm__delete_all');
    expect(askedSince(first)).toContain('There is no tool');
  });
});

describe('a cancel', { timeout: 90_000 }, () => {
  const cancelled = async (id: string) =>
    await service.post('/agent/runs/{run_id}/cancel', { path: { run_id: id }, body: { wait_seconds: 30 } });
  /** Its worker has ended it, and while another run goes by nothing more is asked, called or kept for it. */
  const mustBeOver = async (id: string): Promise<void> => {
    const kept = await eventsOf(id);
    const [asked, ended] = kept.slice(-2);
    expect([asked.type, ended.type, ended.data.by]).toEqual(['RunCancelRequested', 'RunCancelled', 'worker']);
    const before = { models: provider.asked.length, tools: crm.calls.length };
    expect((await done(service, 'And who answers?')).status).toBe('SUCCEEDED');
    expect([provider.asked.length - before.models, crm.calls.length - before.tools]).toEqual([1, 0]);
    expect(await eventsOf(id)).toEqual(kept);
  };

  it('lets go of the tool that is being called, and names it', async () => {
    const nth = crm.calls.length + 1;
    provider.next.push(calls('crm__wait', {}));
    const run = await started(service, 'Wait for it.');
    await crm.called(nth);
    expect(crm.left).toEqual([]);
    const { status, error } = await cancelled(run.run_id);
    await crm.abandoned();
    expect(status).toBe('CANCELLED');
    expect((await eventsOf(run.run_id)).at(-1).data.open_tool_calls).toMatchObject([{ tool: 'crm__wait' }]);
    expect(error).toBeUndefined();
    await mustBeOver(run.run_id);
  });
});

describe('a run that is followed', { timeout: 90_000 }, () => {
  it('is told live to a client that leaves in the middle of the answer and comes back', async () => {
    const left = Promise.withResolvers<void>();
    provider.next.push(async (_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunk({ role: 'assistant', content: 'It walks ' }));
      await left.promise;
      response.end(chunk({ content: 'under water.' }) + chunk({}, 'stop') + DONE);
    });
    const { run_id: id } = await started(service, 'What does the dipper do?');
    const isText = ({ data }: StreamedEvent): boolean => data.type === EventType.TEXT_MESSAGE_CONTENT;
    const told = await follow(service, `/agent/runs/${id}/events`, isText);
    const { id: last, data: first } = told.at(-1)!;
    expect([first.delta, (await runThatIs(service, id, 'RUNNING')).status]).toEqual(['It walks', 'RUNNING']);
    const rest = await followed(service, id, last, ({ type }) => {
      if (type === EventType.TEXT_MESSAGE_START) left.resolve();
    });
    const again = rest.filter((event) => event.type === EventType.TEXT_MESSAGE_CONTENT);
    expect(again).toMatchObject([{ messageId: first.messageId, delta: ' under water.' }]);
    expect(rest.at(-1)?.type).toBe(EventType.RUN_FINISHED);
  });
});

describe('a policy', { timeout: 90_000 }, () => {
  const readBoth = () => [
    calls('search', { query: 'a bird that walks under water or turns its head' }),
    calls('get_content', { id: contents['wryneck'] }),
    says('I have read.'),
  ];

  it('lets a run see what its principal may see', async () => {
    const first = provider.asked.length;
    provider.next.push(...readBoth());
    expect((await done(service, 'Read everything.')).status).toBe('SUCCEEDED');
    const everything = askedSince(first);
    expect([everything.includes('walks under water'), everything.includes('that turns its head')]).toEqual([
      true,
      true,
    ]);

    const second = provider.asked.length;
    provider.next.push(...readBoth());
    const run = await started(service, 'Read everything.', JO);
    const whose = { query: { principal_id: 'jo' } };
    expect((await service.waitFor('/agent/runs', run.run_id, whose)).status).toBe('SUCCEEDED');
    const part = askedSince(second);
    expect(part).toContain('is a bird that walks under water');
    expect(part).not.toContain('that turns its head');
    expect(part).toContain('there is no such content');
    await expect(service.get('/agent/runs/{run_id}', { path: { run_id: run.run_id } })).rejects.toMatchObject(
      { type: 'not_found' },
    );
  });

  it('lets a client of the Model Context Protocol see the same, by every tool and resource', async () => {
    const query = 'a bird that walks under water or turns its head';
    /** What is told where the address says on whose behalf, or the arguments do. */
    const read = async (inAddress: object, inArguments: object = {}) => {
      const address = new URLSearchParams({ ...inAddress }).toString();
      const client = await mcpClient(`${service.base}/mcp?${address}`, service.key);
      const call = (name: string, given: object) =>
        client.callTool({ name, arguments: { ...given, ...inArguments } });
      provider.next.push(answers((asked) => says(JSON.stringify(asked.body.messages))));
      const told = [
        await call('search', { query }),
        await call('get_content', { id: contents['wryneck'] }),
        await call('list_sources', {}),
        await call('ask', { question: query }),
      ];
      const { resources } = await client.listResources();
      const uri = `knowledger://contents/${contents['wryneck']}`;
      const resource = await client.readResource({ uri }).catch((error: Error) => error.message);
      await client.close();
      return [...told, { resources, resource }].map((one) => JSON.stringify(one));
    };
    const hidden = /is a bird that turns its head|wryneck\.md|The wryneck/;
    for (const told of await read({})) expect(told).toMatch(hidden);
    const settled = await read(JO);
    const [searched, got, , , resources] = settled;
    expect(settled.join()).not.toMatch(hidden);
    expect(searched).toContain('is a bird that walks under water');
    expect([got, resources]).toEqual(Array(2).fill(expect.stringContaining('there is no such content')));
    const asArguments = (await read({}, JO)).slice(0, 4);
    expect(asArguments.join()).not.toMatch(hidden);
    expect(asArguments[0]).toContain('is a bird that walks under water');
  });
});
