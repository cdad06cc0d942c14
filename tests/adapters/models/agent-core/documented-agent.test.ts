import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAgentCore } from '../../../../adapters/models/agent-core/agent-runtime.ts';
import {
  type AgentCoreServer,
  openAgentCore,
  RUNTIME_ARN,
} from '../../../support/agent/agent-core-server.ts';
import { eventually } from '../../../support/eventually.ts';

let agent: ChildProcess;
let server: AgentCoreServer;
let base = '';

const freePort = async (): Promise<number> => {
  const probe = createServer();
  await new Promise<void>((listening) => probe.listen(0, '127.0.0.1', listening));
  const { port } = probe.address() as AddressInfo;
  await new Promise((closed) => probe.close(closed));
  return port;
};

beforeAll(async () => {
  const page = await readFile(new URL('../../../../docs/agents.md', import.meta.url), 'utf8');
  const [, source = ''] = /^```js\n(.*?)^```$/ms.exec(page) ?? [];
  const port = await freePort();
  base = `http://127.0.0.1:${port}`;
  const args = ['--input-type=module', '--eval', source.replace("'0.0.0.0'", "'127.0.0.1'")];
  agent = spawn(process.execPath, args, { stdio: 'ignore', env: { PORT: String(port) } });
  server = await openAgentCore();
  // AgentCore passes payload and answer on as they are.
  server.answer = async ({ payload }, response) => {
    const told = await fetch(`${base}/invocations`, { method: 'POST', body: JSON.stringify(payload) });
    response.writeHead(told.status, { 'content-type': told.headers.get('content-type') ?? '' });
    response.end(await told.text());
  };
});
afterAll(async () => {
  agent.kill();
  await server.close();
});

it('The agent of the documentation is healthy, and answers what it is asked', async () => {
  const ping = await eventually(
    () =>
      fetch(`${base}/ping`).then(
        (response) => response.json(),
        () => null,
      ),
    (told) => told !== null,
    'the agent',
  );
  expect(ping).toEqual({ status: 'Healthy' });
  const credentials = { accessKeyId: 'a', secretAccessKey: 's' };
  const runtime = createAgentCore({ endpoint: server.endpoint, credentials });
  const sessionId = 'knowledger-0199d2a0-0000-7000-9000-000000000001';
  const payload = JSON.stringify({ prompt: 'why?' });
  const call = { runtimeArn: RUNTIME_ARN, sessionId, payload, mcpSessionId: null };
  const reports = await Array.fromAsync(runtime.invoke(call, new AbortController().signal));
  await runtime.close();
  const text = reports.map((report) => (report.kind === 'text' ? report.delta : '')).join('');
  expect(text).toBe('You asked: why?');
});
