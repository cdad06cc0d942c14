import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { relay } from '../../../adapters/cli/mcp-relay.ts';
import { knowledgeOver } from '../http/fake-knowledge.ts';
import { KEY } from '../http/fake-records.ts';
import { runApp, stopServersAfterAll } from '../http/running-app.ts';

stopServersAfterAll();
const closing: (() => void)[] = [];
afterAll(() => {
  for (const close of closing) close();
});

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into messages of every shape
type Said = any;

/** A relay to this address, with what it said; `said(n)` waits for the n-th message. */
const relayTo = (url: string, key = KEY, deadline: () => Promise<void> = () => new Promise(() => {})) => {
  const input = new PassThrough();
  const lines: string[] = [];
  const told: string[] = [];
  let more = Promise.withResolvers<void>();
  const output = async (line: string): Promise<void> => {
    lines.push(line);
    more.resolve();
    more = Promise.withResolvers();
  };
  const over = relay({
    url: new URL('/mcp', url),
    key,
    input,
    output,
    tell: (line) => told.push(line),
    deadline,
  });
  const say = (message: unknown): void => {
    input.write(typeof message === 'string' ? `${message}\n` : `${JSON.stringify(message)}\n`);
  };
  const said = async (count: number): Promise<Said> => {
    while (lines.length < count) await more.promise;
    return JSON.parse(lines[count - 1]!);
  };
  return { say, said, told, lines, end: () => input.end(), over };
};

/** Whatever is asked of it, it answers this. */
const serverThatSays = async (status: number, type: string, body: string): Promise<string> => {
  const server = createServer((_req, res) => res.writeHead(status, { 'content-type': type }).end(body));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const CALL = { jsonrpc: '2.0', id: 'a', method: 'tools/call' };
const ASK = { ...CALL, params: { name: 'ask', arguments: { question: 'x' } } };
const BEGIN = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
};

describe('a relay between lines and a service', () => {
  it('passes on what clients of the older revisions say and are answered, progress included', async () => {
    const { url } = await runApp();
    const { say, said, lines, end, over } = relayTo(url);
    say(BEGIN);
    expect(await said(1)).toMatchObject({ id: 0, result: { protocolVersion: '2025-06-18' } });
    say({ jsonrpc: '2.0', method: 'notifications/initialized' });
    say({ ...ASK, params: { ...ASK.params, _meta: { progressToken: 5 } } });
    expect(await said(2)).toMatchObject({ method: 'notifications/progress', params: { progressToken: 5 } });
    expect(await said(3)).toMatchObject({
      id: 'a',
      result: { structuredContent: { answer: 'It is so [1].' } },
    });
    expect(lines.every((line) => !line.includes('\n'))).toBe(true);
    end();
    await over;
  });

  it('passes on what clients without a handshake say, with the headers that HTTP wants', async () => {
    const { url } = await runApp();
    const { say, said } = relayTo(url);
    const version = 'io.modelcontextprotocol/protocolVersion';
    const client = { 'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' } };
    const abilities = { 'io.modelcontextprotocol/clientCapabilities': {} };
    const envelope = { [version]: '2026-07-28', ...client, ...abilities };
    say({ ...CALL, params: { name: 'search', arguments: { query: 'x' }, _meta: envelope } });
    expect(await said(1)).toMatchObject({ id: 'a', result: { structuredContent: { results: [{}] } } });
    say({ ...CALL, params: { name: 'шукати', arguments: {}, _meta: envelope } });
    expect((await said(2)).error.message).toContain('there is no tool "шукати"');
  });

  it.each([
    ['which key it is', 'kn_wrong', { code: -32000, data: { type: 'invalid_api_key' } }],
    ['nothing where all is well', KEY, undefined],
  ])('tells the client what the service says against it: %s', async (_what, key, error) => {
    const { url } = await runApp();
    const { say, said, told } = relayTo(url, key);
    say({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const answer = await said(1);
    expect(answer).toMatchObject({ id: 1, ...(error !== undefined && { error }) });
    expect(told).toHaveLength(error === undefined ? 0 : 1);
    expect(JSON.stringify([answer, told])).not.toContain('kn_wrong');
  });

  it('gives a call up when the client takes it back, and those that outlast the deadline at the end of the input', async () => {
    const signals: AbortSignal[] = [];
    const aborted: Promise<void>[] = [];
    let more = Promise.withResolvers<void>();
    const { url } = await runApp((fakes) =>
      knowledgeOver({
        ...fakes,
        complete: (_caller, _request, signal) => {
          signals.push(signal);
          const gone = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
          aborted.push(gone);
          more.resolve();
          return gone.then(() => Promise.reject(signal.reason as Error));
        },
      }),
    );
    const deadline = Promise.withResolvers<void>();
    const { say, said, lines, end, over } = relayTo(url, KEY, () => deadline.promise);
    say(ASK);
    await more.promise;
    more = Promise.withResolvers();
    say({ ...ASK, id: 'b' });
    await more.promise;
    say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'a' } });
    await aborted[0];
    expect(signals.map((signal) => signal.aborted)).toEqual([true, false]);
    end();
    deadline.resolve();
    await over;
    await aborted[1];
    expect(await said(1)).toMatchObject({
      id: 'b',
      error: { code: -32000, message: expect.stringContaining('did not come in time') },
    });
    expect(lines).toHaveLength(1);
  });

  it('answers what is under way when the input ends', async () => {
    const { url } = await runApp();
    const { say, said, lines, end, over } = relayTo(url);
    say(BEGIN);
    say(ASK);
    end();
    await over;
    expect(lines).toHaveLength(2);
    const answers = [await said(1), await said(2)];
    expect(answers).toContainEqual(expect.objectContaining({ id: 0, result: expect.anything() }));
    expect(answers).toContainEqual(expect.objectContaining({ id: 'a', result: expect.anything() }));
  });

  it('answers a line that is no message, and goes on', async () => {
    const { url } = await runApp();
    const { say, said } = relayTo(url);
    say('Content-Length: 12');
    expect(await said(1)).toMatchObject({ id: null, error: { code: -32700 } });
    say({ jsonrpc: '2.0', id: 2, method: 'ping' });
    expect(await said(2)).toMatchObject({ id: 2, result: {} });
  });

  it.each([
    [404, 'text/html', '<h1>Not here</h1>', /does not speak this protocol: is KNOWLEDGER_URL/],
    [405, 'application/json', '{"error":{"message":"no"}}', /does not speak this protocol/],
    [200, 'text/event-stream', ': keepalive\n\n', /it ended before it responded/],
  ])('says what to do where something else answers: %i %s', async (status, type, body, why) => {
    const { say, said, told } = relayTo(await serverThatSays(status, type, body));
    say({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect((await said(1)).error).toEqual({ code: -32000, message: expect.stringMatching(why) });
    expect(told).toEqual([expect.stringMatching(why)]);
  });

  it('says what to do where nobody answers', async () => {
    const { say, said } = relayTo('http://127.0.0.1:1');
    say({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect((await said(1)).error.message).toContain('is the service running there?');
  });
});
